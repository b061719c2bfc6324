// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxCommand.Send;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class SandboxCommandCodecTest {

    private final MemorySegment byRecord = MemorySegment.ofArray(new byte[400]).fill((byte) 1);
    private final MemorySegment without = MemorySegment.ofArray(new byte[400]).fill((byte) 2);

    private void requireSame(long recordLength, long length) {
        assertEquals(recordLength, length);
        assertEquals(-1, byRecord.asSlice(0, length).mismatch(without.asSlice(0, length)));
    }

    @Property(tries = 200)
    void a_send_is_packed_the_same_with_and_without_a_record(
            @ForAll UcxLayout layout,
            @ForAll long context,
            @ForAll long destination,
            @ForAll long tag,
            @ForAll @Size(max = 300) byte[] message) {
        var segment = MemorySegment.ofArray(message);

        requireSame(
                SandboxCommandCodec.of(layout).pack(Send.inline(context, destination, tag, segment), byRecord),
                SandboxCommandCodec.packSend(layout, context, destination, tag, segment, without));
    }

    @Property(tries = 200)
    void a_mapped_send_and_a_receive_are_packed_the_same_with_and_without_a_record(
            @ForAll UcxLayout layout,
            @ForAll long context,
            @ForAll long destination,
            @ForAll long address,
            @ForAll long count,
            @ForAll long tag,
            @ForAll long mask) {
        var handle = 5;

        requireSame(
                SandboxCommandCodec.of(layout)
                        .pack(Send.mapped(context, destination, address, count, tag, handle), byRecord),
                SandboxCommandCodec.packMappedSend(layout, context, destination, address, count, tag, handle, without));
        requireSame(
                SandboxCommandCodec.of(layout).pack(new Receive(context, address, count, tag, mask, handle), byRecord),
                SandboxCommandCodec.packReceive(layout, context, address, count, tag, mask, handle, without));
    }
}
