// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.urom.CpuSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/** Writes the fields of a frame's body in order, after space for the header. */
final class BodyWriter {

    private ByteBuffer frame =
            ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN).position(FrameDecoder.HEADER_SIZE);

    int length() {
        return frame.position() - FrameDecoder.HEADER_SIZE;
    }

    BodyWriter u32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    BodyWriter u64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    BodyWriter bytes(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    BodyWriter bytes(Bytes bytes) {
        return bytes(bytes.toArray());
    }

    BodyWriter lengthAndText(String text) {
        var encoded = text.getBytes(StandardCharsets.UTF_8);
        return u32(encoded.length).bytes(encoded);
    }

    BodyWriter ticket(Ticket ticket) {
        return bytes(ticket.id()).bytes(ticket.key());
    }

    /** Writes a name to a field of fixed size, padded with zeros. */
    BodyWriter name(String name, int size) {
        return bytes(Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), size));
    }

    BodyWriter cpuSet(CpuSet cpuSet) {
        var bits = new BitSet(CpuSet.CAPACITY);
        cpuSet.cpus().forEach(bits::set);
        return bytes(Arrays.copyOf(bits.toByteArray(), BodyReader.CPU_SET_SIZE));
    }

    /** Writes a CPU set, or zeros if there is none. */
    BodyWriter cpuSet(Optional<CpuSet> cpuSet) {
        return cpuSet(cpuSet.orElseGet(CpuSet::empty));
    }

    /** Returns the body without a header. */
    byte[] toArray() {
        return Arrays.copyOfRange(frame.array(), FrameDecoder.HEADER_SIZE, frame.position());
    }

    /** Returns the whole frame. */
    byte[] withHeader(FrameType type, long requestId) {
        frame.putShort(0, FrameDecoder.MAGIC)
                .put(2, FrameDecoder.VERSION)
                .put(3, type.code())
                .putInt(4, length())
                .putLong(8, requestId);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private ByteBuffer room(int length) {
        if (frame.remaining() < length) {
            var needed = Math.max(2 * frame.capacity(), frame.position() + length);
            frame = ByteBuffer.allocate(needed).order(ByteOrder.LITTLE_ENDIAN).put(frame.flip());
        }
        return frame;
    }
}
