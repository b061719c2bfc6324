// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/** Weaves each class when it is loaded. */
final class WeavingTransformer implements ClassFileTransformer {

    private static final int WRONG_BUILD = 70; // EX_SOFTWARE

    private final Weaver weaver;

    WeavingTransformer(Weaver weaver) {
        this.weaver = weaver;
    }

    /** Ends the JVM if that fails: it would drop the exception, and go on without a point. */
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
            ProtectionDomain domain, byte[] classFile) {
        try {
            return name != null && weaver.isFor(name) ? weaver.weave(classFile) : null;
        } catch (RuntimeException | Error e) {
            System.err.println("faults: the class " + name + " cannot be woven: " + e);
            Runtime.getRuntime().halt(WRONG_BUILD);
            return null;
        }
    }
}
