// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.util.Arrays;

/**
 * Fuzz target: any bytes are decoded to a frame that is encoded to the same bytes, or cause a FrameException.
 */
public final class FrameFuzz {

    private static final int MAX_MESSAGE_SIZE = 2048;

    private FrameFuzz() {}

    /** Executes an input: a complete frame after a 0 byte, otherwise a type and a body without a header. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var bytes = input[0] == 0 ? Arrays.copyOfRange(input, 1, input.length) : framed(input);
        if (bytes.length >= FrameDecoder.HEADER_SIZE) {
            foreign(bytes);
        }
        try {
            var frame = FrameDecoder.decode(bytes, MAX_MESSAGE_SIZE);
            if (!Arrays.equals(FrameEncoder.encode(frame), bytes)) {
                throw new AssertionError(frame + " is encoded to different bytes");
            }
        } catch (FrameException e) {
            if (e.getMessage() == null || e.getMessage().isEmpty()) {
                throw new AssertionError("the exception has no message", e);
            }
        }
    }

    private static byte[] framed(byte[] input) {
        var bytes = new byte[FrameDecoder.HEADER_SIZE + input.length - 1];
        bytes[0] = (byte) FrameDecoder.MAGIC;
        bytes[1] = (byte) (FrameDecoder.MAGIC >> 8);
        bytes[2] = FrameDecoder.VERSION;
        bytes[3] = input[0];
        for (var i = 0; i < 4; i++) {
            bytes[4 + i] = (byte) (input.length - 1 >> 8 * i);
        }
        System.arraycopy(input, 1, bytes, FrameDecoder.HEADER_SIZE, input.length - 1);
        return bytes;
    }

    private static void foreign(byte[] bytes) {
        if (Release.isForeign(Arrays.copyOf(bytes, FrameDecoder.HEADER_SIZE))) {
            var beginning = Arrays.copyOf(bytes, Math.min(bytes.length, Release.BEGINNING));
            if (Release.refusalOf(beginning).isEmpty()) {
                throw new AssertionError("no message for a rejected release");
            }
        }
    }
}
