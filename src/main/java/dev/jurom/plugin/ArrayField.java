// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A fixed array in a C struct that is an array of a primitive type in Java.
 *
 * @param <R> the type of the records that the struct is packed from
 */
final class ArrayField<R> extends Field<R> {

    /**
     * A type of elements.
     *
     * @param name its name in C
     * @param layout its layout, without a requirement of alignment
     * @param array creates an array
     */
    record Elements(String name, ValueLayout layout, IntFunction<?> array) {}

    private final Elements elements;
    private final int count;
    private final Function<? super R, ?> component;

    ArrayField(
            String struct, String name, long offset, Elements elements, int count, Function<? super R, ?> component) {
        super(struct, name, offset, elements.layout().byteSize() * count);
        this.elements = elements;
        this.count = count;
        this.component = component;
    }

    /** Returns a copy of the elements. */
    Object get(MessageView in) {
        var array = elements.array().apply(count);
        MemorySegment.copy(in.message(), elements.layout(), locate(in.message(), in.at), array, 0, count);
        return array;
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        var array = component.apply(value);
        requireCount(at, "elements", count, Array.getLength(array));
        MemorySegment.copy(array, 0, payload, elements.layout(), at + offset(), count);
    }

    @Override
    String declaration() {
        return elements.name() + " " + name() + "[" + count + "];";
    }
}
