// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message between the participants of a {@link TcpExchange}: a header of 12 bytes (magic, type,
 * length of the body; little-endian, 32 bits each), then the body.
 *
 * <pre>
 * type           from         body
 * 1 HELLO        participant  its index, number of participants (32 bits each), nonce (32 bytes)
 * 2 CHALLENGE    coordinator  nonce (32 bytes), proof of the secret (32 bytes)
 * 3 PROOF        participant  proof of the secret (32 bytes)
 * 4 BLOCK        participant  its block
 * 5 BLOCKS       coordinator  the blocks of all participants
 * 6 FAILURE      coordinator  the reason of a failure: at most 1024 bytes of UTF-8
 * </pre>
 *
 * @param type one of the types above
 * @param body the bytes after the header
 */
record TcpFrame(int type, ByteBuffer body) {

    static final int HELLO = 1;
    static final int CHALLENGE = 2;
    static final int PROOF = 3;
    static final int BLOCK = 4;
    static final int BLOCKS = 5;
    static final int FAILURE = 6;

    static final int HEADER_SIZE = 12;
    static final int MAGIC = 0x5845524a; // the bytes J, R, E, X
    static final int LONGEST_FAILURE = 1024;

    /** Creates a frame with a new body. */
    static TcpFrame of(int type, byte[]... parts) {
        var length = 0;
        for (var part : parts) {
            length += part.length;
        }
        var body = buffer(length);
        for (var part : parts) {
            body.put(part);
        }
        return new TcpFrame(type, body.flip());
    }

    static TcpFrame failure(String message) {
        var text = message.getBytes(StandardCharsets.UTF_8);
        return of(FAILURE, text.length <= LONGEST_FAILURE ? text : Arrays.copyOf(text, LONGEST_FAILURE));
    }

    /** Returns the bytes of the header and the body. */
    ByteBuffer encode() {
        return buffer(HEADER_SIZE + body.remaining())
                .putInt(MAGIC)
                .putInt(type)
                .putInt(body.remaining())
                .put(body.duplicate())
                .flip();
    }

    /** Reads the next bytes of the body. */
    byte[] bytes(int count) {
        var bytes = new byte[count];
        body.get(bytes);
        return bytes;
    }

    /** Reads the remaining bytes of the body. */
    byte[] remaining() {
        return bytes(body.remaining());
    }

    /** Returns the body as text. */
    String text() {
        return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
    }

    static byte[] numbers(int... values) {
        var buffer = buffer(values.length * Integer.BYTES);
        for (var value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

    static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
