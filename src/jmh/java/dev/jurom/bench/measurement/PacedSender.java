// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** Sends commands whose times are given, and records how long after that time each was answered. */
interface PacedSender extends AutoCloseable {

    /** Counts each answer, with the time at which its command was due. */
    @FunctionalInterface
    interface Answers {

        /** An answer has arrived; any thread. */
        void arrived(long dueNanos);
    }

    /** Sends a command if that can be done now. */
    boolean trySend(long dueNanos);

    /** Does what there is to do besides sending. */
    void poll();

    @Override
    void close();
}
