// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/**
 * A pointer of a C struct that represents inline bytes. The receiver replaces it by its own pointer,
 * but some protocols distinguish NULL from other values. The message contains 0 for NULL, otherwise
 * 1.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class PointerField<R> extends Field<R> {

    private final Predicate<? super R> present;

    PointerField(String struct, String name, long offset, Predicate<? super R> present) {
        super(struct, name, offset, CInteger.U64.size());
        this.present = present;
    }

    /**
     * Returns whether the pointer is NULL.
     *
     * @param in an open view
     * @return true if it is
     * @throws CodecException if the message ends before the field
     */
    public boolean isNull(MessageView in) {
        return isNull(in.message(), in.at);
    }

    /**
     * Returns whether the pointer of a message that no codec has validated is NULL.
     *
     * @param message the message
     * @param at the offset of the struct in it, in bytes
     * @return true if it is
     * @throws CodecException if the field is outside the message
     */
    public boolean isNull(MemorySegment message, long at) {
        return CInteger.U64.read(message, locate(message, at)) == 0;
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        CInteger.U64.write(payload, at + offset(), present.test(value) ? 1 : 0);
    }

    @Override
    String declaration() {
        return "void *" + name() + ";";
    }
}
