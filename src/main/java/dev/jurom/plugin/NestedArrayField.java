// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A fixed array of structs within a C struct. The inline parts are in the order of the elements.
 *
 * @param <R> the type of the records that the outer struct is packed from
 * @param <S> the type of the records that an element is packed from
 */
public final class NestedArrayField<R, S> extends Field<R> {

    private final Codec<S> codec;
    private final int count;
    private final InlineStart inlineStart;
    private final Function<? super R, ? extends List<? extends S>> component;

    NestedArrayField(
            String struct,
            String name,
            long offset,
            Codec<S> codec,
            int count,
            InlineStart inlineStart,
            Function<? super R, ? extends List<? extends S>> component) {
        super(struct, name, offset, codec.size() * count);
        this.codec = codec;
        this.count = count;
        this.inlineStart = inlineStart;
        this.component = component;
    }

    /**
     * Reads the array.
     *
     * @param in an open view
     * @return the records of the elements, an unmodifiable list
     * @throws CodecException if the bytes are not such structs
     */
    public List<S> get(MessageView in) {
        long at = in.at;
        long inline = in.inline;
        in.at = locate(in.message(), at);
        in.inline = inlineStart.of(in.message(), at, inline);
        var elements = new ArrayList<S>(count);
        for (int i = 0; i < count; i++) {
            long next = codec.checkInline(in.message(), in.at, in.inline);
            elements.add(codec.read(in));
            in.at += codec.size();
            in.inline = next;
        }
        in.at = at;
        in.inline = inline;
        return List.copyOf(elements);
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        List<? extends S> elements = component.apply(value);
        requireCount(at, "structs", count, elements.size());
        for (int i = 0; i < count; i++) {
            codec.packFixed(elements.get(i), payload, at + offset() + i * codec.size());
        }
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        List<? extends S> elements = component.apply(value);
        long end = inline;
        for (int i = 0; i < count; i++) {
            end = codec.packInline(elements.get(i), payload, at + offset() + i * codec.size(), end);
        }
        return end;
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        long end = inline;
        for (int i = 0; i < count; i++) {
            end = codec.checkInline(message, at + offset() + i * codec.size(), end);
        }
        return end;
    }

    @Override
    boolean hasInline() {
        return codec.hasInline();
    }

    @Override
    boolean takesRest() {
        return codec.takesRest();
    }

    @Override
    String declaration() {
        return "struct " + codec.name() + " " + name() + "[" + size() / codec.size() + "];";
    }

    @Override
    List<String> typeDeclarations() {
        return codec.declarations();
    }
}
