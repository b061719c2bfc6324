// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Loads the classes of the facade as they were compiled, but for what they use to see other
 * threads, which is replaced by {@link Stepped}, what is native, and a defect that is planted: a
 * method that does nothing but return a constant.
 */
final class ExploredClasses extends ClassLoader {

    private static final String EXPLORED = "dev.jurom.internal.";
    private static final String OURS = "dev.jurom.races.";
    private static final String WOVEN = "dev/jurom/races/Woven";
    private static final Map<String, String> REPLACED = new HashMap<>();

    static {
        var atomic = "java/util/concurrent/atomic/Atomic";
        replace(atomic + "Reference", "Stepped$Reference");
        replace(atomic + "Long", "Stepped$Number");
        replace(atomic + "Integer", "Stepped$Count");
        replace(atomic + "Boolean", "Stepped$Flag");
        replace(atomic + "ReferenceArray", "Stepped$References");
        replace("java/util/concurrent/ConcurrentLinkedQueue", "Stepped$Line");
        replace("java/util/Queue", "Stepped$Line");
        replace("java/util/concurrent/locks/ReentrantLock", "Stepped$Lock");
        replace("java/util/concurrent/locks/Condition", "Stepped$Given");
        replace("java/util/concurrent/locks/LockSupport", "Stepped$Parking");
        replace("java/lang/Thread", "Actor");
        replace("java/util/concurrent/CompletableFuture", "Stepped$Future");
        replace("java/lang/System$Logger", "Stepped$Log");
        replace("dev/jurom/core/ProgressEngine", "Native$Engine");
        replace("dev/jurom/core/Submission", "Native$Batch");
        replace("dev/jurom/core/Task", "Native$Task");
        replace("dev/jurom/core/internal/EventDescriptor", "Native$Event");
        replace("dev/jurom/core/internal/Poll", "Native$Poll");
        replace("dev/jurom/urom/CommandTask", "Native$Task");
        REPLACED.put("dev/jurom/internal/DrivenWorker", "dev/jurom/internal/ExploredWorker");
        REPLACED.put("dev/jurom/internal/CommandDeadlines",
                "dev/jurom/internal/ExploredDeadlines");
    }

    /** Interfaces that classes stand for. */
    private static final Set<String> INTERFACES = Set.of("java/util/Queue",
            "java/util/concurrent/locks/Condition", "java/lang/System$Logger");

    /** A method that is to do nothing but return 0 or 1. */
    record Defect(String type, String method, boolean answer) {
    }

    private final Defect defect;
    private boolean planted;

    ExploredClasses(Defect defect) {
        super(ExploredClasses.class.getClassLoader());
        this.defect = defect;
    }

    private static void replace(String type, String by) {
        REPLACED.put(type, "dev/jurom/races/" + by);
    }

    boolean isPlanted() {
        return planted;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(EXPLORED) && !name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            var loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        var file = "/" + name.replace('.', '/') + ".class";
        try (var stream = ExploredClasses.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new ClassNotFoundException(name);
            }
            var bytes = stream.readAllBytes();
            var changed = name.startsWith(EXPLORED) ? change(new ClassReader(bytes)) : bytes;
            return defineClass(name, changed, 0, changed.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] change(ClassReader reader) {
        var writer = new ClassWriter(0);
        var volatiles = volatilesOf(reader);
        var remapper = new ClassRemapper(writer, new SimpleRemapper(Opcodes.ASM9, REPLACED));
        reader.accept(new ClassVisitor(Opcodes.ASM9, remapper) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor,
                    String signature, String[] exceptions) {
                var next = super.visitMethod(access & ~Opcodes.ACC_SYNCHRONIZED, method, descriptor,
                        signature, exceptions); // while no plot has two in there
                if (defect != null && reader.getClassName().equals(defect.type.replace('.', '/'))
                        && method.equals(defect.method)) {
                    planted = true;
                    return new Emptied(next, descriptor, defect.answer);
                }
                return new Steps(next, volatiles, method.equals("<init>"));
            }
        }, 0);
        return writer.toByteArray();
    }

    private static Set<String> volatilesOf(ClassReader reader) {
        var volatiles = new HashSet<String>();
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public FieldVisitor visitField(int access, String name, String descriptor,
                    String signature, Object value) {
                if ((access & Opcodes.ACC_VOLATILE) != 0) {
                    volatiles.add(reader.getClassName() + "." + name);
                }
                return null;
            }
        }, ClassReader.SKIP_CODE);
        return volatiles;
    }

    /** Makes a step before each volatile access, and of each monitor. */
    private static final class Steps extends MethodVisitor {

        private static final String OF_OBJECT = "(Ljava/lang/Object;)V";

        private final Set<String> volatiles;
        private final boolean makes;

        Steps(MethodVisitor next, Set<String> volatiles, boolean makes) {
            super(Opcodes.ASM9, next);
            this.volatiles = volatiles;
            this.makes = makes;
        }

        private void call(String method) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, WOVEN, method, OF_OBJECT, false);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (volatiles.contains(owner + "." + name)) {
                switch (opcode) {
                    case Opcodes.GETFIELD -> super.visitInsn(Opcodes.DUP);
                    case Opcodes.PUTFIELD -> {
                        requireOneWord(descriptor);
                        super.visitInsn(Opcodes.DUP2);
                        super.visitInsn(Opcodes.POP);
                    }
                    default -> super.visitLdcInsn(owner); // of all that is static there
                }
                call(opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC ? "read" : "write");
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        private static void requireOneWord(String descriptor) {
            if (descriptor.equals("J") || descriptor.equals("D")) {
                throw new IllegalStateException("of a field of two words no step is made yet");
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
                call(opcode == Opcodes.MONITORENTER ? "enter" : "leave");
                return;
            }
            if (opcode == Opcodes.RETURN && makes && !volatiles.isEmpty()) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                call("made");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
                boolean isInterface) {
            if (owner.equals("java/lang/System") && name.equals("nanoTime")) {
                super.visitMethodInsn(opcode, "dev/jurom/races/Stepped$Clock", name, descriptor,
                        false);
            } else if (owner.equals("java/lang/System") && name.equals("getLogger")) {
                super.visitMethodInsn(opcode, "java/lang/System$Logger", name, descriptor, false);
            } else if (INTERFACES.contains(owner)) {
                super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, name, descriptor, false);
            } else {
                if (owner.equals("java/lang/invoke/VarHandle")) {
                    stepOfHandle(descriptor);
                }
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        }

        /** Below: the handle, the object, and two words. */
        private void stepOfHandle(String descriptor) {
            if (!descriptor.matches("\\(L[^;]+;L[^;]+;L[^;]+;\\)Z")) {
                throw new IllegalStateException("no step is made yet of " + descriptor);
            }
            super.visitInsn(Opcodes.DUP2_X1);
            super.visitInsn(Opcodes.POP2);
            super.visitInsn(Opcodes.DUP_X2);
            call("write");
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 3, locals);
        }
    }

    /** A method of which nothing is left but what it returns. */
    private static final class Emptied extends MethodVisitor {

        private final MethodVisitor method;
        private final String descriptor;
        private final boolean answer;

        Emptied(MethodVisitor method, String descriptor, boolean answer) {
            super(Opcodes.ASM9);
            this.method = method;
            this.descriptor = descriptor;
            this.answer = answer;
        }

        @Override
        public void visitCode() {
            method.visitCode();
            if (descriptor.endsWith("V")) {
                method.visitInsn(Opcodes.RETURN);
            } else if (descriptor.endsWith("(JI)J")) { // of what it would count, the place alone
                method.visitVarInsn(Opcodes.ILOAD, 2);
                method.visitInsn(Opcodes.ICONST_1);
                method.visitInsn(Opcodes.IADD);
                method.visitInsn(Opcodes.I2L);
                method.visitInsn(Opcodes.LRETURN);
            } else {
                method.visitInsn(answer ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
                method.visitInsn(Opcodes.IRETURN);
            }
            method.visitMaxs(2, 8);
            method.visitEnd();
        }
    }
}
