// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Tests of weaving fault points into shipped classes. The build fails if a point has no location. */
class WeaverTest {

    /** The methods that a class calls and those of its own that declare an IOException, as in OWNER.NAME. */
    private static final class Methods extends ClassVisitor {

        private final Set<String> called = new HashSet<>();
        private final Set<String> failing = new HashSet<>();

        private Methods(byte[] classFile) {
            super(Opcodes.ASM9);
            new ClassReader(classFile).accept(this, 0);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String type, String signature, String[] exceptions) {
            if (exceptions != null && Arrays.asList(exceptions).contains("java/io/IOException")) {
                failing.add(method);
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String name, String itsType, boolean isInterface) {
                    called.add(owner + "." + name);
                }
            };
        }
    }

    private static byte[] classFile(String name) {
        try (var input = ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
            return input.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<FaultPoint> failingPoints() {
        return FaultPoints.woven().stream()
                .filter(point -> point.actions().contains(FaultAction.FAIL))
                .toList();
    }

    /** Otherwise, the injected failure could not occur in reality. */
    @ParameterizedTest
    @MethodSource("failingPoints")
    void a_point_that_fails_is_where_an_io_exception_is_declared(FaultPoint point) {
        var location = point.woven().orElseThrow();
        var here = new Methods(classFile(location.className()));

        if (location.position().startsWith("before ")) {
            var suffix = location.position().replace("before ", "/");
            var called = here.called.stream().filter(it -> it.endsWith(suffix)).toList();
            assertEquals(1, called.size(), () -> suffix + " matches " + called);
            var ownerAndName = called.getFirst().split("\\.");
            assertTrue(new Methods(classFile(ownerAndName[0])).failing.contains(ownerAndName[1]), called::toString);
        } else {
            assertEquals("entry", location.position());
            assertTrue(here.failing.contains(location.method()), location::toString);
        }
    }

    @Test
    void classes_of_the_daemon_read_the_woven_clock() {
        var original = classFile("dev.jurom.service.workers.Heartbeat");
        var woven = new Methods(Weaver.weave(original));

        assertTrue(woven.called.contains("dev/jurom/proof/woven/FaultHooks.nanoTime"), woven.called::toString);
        assertFalse(woven.called.contains("java/lang/System.nanoTime"), woven.called::toString);
    }
}
