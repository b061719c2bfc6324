// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Tests of weaving. The build itself fails if the location of a point does not exist or cannot throw a
 * required IOException.
 */
class WeaverTest {

    @Test
    void classes_of_the_daemon_read_the_woven_clock() throws IOException {
        try (var original = ClassLoader.getSystemResourceAsStream("dev/jurom/service/workers/Heartbeat.class")) {
            var called = called(Weaver.weave(original.readAllBytes()));

            assertTrue(called.contains("dev/jurom/proof/woven/FaultHooks.nanoTime"), called::toString);
            assertFalse(called.contains("java/lang/System.nanoTime"), called::toString);
        }
    }

    private static Set<String> called(byte[] classFile) {
        var called = new HashSet<String>();
        var methods = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String method, String type, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int code, String owner, String name, String type, boolean isInterface) {
                        called.add(owner + "." + name);
                    }
                };
            }
        };
        new ClassReader(classFile).accept(methods, 0);
        return called;
    }
}
