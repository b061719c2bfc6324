// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.WovenLocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Inserts calls of {@link FaultHooks} into classes. The inserted code has no branches, so the stack map
 * frames of the methods remain valid.
 */
final class Weaver {

    /** All classes of this package read the clock through {@link FaultHooks}. */
    private static final String DAEMON = "dev/jurom/service/";

    private final List<FaultPoint> points;

    Weaver(List<FaultPoint> points) {
        this.points = List.copyOf(points);
    }

    private static WovenLocation location(FaultPoint point) {
        return point.woven().orElseThrow();
    }

    private List<FaultPoint> of(String name) {
        var dotted = name.replace('/', '.');
        return points.stream()
                .filter(point -> location(point).className().equals(dotted))
                .toList();
    }

    /** Returns whether weaving changes a class with the given internal name. */
    boolean isFor(String name) {
        return name.startsWith(DAEMON) || !of(name).isEmpty();
    }

    /**
     * Weaves the points of a class.
     *
     * @throws IllegalArgumentException if the class lacks the location of a point
     */
    byte[] weave(byte[] classFile) {
        var reader = new ClassReader(classFile);
        var writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        var visitor = new Visitor(writer, reader.getClassName(), of(reader.getClassName()));
        reader.accept(visitor, 0);
        return writer.toByteArray();
    }

    /** Visits the methods of one class. */
    private static final class Visitor extends ClassVisitor {

        private final String name;
        private final List<FaultPoint> points;
        private final Set<FaultPoint> woven = new HashSet<>();
        private Optional<String> connection = Optional.empty(); // the field with a connection

        private Visitor(ClassVisitor next, String name, List<FaultPoint> points) {
            super(Opcodes.ASM9, next);
            this.name = name;
            this.points = points;
        }

        @Override
        public FieldVisitor visitField(int access, String field, String type, String signature, Object value) {
            if (type.equals(ConnectionFinder.CONNECTION)) {
                connection = Optional.of(field);
            }
            return super.visitField(access, field, type, signature, value);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String type, String signature, String[] exceptions) {
            var next = super.visitMethod(access, method, type, signature, exceptions);
            var here = new ArrayList<FaultPoint>();
            if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0) {
                points.stream()
                        .filter(point -> location(point).method().equals(method))
                        .forEach(here::add);
            }
            return new WeavingMethod(
                    next,
                    here,
                    new ConnectionFinder(name, (access & Opcodes.ACC_STATIC) != 0, type, connection),
                    woven::add);
        }

        @Override
        public void visitEnd() {
            points.stream().filter(point -> !woven.contains(point)).forEach(point -> {
                throw new IllegalArgumentException("fault point " + point + ": location not found: " + location(point));
            });
            super.visitEnd();
        }
    }
}
