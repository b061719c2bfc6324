// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An inline part of a message: bytes of variable length that follow the fixed part and the inline
 * parts declared before it, without alignment and padding.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class InlineField<R> extends Field<R> {

    private final InlineStart inlineStart;
    private final Function<? super R, MemorySegment> component;
    /** Null if the part extends to the end of the message. */
    private final @Nullable InlineLength length;

    InlineField(
            String struct,
            String name,
            long offset,
            InlineStart inlineStart,
            Function<? super R, MemorySegment> component,
            @Nullable InlineLength length) {
        super(struct, name, offset, 0);
        this.inlineStart = inlineStart;
        this.component = component;
        this.length = length;
    }

    /**
     * Returns the bytes.
     *
     * @param in an open view
     * @return a slice of the message, valid as long as the message's memory
     * @throws CodecException if they extend beyond the end of the message
     */
    public MemorySegment get(MessageView in) {
        long start = inlineStart.of(in.message(), in.at, in.inline);
        return in.message().asSlice(start, checkInline(in.message(), in.at, start) - start);
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        // Another field has the length, and packInline writes the bytes.
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        MemorySegment bytes = Objects.requireNonNull(component.apply(value), name());
        long count = bytes.byteSize();
        long announced = length == null ? count : length.of(payload, at);
        if (count != announced) {
            throw errorAt(
                    inline, "has " + count + " bytes where the struct announces " + Long.toUnsignedString(announced));
        }
        if (count > payload.byteSize() - inline) {
            throw tooLongAt(
                    inline,
                    "its " + count + " bytes do not fit into the "
                            + (payload.byteSize() - inline) + " that remain of the payload of "
                            + payload.byteSize());
        }
        MemorySegment.copy(bytes, 0, payload, inline, count);
        return inline + count;
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        if (length == null) {
            return message.byteSize();
        }
        long announced = length.of(message, at);
        long left = message.byteSize() - inline;
        if (Long.compareUnsigned(announced, left) > 0) {
            throw errorAt(
                    inline,
                    "the struct announces " + Long.toUnsignedString(announced) + " bytes, but " + left
                            + " remain of the message of " + message.byteSize());
        }
        return inline + announced;
    }

    @Override
    boolean hasInline() {
        return true;
    }

    @Override
    boolean takesRest() {
        return length == null;
    }

    @Override
    String declaration() {
        return "/* " + name() + ": bytes behind the struct */";
    }
}
