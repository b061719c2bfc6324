// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What somebody waits for: an answer, or why there is none. It is settled once a turn, by whoever
 * comes first: the command's completion, a deadline, or who gives up waiting. All may be asked by
 * any thread.
 */
sealed interface Reply extends BooleanSupplier permits DrivenFuture, CallReply {

    /** Whether what came of it can be seen. */
    boolean isDone();

    /** Whether it is settled, or is being settled: what whoever drives the engine waits for. */
    @Override
    default boolean getAsBoolean() {
        return isDone();
    }

    /** Tells what is waited for now from what the same object was waited for earlier. */
    long turn();

    /** When it is too late; null for what has the usual time, until a sweep sees it. */
    @Nullable Deadline deadline();

    /** Sets when it is too late, unless that is known. */
    void limit(Deadline usual);

    /** Settles it with a failure; no effect if it is settled, or another turn has come. */
    void fail(long turn, Throwable reason);

    /** Says that the calling thread will be parked until this is done; false if another is. */
    boolean beginSleep();

    /** Says that the calling thread, which has begun to, sleeps no more. */
    void endSleep();

    /** Sleeps until this is done, for some time, without driving the engine or being told to. */
    void sleep(long nanoseconds);
}
