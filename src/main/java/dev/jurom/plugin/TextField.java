// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.util.function.Function;

/**
 * A string in a C struct: {@code char field[N]}, encoded in UTF-8, terminated by a NUL and padded with
 * NULs.
 *
 * <p>Packing allocates memory only for a string with characters other than ASCII.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class TextField<R> extends Field<R> {

    private final Function<? super R, String> component;

    TextField(String struct, String name, long offset, int capacity, Function<? super R, String> component) {
        super(struct, name, offset, capacity);
        this.component = component;
    }

    /**
     * Reads the string.
     *
     * @param in an open view
     * @return the characters before the first NUL
     * @throws CodecException if there is no NUL, or the bytes before it are not UTF-8
     */
    public String get(MessageView in) {
        long offset = locate(in.message(), in.at);
        int length = 0;
        while (in.message().get(JAVA_BYTE, offset + length) != 0) {
            length++;
            if (length == size()) {
                throw error(in.at, "no NUL terminates the text within its " + size() + " bytes");
            }
        }
        try {
            return Utf8.decode(in.message(), offset, length);
        } catch (CharacterCodingException e) {
            throw error(in.at, "its " + length + " bytes of text are not UTF-8", e);
        }
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        String text = component.apply(value);
        if (text.indexOf('\0') >= 0) {
            throw error(at, "the text has a NUL at index " + text.indexOf('\0') + ", which would terminate it");
        }
        if (text.length() < size() && Utf8.isAscii(text)) {
            Utf8.packAscii(text, payload, at + offset());
            return;
        }
        byte[] bytes = encode(text, at);
        if (bytes.length >= size()) {
            throw error(at, "the text's " + bytes.length + " bytes and a NUL do not fit into " + size());
        }
        MemorySegment.copy(bytes, 0, payload, JAVA_BYTE, at + offset(), bytes.length);
    }

    private byte[] encode(String text, long at) {
        try {
            return Utf8.encode(text);
        } catch (CharacterCodingException e) {
            throw error(at, "the text has an unpaired surrogate, which UTF-8 cannot encode", e);
        }
    }

    @Override
    String declaration() {
        return "char " + name() + "[" + size() + "];";
    }
}
