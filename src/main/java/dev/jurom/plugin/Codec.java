// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Packs records into the bytes that a C struct has on a 64-bit machine, and unpacks them.
 *
 * <p>A message is the struct itself, with C's alignment and padding, followed by its inline parts:
 * the variable-length bytes that the struct's pointers stand for, one after the other in the order
 * of their declaration, without alignment or padding between them. What no field covers is zero.
 *
 * <p>Codecs are immutable and may be used from any thread. The memory is always the caller's.
 * Packing allocates nothing of its own; unpacking allocates the record, the {@link MemorySegment}
 * of each inline part (a slice of the message, not a copy) and, unless one is passed, a
 * {@link MessageView}.
 *
 * @param <R> the records that it packs
 */
public abstract sealed class Codec<R> permits StructCodec, UnionCodec, SequenceCodec {

    private final String name;
    private final long size;
    private final long alignment;

    Codec(String name, long size, long alignment) {
        this.name = name;
        this.size = size;
        this.alignment = alignment;
    }

    /**
     * The struct's name.
     *
     * @return the name, as it is in C
     */
    public final String name() {
        return name;
    }

    /**
     * The size of the fixed part: what {@code sizeof} says in C.
     *
     * @return the size in bytes, trailing padding included
     */
    public final long size() {
        return size;
    }

    /**
     * The struct's alignment: what {@code _Alignof} says in C. Messages themselves need none.
     *
     * @return the alignment in bytes
     */
    public final long alignment() {
        return alignment;
    }

    /**
     * Packs a record at the start of a segment.
     *
     * <p>Inline bytes may lie in the segment already only in the very place where they belong.
     * After an exception the segment's bytes are unspecified.
     *
     * @param value the record
     * @param payload where it goes, for instance a command task's payload; it need not be aligned
     * @return the length of the message in bytes: what to set as the payload's data length
     * @throws CodecException if the segment is too small, or the C type of a field does not hold
     *     its value
     */
    public final long pack(R value, MemorySegment payload) {
        return packAt(value, payload, 0);
    }

    /**
     * Unpacks a message.
     *
     * @param message exactly the message, no byte less or more
     * @return the record; its inline parts are slices of the message
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final R unpack(MemorySegment message) {
        return unpack(message, new MessageView());
    }

    /**
     * Unpacks a message through a view that is used again: nothing but the record and the slices of
     * its inline parts is allocated.
     *
     * @param message exactly the message, no byte less or more
     * @param view any view that no other thread uses
     * @return the record; its inline parts are slices of the message
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final R unpack(MemorySegment message, MessageView view) {
        open(message, view);
        return read(view);
    }

    /**
     * Checks a message and points a view at it, so that fields can be read one by one with no
     * record and no allocation.
     *
     * @param message exactly the message, no byte less or more
     * @param view the view that will see it
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final void open(MemorySegment message, MessageView view) {
        requireEnd(checkAt(message, 0), message);
        view.point(message, 0, size);
    }

    /** Checks that a message ends where its parts do. */
    final void requireEnd(long end, MemorySegment message) {
        if (end != message.byteSize()) {
            throw new CodecException(
                    name, 0, "the message should end after " + end + " bytes, but has " + message.byteSize());
        }
    }

    /** Packs a message that begins at {@code at}; returns where it ends. */
    final long packAt(R value, MemorySegment payload, long at) {
        clearFixed(payload, at);
        packFixed(value, payload, at);
        return packInline(value, payload, at, at + size);
    }

    /** Checks a message that begins at {@code at}; returns where it ends. */
    final long checkAt(MemorySegment message, long at) {
        requireRoom(message, at, "the message");
        return checkInline(message, at, at + size);
    }

    /** Writes the fixed part, for which there is room and which is zeroed. */
    abstract void packFixed(R value, MemorySegment payload, long at);

    /** Writes the inline parts from {@code inline} on; returns where they end. */
    abstract long packInline(R value, MemorySegment payload, long at, long inline);

    /** Checks that the inline parts lie within the message; returns where they end. */
    abstract long checkInline(MemorySegment message, long at, long inline);

    /** Reads the record from a view that points at this codec's struct. */
    abstract R read(MessageView view);

    /** Whether its messages have inline parts. */
    abstract boolean hasInline();

    /**
     * Whether the last inline part is whatever remains of the message.
     *
     * @return whether bytes behind a message would belong to it
     */
    public abstract boolean takesRest();

    /** Checks that the fixed part of a message that begins at {@code at} is within the segment. */
    final void requireRoom(MemorySegment segment, long at, String what) {
        if (segment.byteSize() - at < size) {
            throw new CodecException(name, at, lacking(segment, at, what));
        }
    }

    private String lacking(MemorySegment segment, long at, String what) {
        return "its " + size + " bytes do not fit into the " + (segment.byteSize() - at) + " that remain of " + what
                + " of " + segment.byteSize();
    }

    /** Zeroes the fixed part of a message that begins at {@code at}. */
    final void clearFixed(MemorySegment payload, long at) {
        if (payload.byteSize() - at < size) {
            throw CodecException.tooLong(name, at, lacking(payload, at, "the payload"));
        }
        long offset = at;
        for (; offset + Long.BYTES <= at + size; offset += Long.BYTES) {
            payload.set(JAVA_LONG_UNALIGNED, offset, 0);
        }
        for (; offset < at + size; offset++) {
            payload.set(JAVA_BYTE, offset, (byte) 0);
        }
    }
}
