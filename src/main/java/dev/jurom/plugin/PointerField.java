// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/**
 * A pointer of a C struct that stands for inline bytes. Its value means nothing to the receiver,
 * who puts his own pointer in its place, except that some protocols tell NULL from the rest: it
 * travels as 0 for NULL and 1 for what is there.
 *
 * @param <R> the record that the struct is packed from
 */
public final class PointerField<R> extends Field<R> {

    private final Predicate<? super R> present;

    PointerField(String struct, String name, long offset, Predicate<? super R> present) {
        super(struct, name, offset, CInteger.U64.size());
        this.present = present;
    }

    /**
     * Whether the pointer is NULL.
     *
     * @param in an open view
     * @return whether it is NULL
     * @throws CodecException if the message is too short to have the field
     */
    public boolean isNull(MessageView in) {
        return isNull(in.message(), in.at);
    }

    /**
     * Whether the pointer is NULL, where it lies.
     *
     * @param message the message
     * @param at where the struct begins in it, in bytes
     * @return whether it is NULL
     * @throws CodecException if the field lies outside the message
     */
    public boolean isNull(MemorySegment message, long at) {
        return CInteger.U64.read(message, locate(message, at)) == 0;
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        CInteger.U64.write(payload, at + offset(), present.test(value) ? 1 : 0);
    }
}
