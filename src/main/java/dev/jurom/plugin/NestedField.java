// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * A struct or tagged union within a C struct. Its inline parts follow those of the fields declared
 * before it.
 *
 * @param <R> the type of the records that the outer struct is packed from
 * @param <S> the type of the records that the inner struct is packed from
 */
public final class NestedField<R, S> extends Field<R> {

    private final Codec<S> codec;
    private final InlineStart inlineStart;
    private final Function<? super R, ? extends S> component;

    NestedField(
            String struct,
            String name,
            long offset,
            Codec<S> codec,
            InlineStart inlineStart,
            Function<? super R, ? extends S> component) {
        super(struct, name, offset, codec.size());
        this.codec = codec;
        this.inlineStart = inlineStart;
        this.component = component;
    }

    /**
     * Reads the inner struct.
     *
     * @param in an open view
     * @return its record
     * @throws CodecException if the bytes are not such a struct
     */
    public S get(MessageView in) {
        long at = in.at;
        long inline = in.inline;
        in.at = locate(in.message(), at);
        in.inline = inlineStart.of(in.message(), at, inline);
        S value = codec.read(in);
        in.at = at;
        in.inline = inline;
        return value;
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        codec.packFixed(component.apply(value), payload, at + offset());
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        return codec.packInline(component.apply(value), payload, at + offset(), inline);
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        return codec.checkInline(message, at + offset(), inline);
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
        return "struct " + codec.name() + " " + name() + ";";
    }

    @Override
    List<String> typeDeclarations() {
        return codec.declarations();
    }
}
