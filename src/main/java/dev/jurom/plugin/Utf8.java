// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text in UTF-8. Packing allocates memory only for a text with characters other than ASCII. */
final class Utf8 {

    private Utf8() {}

    /** Returns whether each character is one byte. */
    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Writes a text whose characters are ASCII. */
    static void packAscii(String text, MemorySegment payload, long offset) {
        for (int i = 0; i < text.length(); i++) {
            payload.set(JAVA_BYTE, offset + i, (byte) text.charAt(i));
        }
    }

    static byte[] encode(String text) throws CharacterCodingException {
        ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        var bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    static String decode(MemorySegment message, long offset, int length) throws CharacterCodingException {
        var bytes = new byte[length];
        MemorySegment.copy(message, JAVA_BYTE, offset, bytes, 0, length);
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }
}
