// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultKind;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.service.connections.Connection;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Inserts calls of {@link FaultHooks} into the methods of a class. The inserted code has no branches, so the
 * stack map frames of the methods remain valid.
 */
final class Weaver extends ClassVisitor {

    /** The package prefix of the classes that read the clock through {@link FaultHooks}. */
    private static final String DAEMON = "dev/jurom/service/";

    private static final String HOOKS = Type.getInternalName(FaultHooks.class);
    private static final Type CONNECTION = Type.getType(Connection.class);
    /**
     * Maps descriptors of reads and writes to those of their replacements, which have the point as an
     * additional argument.
     */
    private static final Map<String, String> TRANSFERS = Map.of(
            "([BII)I",
            "(Ljava/io/InputStream;[BIII)I",
            "([B)V",
            "(Ljava/io/OutputStream;[BI)V",
            "(Ljava/nio/ByteBuffer;)I",
            "(Ljava/nio/channels/WritableByteChannel;Ljava/nio/ByteBuffer;I)I");

    private final String owner;
    private final List<FaultPoint> points;
    private final Set<FaultPoint> woven = new HashSet<>();
    private String connection = ""; // the field with a connection, if any

    private Weaver(ClassVisitor next, String owner) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.points = pointsOf(owner);
    }

    private static List<FaultPoint> pointsOf(String owner) {
        return FaultPoints.woven().stream()
                .filter(point -> location(point).className().equals(owner.replace('/', '.')))
                .toList();
    }

    private static FaultPoint.Location location(FaultPoint point) {
        return point.woven().orElseThrow();
    }

    /** Returns whether weaving changes a class with the given internal name. */
    static boolean isWoven(String name) {
        return name.startsWith(DAEMON) || !pointsOf(name).isEmpty();
    }

    /**
     * Weaves the points of a class.
     *
     * @throws IllegalArgumentException if the class lacks the location of a point
     */
    static byte[] weave(byte[] classFile) {
        var reader = new ClassReader(classFile);
        var writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Weaver(writer, reader.getClassName()), 0);
        return writer.toByteArray();
    }

    @Override
    public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
        if (type.equals(CONNECTION.getDescriptor())) {
            connection = name;
        }
        return super.visitField(access, name, type, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
        var next = super.visitMethod(access, name, type, signature, exceptions);
        var throwsIOException = exceptions != null && List.of(exceptions).contains("java/io/IOException");
        return new Method(next, name, type, (access & Opcodes.ACC_STATIC) != 0, throwsIOException);
    }

    @Override
    public void visitEnd() {
        for (var point : points) {
            require(woven.contains(point), point, "is not at " + location(point));
        }
        super.visitEnd();
    }

    private static void require(boolean holds, FaultPoint point, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("the fault point " + point + " " + otherwise);
        }
    }

    private static boolean throwsIOException(String owner, String method) {
        try {
            return Stream.of(Class.forName(owner.replace('/', '.')).getDeclaredMethods())
                    .filter(declared -> declared.getName().equals(method))
                    .anyMatch(declared -> List.of(declared.getExceptionTypes()).contains(IOException.class));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts the points of one method. */
    private final class Method extends MethodVisitor {

        private final List<FaultPoint> pointsOfMethod;
        private final String type;
        private final boolean isStatic;
        private final boolean throwsIOException;

        private Method(MethodVisitor next, String name, String type, boolean isStatic, boolean throwsIOException) {
            super(Opcodes.ASM9, next);
            this.pointsOfMethod = points.stream()
                    .filter(point -> location(point).method().equals(name))
                    .toList();
            this.type = type;
            this.isStatic = isStatic;
            this.throwsIOException = throwsIOException;
        }

        private List<FaultPoint> at(String position) {
            return pointsOfMethod.stream()
                    .filter(point -> location(point).position().equals(position))
                    .toList();
        }

        @Override
        public void visitCode() {
            super.visitCode();
            at("entry").forEach(point -> reach(point, throwsIOException));
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                at("exit").forEach(point -> reach(point, false));
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String called, String name, String descriptor, boolean isInterface) {
            var before = at("before " + called.substring(called.lastIndexOf('/') + 1) + "." + name);
            if (!before.isEmpty() && before.getFirst().kind() == FaultKind.TRANSFER) {
                var replacement = TRANSFERS.get(descriptor);
                require(replacement != null, before.getFirst(), "has no replacement for " + descriptor);
                insert(before.getFirst(), "transfer", replacement, true);
                return;
            }
            before.forEach(point -> reach(point, throwsIOException(called, name)));
            if (called.equals("java/lang/System") && name.equals("nanoTime")) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
            } else {
                super.visitMethodInsn(opcode, called, name, descriptor, isInterface);
            }
        }

        private void reach(FaultPoint point, boolean mayFail) {
            switch (point.kind()) {
                case STATE -> insert(point, "state", "(I)V", true);
                case CALL -> insert(point, "call", "(I)V", mayFail);
                case CLOCK -> insert(point, "clock", "(I)V", true);
                case CONNECTION -> {
                    pushConnection(point);
                    insert(point, "connection", "(" + CONNECTION + "I)V", true);
                }
                default -> require(false, point, "has a kind that cannot be woven there");
            }
        }

        private void insert(FaultPoint point, String hook, String descriptor, boolean isDeclared) {
            require(isDeclared, point, "would throw an IOException that is not declared");
            woven.add(point);
            super.visitIntInsn(Opcodes.SIPUSH, point.number());
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, descriptor, false);
        }

        /** Pushes the connection of the method, which is a parameter, a field of the object, or the object itself. */
        private void pushConnection(FaultPoint point) {
            var slot = isStatic ? 0 : 1;
            for (var parameter : Type.getArgumentTypes(type)) {
                if (parameter.equals(CONNECTION)) {
                    super.visitVarInsn(Opcodes.ALOAD, slot);
                    return;
                }
                slot += parameter.getSize();
            }
            super.visitVarInsn(Opcodes.ALOAD, 0);
            if (!connection.isEmpty()) {
                super.visitFieldInsn(Opcodes.GETFIELD, owner, connection, CONNECTION.getDescriptor());
            } else {
                require(owner.endsWith("Connection"), point, "has no connection");
            }
        }
    }
}
