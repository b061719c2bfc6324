// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.function.ToLongFunction;

/**
 * An integer of a C struct.
 *
 * @param <R> the type of the records that the struct is packed from
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
     * Returns the field's C type.
     *
     * @return the type
     */
    public CInteger type() {
        return type;
    }

    /**
     * Reads the field.
     *
     * @param in an open view
     * @return the value, as its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the message ends before the field
     */
    public long get(MessageView in) {
        return get(in.message(), in.at);
    }

    /**
     * Reads the field in the full range of its C type.
     *
     * @param in an open view
     * @return the value, 0 to 2<sup>64</sup> - 1 for {@link CInteger#U64}
     * @throws CodecException if the message ends before the field
     */
    public BigInteger getBigInteger(MessageView in) {
        return type.toBigInteger(get(in));
    }

    /**
     * Reads the field as an {@code int}.
     *
     * @param in an open view
     * @return the value
     * @throws CodecException if the value is out of the range of {@code int}, which is possible for
     *     {@link CInteger#U32} and the types of 64 bits
     */
    public int getInt(MessageView in) {
        long value = get(in);
        if (value != (int) value) {
            throw error(in.at, value + " does not fit into a Java int");
        }
        return (int) value;
    }

    /**
     * Reads the field of a message that no codec has validated.
     *
     * @param message the message
     * @param at the offset of the struct in it, in bytes
     * @return the value, as its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the field is outside the message
     */
    public long get(MemorySegment message, long at) {
        return type.read(message, locate(message, at));
    }

    /**
     * Writes the field without a record.
     *
     * @param message the message
     * @param at the offset of the struct in it, in bytes
     * @param value the value, as its bits if the type is {@link CInteger#U64}
     * @throws CodecException if the field is outside the message, or the value is out of the range of
     *     its type
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

    @Override
    String declaration() {
        return type.inC() + " " + name() + ";";
    }
}
