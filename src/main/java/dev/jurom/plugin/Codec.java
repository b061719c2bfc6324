// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Packs records into the layout of a C struct on a 64-bit machine, and unpacks them.
 *
 * <p>A message consists of the struct, with C's alignment and padding, and its inline parts: the
 * variable-length bytes that the struct's pointers represent, in the order of their declaration,
 * without alignment or padding between them. Bytes that no field covers are zero.
 *
 * <p>Codecs are immutable and thread-safe. The caller owns the memory. Packing allocates no memory;
 * unpacking allocates the record, the {@link MemorySegment} of each inline part (a slice of the
 * message, not a copy) and, unless the caller passes one, a {@link MessageView}.
 *
 * @param <R> the type of the records
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
     * Returns the struct's name.
     *
     * @return the name in C
     */
    public final String name() {
        return name;
    }

    /**
     * Returns the size of the fixed part, {@code sizeof} in C.
     *
     * @return the size in bytes, including trailing padding
     */
    public final long size() {
        return size;
    }

    /**
     * Returns the struct's alignment, {@code _Alignof} in C. Messages need not be aligned.
     *
     * @return the alignment in bytes
     */
    public final long alignment() {
        return alignment;
    }

    /**
     * Packs a record at the start of a segment.
     *
     * <p>The source of an inline part must not overlap the segment, unless it already is at its
     * final position. After an exception the contents of the segment are unspecified.
     *
     * @param value the record
     * @param payload the segment, such as a command task's payload; it need not be aligned
     * @return the length of the message in bytes, to be set as the payload's data length
     * @throws CodecException if the segment is too small, or a value is out of the range of its C type
     */
    public final long pack(R value, MemorySegment payload) {
        return packAt(value, payload, 0);
    }

    /**
     * Unpacks a message.
     *
     * @param message a segment that contains exactly the message
     * @return the record; its inline parts are slices of the message
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final R unpack(MemorySegment message) {
        return unpack(message, new MessageView());
    }

    /**
     * Unpacks a message through a reused view. Allocates only the record and the slices of its inline
     * parts.
     *
     * @param message a segment that contains exactly the message
     * @param view a view that no other thread uses
     * @return the record; its inline parts are slices of the message
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final R unpack(MemorySegment message, MessageView view) {
        open(message, view);
        return read(view);
    }

    /**
     * Validates a message and opens a view on it, through which single fields can be read without a
     * record and without allocation.
     *
     * @param message a segment that contains exactly the message
     * @param view the view to be opened
     * @throws CodecException if the bytes are not a message of this codec
     */
    public final void open(MemorySegment message, MessageView view) {
        requireEnd(checkAt(message, 0), message);
        view.point(message, 0, size);
    }

    /** Requires that a message ends where its last part ends. */
    final void requireEnd(long end, MemorySegment message) {
        if (end != message.byteSize()) {
            throw new CodecException(
                    name, 0, "the message should end after " + end + " bytes, but has " + message.byteSize());
        }
    }

    /** Packs a message that begins at {@code at}. Returns the offset of its end. */
    final long packAt(R value, MemorySegment payload, long at) {
        clearFixed(payload, at);
        packFixed(value, payload, at);
        return packInline(value, payload, at, at + size);
    }

    /** Validates a message that begins at {@code at}. Returns the offset of its end. */
    final long checkAt(MemorySegment message, long at) {
        requireRoom(message, at, "the message");
        return checkInline(message, at, at + size);
    }

    /**
     * Returns the declarations of the structs of messages in C.
     *
     * @return the text of each declaration; a struct is declared before the structs that contain it
     * @throws UnsupportedOperationException if messages contain a tagged union or a sequence
     */
    public List<String> declarations() {
        throw new UnsupportedOperationException(
                name + " is no struct: only structs, and those within them, have a declaration in C");
    }

    /** Writes the fixed part, whose bytes the caller has zeroed. */
    abstract void packFixed(R value, MemorySegment payload, long at);

    /** Writes the inline parts, the first at {@code inline}. Returns the offset of their end. */
    abstract long packInline(R value, MemorySegment payload, long at, long inline);

    /** Requires that the inline parts are within the message. Returns the offset of their end. */
    abstract long checkInline(MemorySegment message, long at, long inline);

    /** Reads the record through a view whose position is this codec's struct. */
    abstract R read(MessageView view);

    /** Returns whether messages have inline parts. */
    abstract boolean hasInline();

    /**
     * Returns whether the last inline part extends to the end of the message.
     *
     * @return true if bytes after a message would belong to it
     */
    public abstract boolean takesRest();

    /** Requires that the fixed part of a message that begins at {@code at} is within the segment. */
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
