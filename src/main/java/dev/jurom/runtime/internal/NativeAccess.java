// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** Checks that this module may call native code. */
public final class NativeAccess {

    private NativeAccess() {}

    /**
     * Throws an exception unless native access is enabled.
     *
     * @throws IllegalCallerException if it is not enabled; the message has the required option
     */
    public static void require() {
        var module = NativeAccess.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            throw new IllegalCallerException("jurom calls native code, which is not enabled: start the JVM with"
                    + " --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
    }
}
