// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.function.ToLongFunction;

/**
 * An integer of a C struct.
 *
 * @param <R> the record that the struct is packed from
 */
public final class IntegerField<R> extends Field<R> {

    private final CInteger type;
    private final ToLongFunction<? super R> component;

    IntegerField(String struct, String name, long offset, CInteger type, ToLongFunction<? super R> component) {
        super(struct, name, offset, type.size());
        this.type = type;
        this.component = component;
    }

    /**
     * The field's C type.
     *
     * @return the type
     */
    public CInteger type() {
        return type;
    }

    /**
     * Reads the field of the struct that a view points at.
     *
     * @param in an open view
     * @return the value; its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the message is too short to have the field
     */
    public long get(MessageView in) {
        return get(in.message(), in.at);
    }

    /**
     * Reads the field as a number of the full range of its C type.
     *
     * @param in an open view
     * @return the value: for {@link CInteger#U64} 0 to 2<sup>64</sup> - 1
     * @throws CodecException if the message is too short to have the field
     */
    public BigInteger getBigInteger(MessageView in) {
        return type.toBigInteger(get(in));
    }

    /**
     * Reads the field as an {@code int}.
     *
     * @param in an open view
     * @return the value
     * @throws CodecException if the value is not an {@code int}, which can happen for types of 32
     *     bits without sign and for those of 64 bits
     */
    public int getInt(MessageView in) {
        long value = get(in);
        if (value != (int) value) {
            throw error(in.at, value + " does not fit into a Java int");
        }
        return (int) value;
    }

    /**
     * Reads the field where it lies, without a codec's check of the whole message.
     *
     * @param message the message
     * @param at where the struct begins in it, in bytes
     * @return the value; its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the field lies outside the message
     */
    public long get(MemorySegment message, long at) {
        return type.read(message, locate(message, at));
    }

    /**
     * Writes the field where it lies, without a record.
     *
     * @param message the message
     * @param at where the struct begins in it, in bytes
     * @param value the value; its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the field lies outside the message, or its type does not hold the
     *     value
     */
    public void set(MemorySegment message, long at, long value) {
        long offset = locate(message, at);
        if (!type.holds(value)) {
            throw error(at, value + " does not fit into " + type.range());
        }
        type.write(message, offset, value);
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        set(payload, at, component.applyAsLong(value));
    }
}
