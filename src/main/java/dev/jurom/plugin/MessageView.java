// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A reusable window on one packed message, through which fields are read.
 *
 * <p>{@link Codec#open} checks a message and points the view at it; fields then read straight from
 * the message's bytes. A view that is used again and again makes unpacking free of allocation but
 * for the record itself. It belongs to one thread at a time, owns no memory, and is of no use once
 * the message's memory is gone ({@link IllegalStateException}).
 */
public final class MessageView {

    @Nullable
    MemorySegment message;
    /** Where the struct begins that is being read. */
    long at;
    /** Where the first inline part of that struct begins. */
    long inline;

    /** A view of nothing: point it at a message with {@link Codec#open}. */
    public MessageView() {}

    void point(MemorySegment message, long at, long inline) {
        this.message = message;
        this.at = at;
        this.inline = inline;
    }

    MemorySegment message() {
        if (message == null) {
            throw new IllegalStateException("This MessageView sees no message: open one with Codec.open first");
        }
        return message;
    }
}
