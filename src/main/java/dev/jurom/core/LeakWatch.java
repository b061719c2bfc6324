// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.ref.Cleaner;

/**
 * Reports handles that are collected as garbage while they are open, with the stack that made them:
 * switched on by {@code -Djurom.leaks=trace}, and free of cost otherwise. Their native memory is
 * never freed: nobody knows what else still uses it.
 */
final class LeakWatch {

    private static final boolean ON = "trace".equals(System.getProperty("jurom.leaks"));
    private static final Mark NONE = () -> {};

    private LeakWatch() {}

    /** What a watched handle clears when it is closed in time. */
    @FunctionalInterface
    interface Mark {
        void clear();
    }

    static Mark watch(Handle handle) {
        return ON ? Tracer.watch(handle) : NONE;
    }

    /** Loaded only when the watch is on. */
    private static final class Tracer {

        private static final Cleaner CLEANER = Cleaner.create();
        private static final System.Logger LOGGER = System.getLogger("dev.jurom.leaks");

        static Mark watch(Handle handle) {
            var report = new Report(handle.getClass().getSimpleName(), new Throwable("It was opened here"));
            var cleanable = CLEANER.register(handle, report);
            return () -> {
                report.inTime = true;
                cleanable.clean();
            };
        }

        private static final class Report implements Runnable {

            private final String kind;
            private final Throwable opened;
            private volatile boolean inTime;

            Report(String kind, Throwable opened) {
                this.kind = kind;
                this.opened = opened;
            }

            @Override
            public void run() {
                if (!inTime) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "A " + kind + " was never closed, and nothing refers to it any more",
                            opened);
                }
            }
        }
    }
}
