// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static dev.jurom.service.BodyReader.invalid;

import dev.jurom.core.DocaError;
import dev.jurom.urom.PluginInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * From bytes to frames. Decoding is total: any bytes give a frame or a {@link FrameException}. Its
 * twin in C is {@code wire_decode}.
 */
final class FrameDecoder {

    static final short MAGIC = 0x554A;
    static final byte VERSION = 1;
    static final int HEADER_SIZE = 16;
    /** Bytes of any frame that is neither a command nor a notification. */
    static final int CONTROL_MAX = 1 << 20;

    static final int HAS_GROUP = 1;
    static final int HAS_CPU_SET = 2;
    static final int NEW_PROCESS = 2;
    static final int HAS_ENVIRONMENT = 4;

    private FrameDecoder() {
    }

    /**
     * How long the frame is that begins with a header, header included.
     *
     * @param bytes at least 16 bytes
     * @param maxMessageSize the limit of commands and notifications
     */
    static int length(byte[] bytes, int maxMessageSize) throws FrameException {
        var header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (header.getShort(0) != MAGIC) {
            throw invalid("the magic number of a frame is missing");
        }
        if (bytes[2] != VERSION) {
            throw new FrameException(DocaError.UNSUPPORTED_VERSION, "the frame has version %d and"
                    + " this side version %d".formatted(Byte.toUnsignedInt(bytes[2]), VERSION));
        }
        var length = HEADER_SIZE + Integer.toUnsignedLong(header.getInt(4));
        var limit = FrameType.carriesPayload(bytes[3]) ? maxMessageSize : CONTROL_MAX;
        if (length > limit) {
            throw new FrameException(DocaError.TOO_BIG,
                    "the frame has %d bytes and at most %d are allowed".formatted(length, limit));
        }
        return (int) length;
    }

    /** Decodes all of {@code bytes}. */
    static Frame decode(byte[] bytes, int maxMessageSize) throws FrameException {
        if (bytes.length < HEADER_SIZE) {
            throw invalid("%d bytes are too few for a frame".formatted(bytes.length));
        }
        var length = length(bytes, maxMessageSize);
        if (length != bytes.length) {
            throw invalid("the frame has %d bytes and its header says %d"
                    .formatted(bytes.length, length));
        }
        var type = FrameType.of(bytes[3]).orElseThrow(() -> invalid(
                "the frame has the unknown type %d".formatted(Byte.toUnsignedInt(bytes[3]))));
        var body = new BodyReader(bytes, HEADER_SIZE);
        try {
            var frame = decode(type, requestId(bytes), body);
            if (body.left() > 0) {
                throw invalid("%s has %d bytes too many".formatted(type, body.left()));
            }
            return frame;
        } catch (IllegalArgumentException e) { // the rules of the records
            throw invalid(e.getMessage());
        }
    }

    /** The request id of what has at least a header, for answering also what is malformed. */
    static long requestId(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
    }

    private static Frame decode(FrameType type, long id, BodyReader body) throws FrameException {
        return switch (type) {
            case HELLO -> new Frame.Hello(id, body.bytes(Frame.NONCE_SIZE), body.u32(), body.u32());
            case CHALLENGE -> new Frame.Challenge(id, body.bytes(Frame.NONCE_SIZE));
            case AUTHENTICATE -> new Frame.Authenticate(id, body.bytes(Frame.MAC_SIZE));
            case WELCOME -> welcome(id, body);
            case ERROR -> failure(id, body);
            case SPAWN -> spawn(id, body);
            case SPAWNED -> spawned(id, body);
            case RELEASE -> new Frame.Release(id, body.u64());
            case RELEASED -> new Frame.Released(id, body.u64());
            case WORKER_GONE -> workerGone(id, body);
            case GET_GROUP -> getGroup(id, body);
            case GROUP -> group(id, body);
            case CONFIGURE -> configure(id, body);
            case READY -> new Frame.Ready(id, body.u32(), body.rest(body.u32()));
            case ATTACH -> attach(id, body);
            case ATTACHED -> attached(id, body);
            case COMMAND -> new Frame.Command(id, body.u64(), body.rest());
            case NOTIFICATION -> notification(id, body);
            case DETACH -> new Frame.Detach(id);
            case DETACHED -> new Frame.Detached(id);
            case DOMAIN -> new Frame.Domain(id, body.rest());
            case DOMAIN_READY -> new Frame.DomainReady(id);
        };
    }

    private static Frame welcome(long id, BodyReader body) throws FrameException {
        var mac = body.bytes(Frame.MAC_SIZE);
        var maxMessageSize = body.u32();
        var coreCount = body.u32();
        var count = Integer.toUnsignedLong(body.u32());
        body.zero();
        var cpuSet = body.cpuSet();
        var plugins = new ArrayList<PluginInfo>();
        while (body.left() > 0) {
            plugins.add(new PluginInfo(body.u64(), body.u64(),
                    body.name(FrameRules.PLUGIN_NAME_SIZE)));
        }
        requireCount("plugins", count, plugins);
        return new Frame.Welcome(id, mac, maxMessageSize, coreCount, cpuSet, plugins);
    }

    private static Frame failure(long id, BodyReader body) throws FrameException {
        var status = body.u32();
        var length = body.u32();
        if (status < 1 || status >= DocaError.values().length) {
            throw invalid("the status %s is no error".formatted(Integer.toUnsignedString(status)));
        }
        if (length != body.left()) {
            throw invalid("the text is not as long as it says");
        }
        return new Frame.Failure(id, DocaError.of(status), body.text(length));
    }

    private static Frame spawn(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var plugins = body.u64();
        var flags = body.flags(HAS_GROUP | HAS_CPU_SET | HAS_ENVIRONMENT);
        var group = body.group((flags & HAS_GROUP) != 0);
        var cpuSet = body.cpuSet((flags & HAS_CPU_SET) != 0);
        var count = Integer.toUnsignedLong(body.u32());
        var environment = strings(body.rest(body.u32()).toArray());
        requireCount("environment strings", count, environment);
        if (environment.isEmpty() == ((flags & HAS_ENVIRONMENT) != 0)) {
            throw invalid("the environment does not agree with its flag");
        }
        return new Frame.Spawn(id, workerId, plugins, group, cpuSet, environment);
    }

    /** The strings of a block in which each ends with a NUL. */
    private static List<String> strings(byte[] block) throws FrameException {
        var strings = new ArrayList<String>();
        var reader = new BodyReader(block, 0);
        var from = 0;
        for (var at = 0; at < block.length; at++) {
            if (block[at] == 0) {
                strings.add(reader.text(at - from));
                reader.bytes(1);
                from = at + 1;
            }
        }
        if (from != block.length) {
            throw invalid("the last environment string has no end");
        }
        return strings;
    }

    private static Frame spawned(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var processId = body.u32();
        var flags = body.flags(HAS_GROUP | NEW_PROCESS);
        var group = body.group((flags & HAS_GROUP) != 0);
        var addressLength = body.u32();
        var token = body.bytes(Frame.TOKEN_SIZE);
        return new Frame.Spawned(id, workerId, processId, (flags & NEW_PROCESS) != 0, group, token,
                body.rest(addressLength));
    }

    private static Frame workerGone(long id, BodyReader body) throws FrameException {
        var frame = new Frame.WorkerGone(id, body.u64(), body.u32());
        body.zero();
        return frame;
    }

    private static Frame getGroup(long id, BodyReader body) throws FrameException {
        var frame = new Frame.GetGroup(id, body.u32());
        body.zero();
        return frame;
    }

    private static Frame group(long id, BodyReader body) throws FrameException {
        var count = Integer.toUnsignedLong(body.u32());
        body.zero();
        var workerIds = new ArrayList<Long>();
        while (body.left() > 0) {
            workerIds.add(body.u64());
        }
        requireCount("worker ids", count, workerIds);
        return new Frame.Group(id, workerIds);
    }

    private static Frame configure(long id, BodyReader body) throws FrameException {
        var token = body.bytes(Frame.TOKEN_SIZE);
        var workerId = body.u64();
        var maxMessageSize = body.u32();
        var flags = body.flags(HAS_CPU_SET);
        return new Frame.Configure(id, token, workerId, maxMessageSize,
                body.cpuSet((flags & HAS_CPU_SET) != 0));
    }

    private static Frame attach(long id, BodyReader body) throws FrameException {
        var token = body.bytes(Frame.TOKEN_SIZE);
        var addressLength = body.u32();
        var maxTasks = body.u32();
        return new Frame.Attach(id, token, maxTasks, body.rest(addressLength));
    }

    private static Frame attached(long id, BodyReader body) throws FrameException {
        var connection = body.u32();
        var count = Integer.toUnsignedLong(body.u32());
        var plugins = new ArrayList<Frame.PluginAddress>();
        while (body.left() > 0) {
            var plugin = body.u64();
            var length = body.u32();
            body.zero();
            plugins.add(new Frame.PluginAddress(plugin, body.bytes(length)));
        }
        requireCount("plugins", count, plugins);
        return new Frame.Attached(id, connection, plugins);
    }

    private static Frame notification(long id, BodyReader body) throws FrameException {
        var status = body.u32();
        body.zero();
        return new Frame.Notification(id, status, body.rest());
    }

    private static void requireCount(String what, long announced, List<?> found)
            throws FrameException {
        if (announced != found.size()) {
            throw invalid("%d %s are announced and %d follow"
                    .formatted(announced, what, found.size()));
        }
    }
}
