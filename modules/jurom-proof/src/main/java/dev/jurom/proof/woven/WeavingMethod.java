// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.WovenLocation;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Inserts the points of one method. */
final class WeavingMethod extends MethodVisitor {

    private static final String REACH = Type.getInternalName(FaultHooks.class);
    private static final Handle LAMBDA = new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/LambdaMetafactory",
            "metafactory",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                    + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)"
                    + "Ljava/lang/invoke/CallSite;",
            false);
    private static final Handle ABORT =
            new Handle(Opcodes.H_INVOKEINTERFACE, ConnectionFinder.INTERFACE, "abort", "()V", true);
    /** The replacements of reads and writes by their descriptors, with the point as an additional argument. */
    private static final Map<String, String> TRANSFERS = Map.of(
            "([BII)I",
            "(Ljava/io/InputStream;[BIII)I",
            "([B)V",
            "(Ljava/io/OutputStream;[BI)V",
            "(Ljava/nio/ByteBuffer;)I",
            "(Ljava/nio/channels/WritableByteChannel;Ljava/nio/ByteBuffer;I)I");

    private final List<FaultPoint> points;
    private final ConnectionFinder connection;
    private final Consumer<FaultPoint> woven;

    WeavingMethod(
            MethodVisitor next, List<FaultPoint> points, ConnectionFinder connection, Consumer<FaultPoint> woven) {
        super(Opcodes.ASM9, next);
        this.points = points;
        this.connection = connection;
        this.woven = woven;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        weave(new WovenLocation.Entry());
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            weave(new WovenLocation.Exit());
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
        var before = new WovenLocation.Before(owner.substring(owner.lastIndexOf('/') + 1), name);
        var transfer = points.stream()
                .filter(point -> isAt(point, before) && isTransfer(point))
                .findFirst();
        weave(before);
        if (transfer.isPresent()) {
            number(transfer.get());
            super.visitMethodInsn(Opcodes.INVOKESTATIC, REACH, "transfer", transferOf(type), false);
        } else if (owner.equals("java/lang/System") && name.equals("nanoTime")) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, REACH, name, type, false);
        } else {
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }
    }

    private static String transferOf(String type) {
        var replacement = TRANSFERS.get(type);
        if (replacement == null) {
            throw new IllegalArgumentException("no replacement for a transfer with descriptor " + type);
        }
        return replacement;
    }

    private static boolean isAt(FaultPoint point, WovenLocation.Position position) {
        return point.woven().orElseThrow().position().equals(position);
    }

    private static boolean isTransfer(FaultPoint point) {
        return switch (point.kind()) {
            case TRANSFER -> true;
            default -> false;
        };
    }

    private void weave(WovenLocation.Position position) {
        points.stream().filter(point -> isAt(point, position)).forEach(this::weave);
    }

    private void weave(FaultPoint point) {
        woven.accept(point);
        switch (point.kind()) {
            case STATE -> reach(point, "state", "(I)V");
            case CALL -> reach(point, "call", "(I)V");
            case CLOCK -> reach(point, "clock", "(I)V");
            case CONNECTION -> {
                if (!connection.load(this)) {
                    throw new IllegalArgumentException("no connection at fault point " + point);
                }
                super.visitInvokeDynamicInsn(
                        "run",
                        "(" + ConnectionFinder.CONNECTION + ")Ljava/lang/Runnable;",
                        LAMBDA,
                        Type.getType("()V"),
                        ABORT,
                        Type.getType("()V"));
                reach(point, "connection", "(Ljava/lang/Runnable;I)V");
            }
            case TRANSFER -> requireCall(point);
            default ->
                throw new IllegalArgumentException(
                        "fault point " + point + ": kind " + point.kind() + " cannot be woven");
        }
    }

    private static void requireCall(FaultPoint point) {
        if (!(point.woven().orElseThrow().position() instanceof WovenLocation.Before)) {
            throw new IllegalArgumentException("fault point " + point + ": a transfer must be before a method call");
        }
    }

    private void reach(FaultPoint point, String name, String type) {
        number(point);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, REACH, name, type, false);
    }

    private void number(FaultPoint point) {
        super.visitIntInsn(Opcodes.SIPUSH, point.number());
    }
}
