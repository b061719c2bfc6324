// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Where a method has a connection: in a parameter, or it is one of a connection's own, or its
 * object has it in a field.
 *
 * @param owner the method's class
 * @param isStatic whether it has no object
 * @param type the method's type
 * @param field of its class, which has a connection
 */
record ConnectionFinder(String owner, boolean isStatic, String type, Optional<String> field) {

    static final String INTERFACE = "dev/jurom/service/connections/Connection";
    static final String CONNECTION = "L" + INTERFACE + ";";

    private static final Set<String> CLASSES = Set.of(
            INTERFACE, "dev/jurom/service/connections/UnixConnection", "dev/jurom/service/connections/TlsConnection");

    /** Puts the connection on the stack; false: there is none. */
    boolean load(MethodVisitor code) {
        var slot = isStatic ? 0 : 1;
        for (var parameter : Type.getArgumentTypes(type)) {
            if (parameter.getSort() == Type.OBJECT && CLASSES.contains(parameter.getInternalName())) {
                code.visitVarInsn(Opcodes.ALOAD, slot);
                return true;
            }
            slot += parameter.getSize();
        }
        if (isStatic || !CLASSES.contains(owner) && field.isEmpty()) {
            return false;
        }
        code.visitVarInsn(Opcodes.ALOAD, 0);
        if (!CLASSES.contains(owner)) {
            code.visitFieldInsn(Opcodes.GETFIELD, owner, field.get(), CONNECTION);
        }
        return true;
    }
}
