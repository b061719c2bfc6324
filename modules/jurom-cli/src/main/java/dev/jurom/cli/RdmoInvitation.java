// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.nio.ByteBuffer;

/**
 * What a server tells its client: where its worker is, by which id and key to name it and its
 * memory, and where that begins.
 */
record RdmoInvitation(long client, long key, long address, byte[] worker) {

    byte[] pack() {
        return ByteBuffer.allocate(3 * Long.BYTES + worker.length)
                .putLong(client).putLong(key).putLong(address).put(worker).array();
    }

    static RdmoInvitation unpack(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        var client = buffer.getLong();
        var key = buffer.getLong();
        var address = buffer.getLong();
        var worker = new byte[buffer.remaining()];
        buffer.get(worker);
        return new RdmoInvitation(client, key, address, worker);
    }
}
