// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static dev.jurom.service.wire.BodyReader.invalid;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decodes the frames that the service receives. Decoding is total: any bytes result in a frame or a {@link
 * FrameException}. The equivalent in C is {@code wire_decode}.
 */
public final class FrameDecoder {

    static final short MAGIC = 0x554A;
    static final byte VERSION = 3;
    /** Length of the header of every frame, in bytes. */
    public static final int HEADER_SIZE = 16;
    /** Maximum length of a frame, in bytes. */
    public static final int CONTROL_MAX = 1 << 20;

    static final int HAS_GROUP = 1;
    static final int HAS_CPU_SET = 2;
    static final int NEW_PROCESS = 2;
    static final int HAS_ENVIRONMENT = 4;
    static final int CHANGE_USER = 1;
    static final int LISTEN = 2;
    static final int OVER_TCP = 1;
    static final int OFFERS_UCX = 4;
    static final int UNRESPONSIVE = 1;

    private FrameDecoder() {}

    /**
     * Returns the length of the frame that begins with a header, including the header.
     *
     * @param bytes at least 16 bytes
     * @return a number of bytes, at most {@link #CONTROL_MAX}
     * @throws FrameException if the header is invalid, or announces a length above the limit
     */
    public static int length(byte[] bytes) throws FrameException {
        var header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (header.getShort(0) != MAGIC) {
            throw invalid("the magic number of a frame is missing");
        }
        if (bytes[2] != VERSION) {
            throw new FrameException(
                    DocaError.UNSUPPORTED_VERSION,
                    "the frame has version %d and"
                            + " this side version %d".formatted(Byte.toUnsignedInt(bytes[2]), VERSION));
        }
        var length = HEADER_SIZE + Integer.toUnsignedLong(header.getInt(4));
        if (length > CONTROL_MAX) {
            throw new FrameException(
                    DocaError.TOO_BIG,
                    "the frame has %d bytes and at most %d are allowed".formatted(length, CONTROL_MAX));
        }
        return (int) length;
    }

    /**
     * Decodes one whole frame.
     *
     * @param bytes the whole frame and nothing else
     * @return the frame
     * @throws FrameException if the bytes are not a valid frame
     */
    public static Frame.Incoming decode(byte[] bytes) throws FrameException {
        if (bytes.length < HEADER_SIZE) {
            throw invalid("%d bytes are too few for a frame".formatted(bytes.length));
        }
        var length = length(bytes);
        if (length != bytes.length) {
            throw invalid("the frame has %d bytes and its header states %d".formatted(bytes.length, length));
        }
        var type = FrameType.of(bytes[3])
                .orElseThrow(
                        () -> invalid("the frame has the unknown type %d".formatted(Byte.toUnsignedInt(bytes[3]))));
        var body = new BodyReader(bytes, HEADER_SIZE);
        try {
            var frame = decode(type, requestId(bytes), body);
            if (body.left() > 0) {
                throw invalid("%s has %d bytes too many".formatted(type, body.left()));
            }
            return frame;
        } catch (IllegalArgumentException e) { // thrown by the records
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the request id in a header, so that a malformed frame can also be answered.
     *
     * @param bytes at least 16 bytes
     * @return any number
     */
    public static long requestId(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
    }

    /**
     * Returns the number of environment strings that a SPAWN announces, so that it can be rejected before it is
     * decoded: as objects, short strings take twenty times their bytes.
     *
     * @param bytes a whole frame
     * @return the number that a SPAWN announces; 0 for any other frame, and for a malformed one
     */
    public static long environmentStrings(byte[] bytes) {
        if (bytes[3] != FrameType.SPAWN.code()) {
            return 0;
        }
        try {
            return SpawnHead.read(new BodyReader(bytes, HEADER_SIZE)).strings();
        } catch (FrameException e) {
            return 0; // decoding the frame reports it
        }
    }

    private static Frame.Incoming decode(FrameType type, long id, BodyReader body) throws FrameException {
        return switch (type) {
            case HELLO -> new Frame.Hello(id, body.u32ThenZero(), body.name(FrameRules.RELEASE_SIZE));
            case ERROR -> failure(id, body);
            case SPAWN -> spawn(id, body);
            case RELEASE -> new Frame.Release(id, body.u64());
            case GET_GROUP -> new Frame.GetGroup(id, body.u32ThenZero());
            case READY -> new Frame.Ready(id, body.u32ThenZero());
            case LISTENING -> new Frame.Listening(id, body.u32ThenZero());
            case PONG -> new Frame.Pong(id);
            case WELCOME, SPAWNED, RELEASED, WORKER_GONE, GROUP, LAUNCH, CONFIGURE, TICKET, HOST_GONE, PING, DRAIN ->
                throw invalid("only a service sends " + type);
        };
    }

    private static Frame.Failure failure(long id, BodyReader body) throws FrameException {
        var status = body.u32();
        var length = body.u32();
        if (status < 1 || status >= DocaError.values().length) {
            throw invalid("the status %s is not an error".formatted(Integer.toUnsignedString(status)));
        }
        return new Frame.Failure(id, DocaError.of(status), body.restText(length));
    }

    private static Frame.Spawn spawn(long id, BodyReader body) throws FrameException {
        var head = SpawnHead.read(body);
        var environment =
                strings(head.strings(), body.rest(head.environmentLength()).toArray());
        if (environment.isEmpty() == ((head.flags() & HAS_ENVIRONMENT) != 0)) {
            throw invalid("the environment does not agree with its flag");
        }
        return Frame.Spawn.of(id, head.workerId(), head.plugins())
                .withGroup(head.group())
                .withCpuSet(head.cpuSet())
                .withEnvironment(environment);
    }

    /** The part of a SPAWN before its environment, which has a fixed length. */
    private record SpawnHead(
            long workerId,
            long plugins,
            int flags,
            OptionalInt group,
            Optional<CpuSet> cpuSet,
            long strings,
            int environmentLength) {

        static SpawnHead read(BodyReader body) throws FrameException {
            var workerId = body.u64();
            var plugins = body.u64();
            var flags = body.flags(HAS_GROUP | HAS_CPU_SET | HAS_ENVIRONMENT);
            var group = body.group((flags & HAS_GROUP) != 0);
            var cpuSet = body.cpuSet((flags & HAS_CPU_SET) != 0);
            return new SpawnHead(
                    workerId, plugins, flags, group, cpuSet, Integer.toUnsignedLong(body.u32()), body.u32());
        }
    }

    /** Splits a block of NUL-terminated strings, of which {@code count} were announced. */
    static List<String> strings(long count, byte[] block) throws FrameException {
        var strings = new ArrayList<String>();
        var reader = new BodyReader(block, 0);
        var from = 0;
        for (var at = 0; at < block.length && strings.size() <= count; at++) {
            if (block[at] == 0) {
                strings.add(reader.text(at - from));
                reader.bytes(1);
                from = at + 1;
            }
        }
        if (strings.size() > count) {
            throw invalid("%d environment strings are announced and more follow".formatted(count));
        }
        requireCount("environment strings", count, strings);
        if (from != block.length) {
            throw invalid("the last environment string has no end");
        }
        return strings;
    }

    static void requireCount(String what, long announced, List<?> found) throws FrameException {
        if (announced != found.size()) {
            throw invalid("%d %s are announced and %d follow".formatted(announced, what, found.size()));
        }
    }
}
