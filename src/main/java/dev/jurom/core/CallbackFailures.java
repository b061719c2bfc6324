// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import org.jspecify.annotations.Nullable;

/**
 * What callbacks have thrown, until the call that let them run rethrows it: the first, with the
 * others suppressed in it. For one thread.
 */
final class CallbackFailures {

    private @Nullable Throwable thrown;

    void keep(Throwable callbackThrew) {
        if (thrown == null) {
            thrown = callbackThrew;
        } else if (thrown != callbackThrew) {
            thrown.addSuppressed(callbackThrew);
        }
    }

    /** Rethrows what was kept since the last time. */
    void rethrow() {
        if (thrown != null) {
            var callbackThrew = thrown;
            thrown = null;
            CallbackFailures.<RuntimeException>rethrow(callbackThrew);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable throwable) throws T {
        throw (T) throwable; // a callback's exceptions are unchecked, or thrown past the compiler
    }
}
