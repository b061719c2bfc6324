// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The text of a failure, which a plugin may send instead of an answer: a mark, then UTF-8. */
public final class FailureText {

    private static final byte[] MARK = "\0uromerr".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LENGTH = 4096; // bytes

    private FailureText() {}

    /**
     * Encodes a text.
     *
     * @param text any text, of which at most 4096 bytes are used
     * @return the bytes of a notification
     */
    public static byte[] encode(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var length = Math.min(bytes.length, MAX_LENGTH);
        return ByteBuffer.allocate(MARK.length + length)
                .put(MARK)
                .put(bytes, 0, length)
                .array();
    }

    /**
     * Decodes a text.
     *
     * @param response the notification of a command that failed, perhaps padded with zeros
     * @return the text, which may contain any characters; empty if the response contains none
     */
    public static Optional<String> decode(byte[] response) {
        if (response.length < MARK.length || !Arrays.equals(response, 0, MARK.length, MARK, 0, MARK.length)) {
            return Optional.empty();
        }
        var end = MARK.length;
        while (end < response.length && response[end] != 0) {
            end++;
        }
        return Optional.of(new String(response, MARK.length, end - MARK.length, StandardCharsets.UTF_8));
    }
}
