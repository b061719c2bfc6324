// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.util.function.Function;

/**
 * Inline bytes or text, with the length in a {@code uint32_t} of the struct.
 *
 * @param <R> the type of the records that the struct is packed from
 */
final class PrefixedField<R> extends Field<R> {

    private static final CInteger LENGTH = CInteger.U32;

    private final String part;
    private final InlineStart inlineStart;
    private final boolean isText;
    private final Function<? super R, ?> component;

    /** Creates a field for a component whose values are byte arrays, or strings if {@code isText}. */
    PrefixedField(
            String struct,
            String part,
            long offset,
            InlineStart inlineStart,
            boolean isText,
            Function<? super R, ?> component) {
        super(struct, part + "_length", offset, LENGTH.size());
        this.part = part;
        this.inlineStart = inlineStart;
        this.isText = isText;
        this.component = component;
    }

    /** Returns a copy of the bytes, or the text. */
    Object get(MessageView in) {
        long start = inlineStart.of(in.message(), in.at, in.inline);
        int length = Math.toIntExact(checkInline(in.message(), in.at, start) - start);
        if (!isText) {
            var bytes = new byte[length];
            MemorySegment.copy(in.message(), JAVA_BYTE, start, bytes, 0, length);
            return bytes;
        }
        try {
            return Utf8.decode(in.message(), start, length);
        } catch (CharacterCodingException e) {
            throw error(in.at, "its " + length + " bytes of text are not UTF-8", e);
        }
    }

    @Override
    void pack(R value, MemorySegment payload, long at) {
        var content = component.apply(value);
        int length = content instanceof String text && Utf8.isAscii(text) ? text.length() : bytes(content, at).length;
        LENGTH.write(payload, at + offset(), length);
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        long count = LENGTH.read(payload, at + offset());
        if (count > payload.byteSize() - inline) {
            throw tooLongAt(
                    inline,
                    "its " + count + " bytes do not fit into the " + (payload.byteSize() - inline)
                            + " that remain of the payload of " + payload.byteSize());
        }
        var content = component.apply(value);
        if (content instanceof String text && Utf8.isAscii(text)) {
            Utf8.packAscii(text, payload, inline);
        } else {
            MemorySegment.copy(bytes(content, at), 0, payload, JAVA_BYTE, inline, (int) count);
        }
        return inline + count;
    }

    private byte[] bytes(Object content, long at) {
        if (content instanceof byte[] bytes) {
            return bytes;
        }
        try {
            return Utf8.encode((String) content);
        } catch (CharacterCodingException e) {
            throw error(at, "the text has an unpaired surrogate, which UTF-8 cannot encode", e);
        }
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        long announced = LENGTH.read(message, at + offset());
        long left = message.byteSize() - inline;
        if (announced > left) {
            throw errorAt(
                    inline,
                    "the struct announces " + announced + " bytes, but " + left + " remain of the message of "
                            + message.byteSize());
        }
        return inline + announced;
    }

    @Override
    boolean hasInline() {
        return true;
    }

    @Override
    String declaration() {
        return LENGTH.inC() + " " + name() + "; /* of " + part + ", behind the struct */";
    }
}
