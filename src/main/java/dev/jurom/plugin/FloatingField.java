// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.function.ToDoubleFunction;

/**
 * A {@code float} or {@code double} of a C struct. Packing a {@code double} into a {@code float} rounds
 * it like a cast.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class FloatingField<R> extends Field<R> {

    private final ToDoubleFunction<? super R> component;

    FloatingField(String struct, String name, long offset, int size, ToDoubleFunction<? super R> component) {
        super(struct, name, offset, size);
        this.component = component;
    }

    /**
     * Reads the field.
     *
     * @param in an open view
     * @return the value
     * @throws CodecException if the message ends before the field
     */
    public double get(MessageView in) {
        long offset = locate(in.message(), in.at);
        return size() == Float.BYTES
                ? in.message().get(JAVA_FLOAT_UNALIGNED, offset)
                : in.message().get(JAVA_DOUBLE_UNALIGNED, offset);
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        double number = component.applyAsDouble(value);
        if (size() == Float.BYTES) {
            payload.set(JAVA_FLOAT_UNALIGNED, at + offset(), (float) number);
        } else {
            payload.set(JAVA_DOUBLE_UNALIGNED, at + offset(), number);
        }
    }

    @Override
    String declaration() {
        return (size() == Float.BYTES ? "float " : "double ") + name() + ";";
    }
}
