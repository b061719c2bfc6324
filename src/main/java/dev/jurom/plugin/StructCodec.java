// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * Packs records of one type into a C struct. A {@link StructBuilder} creates it.
 *
 * @param <R> the type of the records
 */
public final class StructCodec<R> extends Codec<R> {

    private final List<Field<R>> fields;
    private final List<Field<R>> inlineFields;
    private final Function<? super MessageView, ? extends R> unpacker;

    StructCodec(
            String name,
            long size,
            long alignment,
            List<Field<R>> fields,
            Function<? super MessageView, ? extends R> unpacker) {
        super(name, size, alignment);
        this.fields = List.copyOf(fields);
        this.inlineFields = fields.stream().filter(Field::hasInline).toList();
        this.unpacker = unpacker;
    }

    /**
     * Returns the struct's fields and inline parts.
     *
     * @return an unmodifiable list, in the order of declaration
     */
    public List<Field<R>> fields() {
        return fields;
    }

    @Override
    void packFixed(R value, MemorySegment payload, long at) {
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).pack(value, payload, at);
        }
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        long end = inline;
        for (int i = 0; i < inlineFields.size(); i++) {
            end = inlineFields.get(i).packInline(value, payload, at, end);
        }
        return end;
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        long end = inline;
        for (int i = 0; i < inlineFields.size(); i++) {
            end = inlineFields.get(i).checkInline(message, at, end);
        }
        return end;
    }

    @Override
    R read(MessageView view) {
        try {
            return unpacker.apply(view);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CodecException(name(), view.at, "its record rejects the values: " + e.getMessage(), e);
        }
    }

    @Override
    boolean hasInline() {
        return !inlineFields.isEmpty();
    }

    @Override
    public boolean takesRest() {
        return inlineFields.stream().anyMatch(Field::takesRest);
    }
}
