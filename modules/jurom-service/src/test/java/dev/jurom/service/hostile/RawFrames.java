// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Raw frames of an attacker: see docs/wire.md. */
final class RawFrames {

    static final int HELLO = 1;
    static final int ERROR = 5;
    static final int SPAWN = 6;
    static final int SPAWNED = 7;
    static final int RELEASE = 8;
    static final int WORKER_GONE = 10;
    static final int HEADER_SIZE = 16;
    static final int MESSAGE_SIZE = 4096;

    private RawFrames() {}

    /** Returns a frame of any type with any claimed length and a body of zeros. */
    static byte[] frame(int type, long claimed, int body) {
        return ByteBuffer.allocate(HEADER_SIZE + body)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 0x554A)
                .put((byte) 3)
                .put((byte) type)
                .putInt((int) claimed)
                .putLong(7)
                .array();
    }

    /** Returns a HELLO. */
    static byte[] hello() {
        var bytes = frame(HELLO, 24, 24);
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(HEADER_SIZE, MESSAGE_SIZE)
                .put(HEADER_SIZE + 8, (byte) '1');
        return bytes;
    }

    /** Returns a SPAWN of a worker with the second plugin, {@code worker_graph}. */
    static byte[] spawn(int id) {
        var frame = frame(SPAWN, 160, 160);
        frame[HEADER_SIZE] = (byte) id;
        frame[HEADER_SIZE + 8] = 1 << 1; // the plugins, a bit for each
        return frame;
    }

    /** Returns a RELEASE of a worker that the host does not have. */
    static byte[] release() {
        return frame(RELEASE, 8, 8);
    }
}
