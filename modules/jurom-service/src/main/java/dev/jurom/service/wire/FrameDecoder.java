// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static dev.jurom.service.wire.BodyReader.invalid;

import dev.jurom.core.DocaError;
import dev.jurom.urom.PluginInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decodes bytes to frames. Decoding is total: any bytes result in a frame or a {@link FrameException}. The
 * equivalent in C is {@code wire_decode}.
 */
public final class FrameDecoder {

    static final short MAGIC = 0x554A;
    static final byte VERSION = 3;
    /** Length of the header of every frame, in bytes. */
    public static final int HEADER_SIZE = 16;
    /** Maximum length of a frame that is neither a command nor a notification, in bytes. */
    public static final int CONTROL_MAX = 1 << 20;

    /** Offset of the number of environment strings in the body of a SPAWN. */
    private static final int STRINGS_AT = 24 + BodyReader.CPU_SET_SIZE;

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
     * @param maxMessageSize the limit of commands and notifications, in bytes
     * @return a number of bytes within the limit of its type
     * @throws FrameException if the header is invalid, or announces a length above the limit
     */
    public static int length(byte[] bytes, int maxMessageSize) throws FrameException {
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
        var limit = FrameType.carriesPayload(bytes[3]) ? maxMessageSize : CONTROL_MAX;
        if (length > limit) {
            throw new FrameException(
                    DocaError.TOO_BIG, "the frame has %d bytes and at most %d are allowed".formatted(length, limit));
        }
        return (int) length;
    }

    /**
     * Decodes one whole frame.
     *
     * @param bytes the whole frame and nothing else
     * @param maxMessageSize the limit of commands and notifications, in bytes
     * @return the frame
     * @throws FrameException if the bytes are not a valid frame
     */
    public static Frame decode(byte[] bytes, int maxMessageSize) throws FrameException {
        if (bytes.length < HEADER_SIZE) {
            throw invalid("%d bytes are too few for a frame".formatted(bytes.length));
        }
        var length = length(bytes, maxMessageSize);
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
     * @return the number that a SPAWN announces; 0 for any other frame
     */
    public static long environmentStrings(byte[] bytes) {
        var at = HEADER_SIZE + STRINGS_AT;
        if (bytes.length < at + Integer.BYTES || bytes[3] != FrameType.SPAWN.code()) {
            return 0;
        }
        return Integer.toUnsignedLong(
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at));
    }

    private static Frame decode(FrameType type, long id, BodyReader body) throws FrameException {
        return switch (type) {
            case HELLO -> new Frame.Hello(id, body.u32ThenZero(), body.name(FrameRules.RELEASE_SIZE));
            case WELCOME -> welcome(id, body);
            case ERROR -> failure(id, body);
            case SPAWN -> spawn(id, body);
            case SPAWNED -> spawned(id, body);
            case RELEASE -> new Frame.Release(id, body.u64());
            case RELEASED -> new Frame.Released(id, body.u64());
            case WORKER_GONE ->
                new Frame.WorkerGone(
                        id, body.u64(), body.u32(), body.flags(UNRESPONSIVE) != 0, body.restText(body.u32ThenZero()));
            case GET_GROUP -> new Frame.GetGroup(id, body.u32ThenZero());
            case GROUP -> group(id, body);
            case LAUNCH -> launch(id, body);
            case CONFIGURE -> configure(id, body);
            case READY -> new Frame.Ready(id, body.u32ThenZero());
            case TICKET -> admit(id, body);
            case LISTENING -> new Frame.Listening(id, body.u32ThenZero());
            case HOST_GONE -> new Frame.HostGone(id, body.u64());
            case PING -> new Frame.Ping(id);
            case PONG -> new Frame.Pong(id);
            case DRAIN -> new Frame.Drain(id);
            case ATTACH -> new Frame.Attach(id, body.u32ThenZero());
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
        var maxMessageSize = body.u32();
        var coreCount = body.u32();
        var count = Integer.toUnsignedLong(body.u32ThenZero());
        var cpuSet = body.cpuSet();
        var plugins = new ArrayList<PluginInfo>();
        while (body.left() > 0) {
            plugins.add(new PluginInfo(body.u64(), body.u64(), body.name(FrameRules.PLUGIN_NAME_SIZE)));
        }
        requireCount("plugins", count, plugins);
        return new Frame.Welcome(id, maxMessageSize, coreCount, cpuSet, plugins);
    }

    private static Frame failure(long id, BodyReader body) throws FrameException {
        var status = body.u32();
        var length = body.u32();
        if (status < 1 || status >= DocaError.values().length) {
            throw invalid("the status %s is not an error".formatted(Integer.toUnsignedString(status)));
        }
        return new Frame.Failure(id, DocaError.of(status), body.restText(length));
    }

    private static Frame spawn(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var plugins = body.u64();
        var flags = body.flags(HAS_GROUP | HAS_CPU_SET | HAS_ENVIRONMENT);
        var group = body.group((flags & HAS_GROUP) != 0);
        var cpuSet = body.cpuSet((flags & HAS_CPU_SET) != 0);
        var count = Integer.toUnsignedLong(body.u32());
        var environment = strings(count, body.rest(body.u32()).toArray());
        if (environment.isEmpty() == ((flags & HAS_ENVIRONMENT) != 0)) {
            throw invalid("the environment does not agree with its flag");
        }
        return new Frame.Spawn(id, workerId, plugins, group, cpuSet, environment);
    }

    /** Splits a block of NUL-terminated strings, of which {@code count} were announced. */
    private static List<String> strings(long count, byte[] block) throws FrameException {
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

    private static Frame spawned(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var processId = body.u32();
        var flags = body.flags(HAS_GROUP | NEW_PROCESS | OFFERS_UCX);
        var group = body.group((flags & HAS_GROUP) != 0);
        var addressLength = body.u32();
        return new Frame.Spawned(
                id,
                workerId,
                processId,
                (flags & NEW_PROCESS) != 0,
                group,
                (flags & OFFERS_UCX) != 0,
                body.ticket(),
                body.restText(addressLength));
    }

    private static Frame group(long id, BodyReader body) throws FrameException {
        var count = Integer.toUnsignedLong(body.u32ThenZero());
        var workerIds = new ArrayList<Long>();
        while (body.left() > 0) {
            workerIds.add(body.u64());
        }
        requireCount("worker ids", count, workerIds);
        return new Frame.Group(id, workerIds);
    }

    private static Frame launch(long id, BodyReader body) throws FrameException {
        var userId = body.u32();
        var groupId = body.u32();
        var flags = body.flags(CHANGE_USER | LISTEN);
        body.zero();
        var capabilities = body.u64();
        var limitCount = Integer.toUnsignedLong(body.u32());
        var socketPathLength = body.u32();
        var cgroupLength = body.u32ThenZero();
        var count = Integer.toUnsignedLong(body.u32());
        var environmentLength = body.u32();
        var limits = new ArrayList<Long>();
        for (var i = 0L; i < limitCount; i++) { // the end of the body limits the loop
            limits.add(body.u64());
        }
        var socketPath = path((flags & LISTEN) != 0, body.text(socketPathLength));
        var cgroup = path(cgroupLength != 0, body.text(cgroupLength));
        var environment = strings(count, body.rest(environmentLength).toArray());
        return new Frame.Launch(
                id,
                user((flags & CHANGE_USER) != 0, userId, groupId),
                capabilities,
                limits,
                socketPath,
                cgroup,
                environment);
    }

    private static Optional<Frame.User> user(boolean given, int userId, int groupId) throws FrameException {
        if (!given && (userId != 0 || groupId != 0)) {
            throw invalid("there is a user without its flag");
        }
        return given ? Optional.of(new Frame.User(userId, groupId)) : Optional.empty();
    }

    private static Optional<String> path(boolean given, String path) throws FrameException {
        if (!given && !path.isEmpty()) {
            throw invalid("there is a path without its flag");
        }
        return given ? Optional.of(path) : Optional.empty();
    }

    private static Frame configure(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var maxMessageSize = body.u32();
        var flags = body.flags(HAS_CPU_SET);
        return new Frame.Configure(id, workerId, maxMessageSize, body.cpuSet((flags & HAS_CPU_SET) != 0));
    }

    private static Frame admit(long id, BodyReader body) throws FrameException {
        var ticket = body.ticket();
        var session = body.u64();
        var lifetime = body.u32();
        var flags = body.flags(OVER_TCP | OFFERS_UCX);
        var portLow = body.u32();
        var portHigh = body.u32();
        var addressLength = body.u32();
        body.zero();
        var address = body.restText(addressLength);
        if ((flags & OVER_TCP) != 0) {
            return new Frame.Admit(
                    id,
                    ticket,
                    session,
                    lifetime,
                    Optional.of(new Binding(address, portLow, portHigh, (flags & OFFERS_UCX) != 0)));
        }
        if (flags != 0 || portLow != 0 || portHigh != 0 || !address.isEmpty()) {
            throw invalid("there is an address without its flag");
        }
        return new Frame.Admit(id, ticket, session, lifetime, Optional.empty());
    }

    private static Frame attached(long id, BodyReader body) throws FrameException {
        var connection = body.u64();
        var count = Integer.toUnsignedLong(body.u32ThenZero());
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
        var status = body.u32ThenZero();
        return new Frame.Notification(id, status, body.rest());
    }

    private static void requireCount(String what, long announced, List<?> found) throws FrameException {
        if (announced != found.size()) {
            throw invalid("%d %s are announced and %d follow".formatted(announced, what, found.size()));
        }
    }
}
