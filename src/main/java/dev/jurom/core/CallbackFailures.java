// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import org.jspecify.annotations.Nullable;

/**
 * Collects the exceptions that callbacks throw, until the call that ran the callbacks rethrows the
 * first one, with the others suppressed in it. Not thread-safe.
 */
final class CallbackFailures {

    private @Nullable Throwable thrown;

    void add(Throwable exception) {
        if (thrown == null) {
            thrown = exception;
        } else if (thrown != exception) {
            thrown.addSuppressed(exception);
        }
    }

    /** Rethrows the exceptions that were added since the last call. */
    void rethrow() {
        if (thrown != null) {
            var first = thrown;
            thrown = null;
            CallbackFailures.<RuntimeException>rethrow(first);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable throwable) throws T {
        throw (T) throwable; // callbacks throw unchecked exceptions, unless they deceive the compiler
    }
}
