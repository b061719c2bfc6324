// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import dev.jurom.plugin.HostRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The content of a {@link SandboxCommand.MapMemory} that replaces an exported memory handle, which UCX
 * before 1.14 lacks: the address of the host's UCP worker, and the memory's remote key.
 *
 * <p>Layout: magic ({@code JRMA}), version, length of the address and length of the key, 32 bits each
 * and little-endian; then the address and the key.
 */
final class RemoteMemory {

    private static final int MAGIC = 0x414d524a; // the bytes J, R, M, A
    private static final int VERSION = 1;
    private static final int HEAD_SIZE = 4 * Integer.BYTES;

    private RemoteMemory() {}

    static MemorySegment pack(HostRegion region) {
        var address = region.host().address();
        var key = region.packedKey();
        var bytes = ByteBuffer.allocate(HEAD_SIZE + address.length + key.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(address.length)
                .putInt(key.length)
                .put(address)
                .put(key);
        return MemorySegment.ofArray(bytes.array());
    }
}
