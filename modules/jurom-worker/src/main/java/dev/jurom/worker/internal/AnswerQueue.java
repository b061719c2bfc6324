// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

/** Takes deferred answers and announcements to the worker. Thread-safe. */
public interface AnswerQueue {

    /**
     * Keeps the data for a later answer to the current command. Called on the worker's thread.
     *
     * @return a number other than 0, to be passed to {@link #answer} once; 0 if there is no memory
     */
    long defer();

    /**
     * Announces how long the current command may take. Called on the worker's thread.
     *
     * @param seconds the time from now, not negative
     */
    void busy(int seconds);

    /**
     * Returns whether the host waits for the answer to the current command. Called on the worker's thread.
     *
     * @return false if the command is cancelled, or its deadline has passed
     */
    boolean isWanted();

    /**
     * Returns the deadline of the current command. Called on the worker's thread.
     *
     * @return a value of {@link System#nanoTime()}; 0 if there is none
     */
    long deadline();

    /**
     * Answers a deferred command.
     *
     * @param deferral the result of {@link #defer}
     * @param status the code of the error, 0 for success
     * @param bytes contains the answer
     * @param length the number of bytes of the answer
     */
    void answer(long deferral, int status, byte[] bytes, int length);
}
