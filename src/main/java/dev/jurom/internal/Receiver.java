// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.CommandEvent;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Receives the response of a command for which no thread waits in C. */
sealed interface Receiver permits PendingAnswer, ParkedCall {

    /** The response in a slot, which is valid until the slot is freed. */
    interface Response {

        /** Returns whether the command was successful. */
        boolean isSuccess();

        /** Returns a view of the response. */
        MemorySegment response();

        /** Returns the outcome of the command, with a copy of the response. */
        CommandEnd end();

        /** Ends the event of the command. The flag states whether the response is needed. */
        void record(CommandEvent event, boolean isWanted);
    }

    /** The slot of a command that was sent. */
    interface Sent {

        /** Nanoseconds for which a thread drives that must not wait in C: others need its carrier or its place in a pool. */
        long BRIEF = 100_000;

        /** Nanoseconds until a thread that waits in C detects an interrupt, at most. */
        long UNINTERRUPTED = 20_000_000;

        /** Returns a state of the current use, for its owner: identifies the use to {@link #cancel}. */
        long state();

        /** Requests the cancellation of the command of a use, which the engine thread receives. Thread-safe. */
        void cancel(long state);

        /**
         * Waits for the command of a use instead of the engine thread, and drives the engine meanwhile. If it is done, its
         * receiver has the response, which is to be delivered, and the slot is free. Thread-safe.
         *
         * @param state a state of the use
         * @param nanoseconds the maximum time
         * @param maySleep false to return instead of sleeping
         * @return false if the engine thread or another one receives the command, also because the current thread is
         *         interrupted or the receiver is done
         */
        boolean await(long state, long nanoseconds, boolean maySleep);
    }

    /** Returns whether the response is no longer needed. */
    boolean isDone();

    /** Returns whether a queued command is to be submitted now; called once. */
    boolean begin();

    /** Sets the event of the command, before it is submitted. */
    void record(@Nullable CommandEvent begun);

    /** Records the use of a slot by its command, which is about to be submitted or left. Called by its owner. */
    void sent(Sent slot);

    /** Requests the cancellation of the command that was sent if its answer is no longer needed. */
    void cancelIfOver();

    /**
     * Copies or unpacks the response before the slot is freed.
     *
     * @param isWaiting whether the current thread waits for the response; otherwise, it is the engine thread
     */
    void receive(Response response, boolean isWaiting);

    /** Passes the response on, after the slot was freed. Throws nothing. */
    void deliver();

    /** Receives the reason why a command was not submitted. Throws nothing. */
    void fail(Throwable reason);
}
