// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** Sends commands with given due times, and reports the answers. */
interface PacedSender extends AutoCloseable {

    /** Receives the due time of each answered command. */
    @FunctionalInterface
    interface Answers {

        /** Called by any thread when an answer has arrived. */
        void arrived(long dueNanos);
    }

    /** Sends a command if possible without blocking. */
    boolean trySend(long dueNanos);

    /** Processes answers. */
    void poll();

    @Override
    void close();
}
