// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * A fixed array of bytes in a C struct: {@code uint8_t field[N]}.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class BytesField<R> extends Field<R> {

    private final Function<? super R, byte[]> component;

    BytesField(String struct, String name, long offset, int count, Function<? super R, byte[]> component) {
        super(struct, name, offset, count);
        this.component = component;
    }

    /**
     * Returns a copy of the bytes.
     *
     * @param in an open view
     * @return a new array
     * @throws CodecException if the message ends before the field
     */
    public byte[] get(MessageView in) {
        long offset = locate(in.message(), in.at);
        var bytes = new byte[(int) size()];
        MemorySegment.copy(in.message(), JAVA_BYTE, offset, bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        byte[] bytes = component.apply(value);
        requireCount(at, "bytes", size(), bytes.length);
        MemorySegment.copy(bytes, 0, payload, JAVA_BYTE, at + offset(), bytes.length);
    }

    @Override
    String declaration() {
        return "uint8_t " + name() + "[" + size() + "];";
    }
}
