// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.CommandEvent;
import org.jspecify.annotations.Nullable;

/** Receives the response of a command for which no thread waits in C. */
sealed interface Receiver permits PendingAnswer, ParkedCall {

    /** Returns whether the response is not needed any more. */
    boolean isDone();

    /** Returns whether a queued command is to be submitted now; called once. */
    boolean begin();

    /** Sets the event of the command, before it is submitted. */
    void record(@Nullable CommandEvent begun);

    /** Receives the response, on the engine thread, before the slot is freed. */
    void receive(CommandSlot slot);

    /** Receives the reason why a command was not submitted. Throws nothing. */
    void fail(Throwable reason);
}
