// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves an {@link Injection} into the classes of the facade that run on application threads: before each
 * call of another class, and before each allocation. Calls between the woven classes are not sites: they have
 * sites of their own, allocate nothing themselves, and find enough stack, which the facade checks first. Class
 * initializers are excluded, since a class whose initializer fails does so for all threads, as the language
 * specifies. The start and the end of a worker on the engine thread are excluded, since the start or the close
 * reports the failure.
 */
final class CallSites {

    private static final List<String> CLASSES = List.of(
            "dev/jurom/Worker",
            "dev/jurom/core/internal/SharedEngine",
            "dev/jurom/internal/Batch",
            "dev/jurom/internal/Calls",
            "dev/jurom/internal/CommandSlot",
            "dev/jurom/internal/CommandSlots",
            "dev/jurom/internal/CompletionThreads",
            "dev/jurom/internal/Deadline",
            "dev/jurom/internal/FutureDeadlines",
            "dev/jurom/internal/Deliveries",
            "dev/jurom/internal/Dependents",
            "dev/jurom/internal/Engine",
            "dev/jurom/internal/EngineFuture",
            "dev/jurom/internal/EngineThread",
            "dev/jurom/internal/FollowingFuture",
            "dev/jurom/internal/ParkedCall",
            "dev/jurom/internal/PendingAnswer",
            "dev/jurom/internal/SlotStates",
            "dev/jurom/internal/WaitingLine");
    private static final Set<String> STARTS_AND_ENDS = Set.of(
            "CommandSlots.closeSlots",
            "CommandSlots.end",
            "CommandSlots.warmUp",
            "FutureDeadlines.end",
            "Engine.add",
            "Engine.calls",
            "Engine.lambda$begin$0",
            "Engine.remove",
            "Engine.when",
            "EngineThread.add",
            "EngineThread.end",
            "EngineThread.remove",
            "EngineThread.runConditions",
            "EngineThread.when",
            "SharedEngine.destroy",
            "SharedEngine.freeCommands",
            "SharedEngine.functions",
            "SharedEngine.lock",
            "SharedEngine.makeCommands",
            "SharedEngine.of",
            "SharedEngine.warmUp",
            "SharedEngine.warmUpLeave",
            "SlotStates.close",
            "SlotStates.closeOwned",
            "WaitingLine.end",
            "Worker.closeContext",
            "Worker.destroyContext");
    /** Classes whose called methods allocate nothing once the facade has called them for a worker's start. */
    private static final Set<String> ALLOCATE_NOTHING = Set.of(
            "dev/jurom/abi/doca/doca_h",
            "java/lang/Math",
            "java/lang/System",
            "java/lang/Thread",
            "java/lang/invoke/MethodHandle",
            "java/lang/invoke/VarHandle",
            "java/util/concurrent/atomic/AtomicBoolean",
            "java/util/concurrent/atomic/AtomicInteger",
            "java/util/concurrent/atomic/AtomicIntegerArray",
            "java/util/concurrent/atomic/AtomicLong",
            "java/util/concurrent/atomic/AtomicReference",
            "java/util/concurrent/locks/LockSupport",
            "java/util/concurrent/locks/ReentrantLock");

    private final List<String> names = new ArrayList<>();

    private CallSites() {}

    /** Writes the woven classes into a folder for the class path. Returns a description of each site. */
    static List<String> write(Path folder) throws IOException {
        var sites = new CallSites();
        var classes = new ArrayList<>(CLASSES);
        for (var i = 0; i < classes.size(); i++) {
            var file = folder.resolve(classes.get(i) + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, sites.weave(classes.get(i), classes));
        }
        return sites.names;
    }

    private byte[] weave(String name, List<String> classes) throws IOException {
        try (var original = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            var reader = new ClassReader(original);
            var writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9, writer) {
                        @Override
                        public void visitNestMember(String member) {
                            classes.add(member);
                            super.visitNestMember(member);
                        }

                        @Override
                        public MethodVisitor visitMethod(
                                int access, String method, String type, String signature, String[] exceptions) {
                            var next = super.visitMethod(access, method, type, signature, exceptions);
                            var full = shortName(name) + "." + method;
                            return method.startsWith("<") || STARTS_AND_ENDS.contains(full)
                                    ? next
                                    : new Weaving(next, full);
                        }
                    },
                    0);
            return writer.toByteArray();
        }
    }

    private static String shortName(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static boolean isWoven(String name) {
        return CLASSES.contains(name.split("\\$")[0]);
    }

    /** Weaves a method. */
    private final class Weaving extends MethodVisitor {

        private final String method;
        private int line;

        private Weaving(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            if (!isWoven(owner) && !ALLOCATE_NOTHING.contains(owner) && !name.equals("<init>")) {
                reach("before " + shortName(owner) + "." + name);
            }
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
                reach("new " + shortName(type)); // after it, since a frame may refer to its offset
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                reach("before a new array");
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
            reach("before a lambda " + name);
            super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
        }

        private void reach(String where) {
            if (method.equals("EngineThread.runRequests")) {
                return; // a request that did not run cannot report a failure
            }
            super.visitIntInsn(Opcodes.SIPUSH, names.size());
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(Injection.class), "reach", "(I)V", false);
            names.add(method + ":" + line + " " + where);
        }
    }
}
