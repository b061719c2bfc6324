// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** Checks that this module may call native code, before anything does. */
public final class NativeAccess {

    private NativeAccess() {}

    /**
     * Requires native access.
     *
     * @throws IllegalCallerException with the exact flag, if it is not enabled
     */
    public static void require() {
        var module = NativeAccess.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            throw new IllegalCallerException("jurom calls native code and may not: start the JVM with"
                    + " --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
    }
}
