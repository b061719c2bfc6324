// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the connection of a method: a parameter, the object itself, or a field of the object.
 *
 * @param owner the method's class
 * @param isStatic whether the method is static
 * @param type the descriptor of the method
 * @param field the name of the field with a connection, if any
 */
record ConnectionFinder(String owner, boolean isStatic, String type, Optional<String> field) {

    static final String INTERFACE = "dev/jurom/service/connections/Connection";
    static final String CONNECTION = "L" + INTERFACE + ";";

    private static final Set<String> CLASSES = Set.of(
            INTERFACE, "dev/jurom/service/connections/UnixConnection", "dev/jurom/service/connections/TlsConnection");

    /** Pushes the connection onto the stack; returns false if there is none. */
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
