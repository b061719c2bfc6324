// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.ref.Cleaner;

/**
 * Reports handles that are garbage-collected while they are open, with the stack trace of their
 * creation. Enabled by {@code -Djurom.leaks=trace}; costs nothing otherwise. The native memory of
 * such a handle is never freed, because other native objects may still use it.
 */
final class LeakDetector {

    private static final boolean ON = "trace".equals(System.getProperty("jurom.leaks"));
    private static final Mark NONE = () -> {};

    private LeakDetector() {}

    /** Ends the watch of a handle that is closed. */
    @FunctionalInterface
    interface Mark {
        void clear();
    }

    static Mark watch(Handle handle) {
        return ON ? Tracer.watch(handle) : NONE;
    }

    /** Loaded only if the watch is enabled. */
    private static final class Tracer {

        private static final Cleaner CLEANER = Cleaner.create();
        private static final System.Logger LOGGER = System.getLogger("dev.jurom.leaks");

        static Mark watch(Handle handle) {
            var report = new Report(handle.getClass().getSimpleName(), new Throwable("It was opened here"));
            var cleanable = CLEANER.register(handle, report);
            return () -> {
                report.closed = true;
                cleanable.clean();
            };
        }

        private static final class Report implements Runnable {

            private final String kind;
            private final Throwable opened;
            private volatile boolean closed;

            Report(String kind, Throwable opened) {
                this.kind = kind;
                this.opened = opened;
            }

            @Override
            public void run() {
                if (!closed) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "A " + kind + " was never closed, and was garbage-collected",
                            opened);
                }
            }
        }
    }
}
