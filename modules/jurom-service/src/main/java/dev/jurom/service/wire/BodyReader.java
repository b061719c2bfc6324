// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the fields of a frame's body in order, and never beyond its end. */
final class BodyReader {

    static final int CPU_SET_SIZE = 128;

    private final byte[] bytes;
    private final ByteBuffer body;

    BodyReader(byte[] bytes, int start) {
        this.bytes = bytes;
        this.body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(start);
    }

    static FrameException invalid(String reason) {
        return new FrameException(DocaError.INVALID_VALUE, reason);
    }

    int left() {
        return body.remaining();
    }

    int u32() throws FrameException {
        requireLeft(Integer.BYTES);
        return body.getInt();
    }

    /** Reads a number of 32 bits, followed by 32 zero bits. */
    int u32ThenZero() throws FrameException {
        var value = u32();
        zero();
        return value;
    }

    long u64() throws FrameException {
        requireLeft(Long.BYTES);
        return body.getLong();
    }

    Bytes bytes(int length) throws FrameException {
        requireLeft(length);
        var from = body.position();
        body.position(from + length);
        return Bytes.of(bytes, from, from + length);
    }

    Bytes rest() throws FrameException {
        return bytes(left());
    }

    /** Reads the remaining bytes, which must have the announced length. */
    Bytes rest(int announced) throws FrameException {
        if (announced != left()) {
            throw invalid(
                    "%s bytes are announced and %d follow".formatted(Integer.toUnsignedString(announced), left()));
        }
        return rest();
    }

    String text(int length) throws FrameException {
        return text(bytes(length).toArray());
    }

    /** Reads the remaining bytes as a text, which must have the announced length. */
    String restText(int announced) throws FrameException {
        return text(rest(announced).toArray());
    }

    private static String text(byte[] encoded) throws FrameException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(encoded))
                    .toString();
        } catch (CharacterCodingException e) {
            throw invalid("a text is not UTF-8");
        }
    }

    /** Reads a name from a field of fixed size, padded with zeros. */
    String name(int size) throws FrameException {
        var field = bytes(size).toArray();
        var length = 0;
        while (length < size && field[length] != 0) {
            length++;
        }
        for (var i = length; i < size; i++) {
            if (field[i] != 0) {
                throw invalid("a name has a NUL in it");
            }
        }
        return text(Arrays.copyOf(field, length));
    }

    void zero() throws FrameException {
        if (u32() != 0) {
            throw invalid("a reserved field is not zero");
        }
    }

    int flags(int known) throws FrameException {
        var flags = u32();
        if ((flags & ~known) != 0) {
            throw invalid("the flags 0x%x are unknown".formatted(flags & ~known));
        }
        return flags;
    }

    Ticket ticket() throws FrameException {
        return new Ticket(bytes(Ticket.ID_SIZE), bytes(Ticket.KEY_SIZE));
    }

    OptionalInt group(boolean given) throws FrameException {
        var group = u32();
        if (!given && group != 0) {
            throw invalid("there is a group without its flag");
        }
        return given ? OptionalInt.of(group) : OptionalInt.empty();
    }

    CpuSet cpuSet() throws FrameException {
        return CpuSet.of(BitSet.valueOf(bytes(CPU_SET_SIZE).toArray()).stream().toArray());
    }

    Optional<CpuSet> cpuSet(boolean given) throws FrameException {
        var cpuSet = cpuSet();
        if (!given && !cpuSet.isEmpty()) {
            throw invalid("there is a CPU set without its flag");
        }
        return given ? Optional.of(cpuSet) : Optional.empty();
    }

    private void requireLeft(int length) throws FrameException {
        if (length < 0 || length > left()) {
            throw invalid("a field of %s bytes does not fit in the %d that are left"
                    .formatted(Integer.toUnsignedString(length), left()));
        }
    }
}
