// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One field of a C struct, declared with a {@link StructBuilder}: it knows its offset, writes its
 * component of a record and reads it back. Fields are immutable.
 *
 * @param <R> the record that the struct is packed from
 */
public abstract sealed class Field<R>
        permits IntegerField,
                IntegersField,
                FloatingField,
                BytesField,
                TextField,
                PointerField,
                NestedField,
                NestedArrayField,
                InlineField {

    private final String struct;
    private final String name;
    private final long offset;
    private final long size;

    Field(String struct, String name, long offset, long size) {
        this.struct = struct;
        this.name = name;
        this.offset = offset;
        this.size = size;
    }

    /**
     * The field's name.
     *
     * @return the name, as it is in C
     */
    public final String name() {
        return name;
    }

    /**
     * Where the field lies: what {@code offsetof} says in C. For an inline part, the size of all
     * fields before it.
     *
     * @return the offset in bytes from the start of its struct
     */
    public final long offset() {
        return offset;
    }

    /**
     * The field's size in the fixed part.
     *
     * @return the size in bytes; 0 for an inline part
     */
    public final long size() {
        return size;
    }

    /** {@code struct.field at offset N}. */
    @Override
    public final String toString() {
        return struct + "." + name + " at offset " + offset;
    }

    /** Writes this field of a struct that begins at {@code at}, where there is room for it. */
    abstract void pack(R value, MemorySegment payload, long at);

    /** Writes the inline bytes that belong to this field; returns where they end. */
    long packInline(R value, MemorySegment payload, long at, long inline) {
        return inline;
    }

    /** Checks that the inline bytes that belong to this field are there; returns where they end. */
    long checkInline(MemorySegment message, long at, long inline) {
        return inline;
    }

    /** Whether inline bytes belong to this field. */
    boolean hasInline() {
        return false;
    }

    /** Whether those inline bytes are whatever remains of the message. */
    boolean takesRest() {
        return false;
    }

    /** The offset in the message, once known to be within it. */
    final long locate(MemorySegment message, long at) {
        if (at < 0 || message.byteSize() - at < offset + size) {
            throw error(at, "its " + size + " bytes lie outside the message of " + message.byteSize());
        }
        return at + offset;
    }

    /** Says that there are {@code actual} elements where the array has {@code count}. */
    final void requireCount(long at, String elements, long count, long actual) {
        if (actual != count) {
            throw error(at, "holds exactly " + count + " " + elements + ", not " + actual);
        }
    }

    final CodecException error(long at, String problem) {
        return errorAt(at + offset, problem);
    }

    /** An error at an offset of its own, as inline bytes have. */
    final CodecException errorAt(long place, String problem) {
        return new CodecException(struct + "." + name, place, problem);
    }

    /** The error of inline bytes that are longer than the payload. */
    final CodecException tooLongAt(long place, String problem) {
        return CodecException.tooLong(struct + "." + name, place, problem);
    }

    final CodecException error(long at, String problem, @Nullable Throwable cause) {
        return new CodecException(struct + "." + name, at + offset, problem, cause);
    }
}
