// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.function.Function;

/**
 * A fixed array of integers in a C struct.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class IntegersField<R> extends Field<R> {

    private final CInteger type;
    private final int count;
    private final Function<? super R, long[]> component;

    IntegersField(
            String struct, String name, long offset, CInteger type, int count, Function<? super R, long[]> component) {
        super(struct, name, offset, (long) type.size() * count);
        this.type = type;
        this.count = count;
        this.component = component;
    }

    /**
     * Reads the array.
     *
     * @param in an open view
     * @return a new array
     * @throws CodecException if the message ends before the field
     */
    public long[] get(MessageView in) {
        var values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = get(in, i);
        }
        return values;
    }

    /**
     * Reads an element.
     *
     * @param in an open view
     * @param index the element's index, from 0
     * @return the value, as its bits if the type is {@link CInteger#U64}
     * @throws IndexOutOfBoundsException if the array has no such element
     * @throws CodecException if the message ends before the field
     */
    public long get(MessageView in, int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("Index " + index + " is not in the " + count + " elements of " + this);
        }
        long offset = locate(in.message(), in.at);
        return type.read(in.message(), offset + (long) index * type.size());
    }

    /**
     * Reads an element in the full range of its C type.
     *
     * @param in an open view
     * @param index the element's index, from 0
     * @return the value, 0 to 2<sup>64</sup> - 1 for {@link CInteger#U64}
     * @throws IndexOutOfBoundsException if the array has no such element
     * @throws CodecException if the message ends before the field
     */
    public BigInteger getBigInteger(MessageView in, int index) {
        return type.toBigInteger(get(in, index));
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        long[] values = component.apply(value);
        requireCount(at, "integers", count, values.length);
        for (int i = 0; i < count; i++) {
            if (!type.holds(values[i])) {
                throw error(at, "element " + i + ": " + values[i] + " does not fit into " + type.range());
            }
            type.write(payload, at + offset() + (long) i * type.size(), values[i]);
        }
    }

    @Override
    String declaration() {
        return type.inC() + " " + name() + "[" + size() / type.size() + "];";
    }
}
