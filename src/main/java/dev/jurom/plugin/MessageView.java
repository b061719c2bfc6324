// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A reusable view of a packed message, through which fields are read.
 *
 * <p>{@link Codec#open} validates a message and opens the view on it. Fields are then read directly
 * from the message's bytes. With a reused view, unpacking allocates only the record. A view is not
 * thread-safe and owns no memory: reading after the message's arena was closed throws
 * {@link IllegalStateException}.
 */
public final class MessageView {

    @Nullable
    MemorySegment message;
    /** The offset of the current struct. */
    long at;
    /** The offset of the first inline part of that struct. */
    long inline;

    /** Creates a view without a message, which {@link Codec#open} provides. */
    public MessageView() {}

    void point(MemorySegment message, long at, long inline) {
        this.message = message;
        this.at = at;
        this.inline = inline;
    }

    MemorySegment message() {
        if (message == null) {
            throw new IllegalStateException("This MessageView has no message: call Codec.open first");
        }
        return message;
    }
}
