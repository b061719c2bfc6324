// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a C struct, declared with a {@link StructBuilder}. It writes its component of a record
 * at its offset and reads it back. Fields are immutable and thread-safe.
 *
 * @param <R> the type of the records that the struct is packed from
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
                InlineField,
                ArrayField,
                PrefixedField {

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
     * Returns the field's name.
     *
     * @return the name in C
     */
    public final String name() {
        return name;
    }

    /**
     * Returns the field's offset, {@code offsetof} in C. For an inline part, this is the end of the
     * fields before it.
     *
     * @return the offset in bytes from the start of its struct
     */
    public final long offset() {
        return offset;
    }

    /**
     * Returns the field's size in the fixed part.
     *
     * @return the size in bytes; 0 for an inline part
     */
    public final long size() {
        return size;
    }

    /** Returns {@code struct.field at offset N}. */
    @Override
    public final String toString() {
        return struct + "." + name + " at offset " + offset;
    }

    /** Returns the declaration in C. */
    abstract String declaration();

    /** Returns the declarations of the types of this field in C, in the order of their uses. */
    List<String> typeDeclarations() {
        return List.of();
    }

    /** Writes this field of a struct that begins at {@code at} and fits into the payload. */
    abstract void pack(R value, MemorySegment payload, long at);

    /** Writes the inline bytes of this field. Returns the offset of their end. */
    long packInline(R value, MemorySegment payload, long at, long inline) {
        return inline;
    }

    /** Requires that the message contains the inline bytes of this field. Returns their end. */
    long checkInline(MemorySegment message, long at, long inline) {
        return inline;
    }

    /** Returns whether this field has inline bytes. */
    boolean hasInline() {
        return false;
    }

    /** Returns whether its inline bytes extend to the end of the message. */
    boolean takesRest() {
        return false;
    }

    /** Returns the offset in the message, which contains the whole field. */
    final long locate(MemorySegment message, long at) {
        if (at < 0 || message.byteSize() - at < offset + size) {
            throw error(at, "its " + size + " bytes lie outside the message of " + message.byteSize());
        }
        return at + offset;
    }

    /** Requires that the record has as many elements as the array. */
    final void requireCount(long at, String elements, long count, long actual) {
        if (actual != count) {
            throw error(at, "holds exactly " + count + " " + elements + ", not " + actual);
        }
    }

    final CodecException error(long at, String problem) {
        return errorAt(at + offset, problem);
    }

    /** Creates an exception with the offset of inline bytes. */
    final CodecException errorAt(long place, String problem) {
        return new CodecException(struct + "." + name, place, problem);
    }

    /** Creates the exception of inline bytes that do not fit into the payload. */
    final CodecException tooLongAt(long place, String problem) {
        return CodecException.tooLong(struct + "." + name, place, problem);
    }

    final CodecException error(long at, String problem, @Nullable Throwable cause) {
        return new CodecException(struct + "." + name, at + offset, problem, cause);
    }
}
