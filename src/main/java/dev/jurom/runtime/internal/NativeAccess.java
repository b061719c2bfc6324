// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.lang.foreign.MemorySegment;

/** Checks that this module may call native code. */
public final class NativeAccess {

    private NativeAccess() {}

    /**
     * Throws an exception if the JDK denies native access to this module. Where native access is neither
     * enabled nor denied, the JDK prints a warning once.
     *
     * @throws IllegalCallerException if it is denied; the message has the required option
     */
    public static void require() {
        try {
            MemorySegment.NULL.reinterpret(0); // is restricted, as native calls are
        } catch (IllegalCallerException e) {
            var module = NativeAccess.class.getModule();
            throw new IllegalCallerException(
                    "jurom calls native code, which the JDK denies: start the JVM with --enable-native-access="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
                    e);
        }
    }
}
