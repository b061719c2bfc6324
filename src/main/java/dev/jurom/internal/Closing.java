// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.io.Serial;
import java.util.concurrent.CompletableFuture;

/** The close of an object on the engine thread, which can be repeated if it fails. This class is thread-safe. */
public final class Closing {

    /** Thrown if an operation was not begun because its object is closed, or about to be. */
    public static final class ClosedException extends IllegalStateException {

        @Serial
        private static final long serialVersionUID = 1L;

        /**
         * Creates an exception.
         *
         * @param object the object, which the message names
         */
        public ClosedException(Object object) {
            super(object + " is closed");
        }

        ClosedException(ClosedException ofOtherThread) {
            super(ofOtherThread.getMessage(), ofOtherThread);
        }
    }

    private CompletableFuture<Void> attempt = new CompletableFuture<>(); // guarded by this

    /** Creates a close that has not begun. */
    public Closing() {}

    /**
     * Returns the attempt to wait for. Begins a new one if the last one has failed.
     *
     * @return a future that completes when the object is closed, or with the reason of the failure;
     *         only a copy of it may be completed by the caller
     */
    public synchronized CompletableFuture<Void> attempt() {
        if (attempt.isCompletedExceptionally()) {
            attempt = new CompletableFuture<>();
        }
        return attempt;
    }

    /**
     * Returns whether the object is closed.
     *
     * @return false before the end of a successful attempt
     */
    public synchronized boolean isEnded() {
        return attempt.isDone() && !attempt.isCompletedExceptionally();
    }

    /**
     * Returns whether the last attempt has failed.
     *
     * @return true until another attempt begins
     */
    public synchronized boolean hasFailed() {
        return attempt.isCompletedExceptionally();
    }

    /** Ends the attempt: the object is closed. */
    public synchronized void ended() {
        attempt.complete(null);
    }

    /**
     * Ends the attempt: a step of it has failed.
     *
     * @param reason the exception of the step
     */
    public synchronized void failed(Throwable reason) {
        attempt.completeExceptionally(reason);
    }
}
