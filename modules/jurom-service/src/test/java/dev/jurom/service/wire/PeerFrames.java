// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static dev.jurom.service.wire.BodyReader.invalid;

import dev.jurom.urom.PluginInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/**
 * The codec of the service's peers: encodes what {@link FrameDecoder} decodes, and decodes what
 * {@link FrameEncoder} encodes.
 */
public final class PeerFrames {

    private PeerFrames() {}

    /** Encodes a frame of any type. */
    public static byte[] encode(Frame frame) {
        if (frame instanceof Frame.Outgoing sent) {
            return FrameEncoder.encode(sent);
        }
        var body = new BodyWriter();
        var type = encode((Frame.Incoming) frame, body);
        return body.withHeader(type, frame.requestId());
    }

    private static FrameType encode(Frame.Incoming frame, BodyWriter body) {
        return switch (frame) {
            case Frame.Hello hello -> {
                body.u32(hello.maxMessageSize()).u32(0).name(hello.release(), FrameRules.RELEASE_SIZE);
                yield FrameType.HELLO;
            }
            case Frame.Spawn spawn -> spawn(spawn, body);
            case Frame.Release release -> {
                body.u64(release.workerId());
                yield FrameType.RELEASE;
            }
            case Frame.GetGroup getGroup -> {
                body.u32(getGroup.group()).u32(0);
                yield FrameType.GET_GROUP;
            }
            case Frame.Ready ready -> {
                body.u32(ready.processId()).u32(0);
                yield FrameType.READY;
            }
            case Frame.Listening listening -> {
                body.u32(listening.port()).u32(0);
                yield FrameType.LISTENING;
            }
            case Frame.Pong pong -> FrameType.PONG;
            case Frame.Failure failure -> throw new AssertionError("sent by the service too: " + failure);
        };
    }

    private static FrameType spawn(Frame.Spawn spawn, BodyWriter body) {
        var environment = String.join(
                        "",
                        spawn.environment().stream()
                                .map(variable -> variable + '\0')
                                .toList())
                .getBytes(StandardCharsets.UTF_8);
        body.u64(spawn.workerId())
                .u64(spawn.plugins())
                .u32((spawn.group().isPresent() ? FrameDecoder.HAS_GROUP : 0)
                        | (spawn.cpuSet().isPresent() ? FrameDecoder.HAS_CPU_SET : 0)
                        | (spawn.environment().isEmpty() ? 0 : FrameDecoder.HAS_ENVIRONMENT))
                .u32(spawn.group().orElse(0))
                .cpuSet(spawn.cpuSet())
                .u32(spawn.environment().size())
                .u32(environment.length)
                .bytes(environment);
        return FrameType.SPAWN;
    }

    /** Decodes a frame of any type. */
    public static Frame decode(byte[] bytes) throws FrameException {
        if (bytes.length < FrameDecoder.HEADER_SIZE
                || !FrameType.of(bytes[3]).map(PeerFrames::isSentByService).orElse(false)) {
            return FrameDecoder.decode(bytes);
        }
        if (FrameDecoder.length(bytes) != bytes.length) {
            throw invalid("the frame does not have the length in its header");
        }
        var body = new BodyReader(bytes, FrameDecoder.HEADER_SIZE);
        try {
            var frame = decode(FrameType.of(bytes[3]).orElseThrow(), FrameDecoder.requestId(bytes), body);
            if (body.left() > 0) {
                throw invalid("%d bytes too many".formatted(body.left()));
            }
            return frame;
        } catch (IllegalArgumentException e) { // thrown by the records
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    static boolean isSentByService(FrameType type) {
        return switch (type) {
            case HELLO, ERROR, SPAWN, RELEASE, GET_GROUP, READY, LISTENING, PONG -> false;
            default -> true;
        };
    }

    private static Frame.Outgoing decode(FrameType type, long id, BodyReader body) throws FrameException {
        return switch (type) {
            case WELCOME -> welcome(id, body);
            case SPAWNED -> spawned(id, body);
            case RELEASED -> new Frame.Released(id, body.u64());
            case WORKER_GONE ->
                new Frame.WorkerGone(
                        id,
                        body.u64(),
                        body.u32(),
                        body.flags(FrameDecoder.UNRESPONSIVE) != 0,
                        body.restText(body.u32ThenZero()));
            case GROUP -> group(id, body);
            case LAUNCH -> launch(id, body);
            case CONFIGURE -> configure(id, body);
            case TICKET -> admit(id, body);
            case HOST_GONE -> new Frame.HostGone(id, body.u64());
            case PING -> new Frame.Ping(id);
            case DRAIN -> new Frame.Drain(id);
            default -> throw new AssertionError(type);
        };
    }

    private static Frame.Outgoing welcome(long id, BodyReader body) throws FrameException {
        var maxMessageSize = body.u32();
        var coreCount = body.u32();
        var count = Integer.toUnsignedLong(body.u32ThenZero());
        var cpuSet = body.cpuSet();
        var plugins = new ArrayList<PluginInfo>();
        while (body.left() > 0) {
            plugins.add(new PluginInfo(body.u64(), body.u64(), body.name(FrameRules.PLUGIN_NAME_SIZE)));
        }
        FrameDecoder.requireCount("plugins", count, plugins);
        return new Frame.Welcome(id, maxMessageSize, coreCount, cpuSet, plugins);
    }

    private static Frame.Outgoing spawned(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var processId = body.u32();
        var flags = body.flags(FrameDecoder.HAS_GROUP | FrameDecoder.NEW_PROCESS | FrameDecoder.OFFERS_UCX);
        var group = body.group((flags & FrameDecoder.HAS_GROUP) != 0);
        var addressLength = body.u32();
        return new Frame.Spawned(
                id,
                workerId,
                processId,
                (flags & FrameDecoder.NEW_PROCESS) != 0,
                group,
                (flags & FrameDecoder.OFFERS_UCX) != 0,
                body.ticket(),
                body.restText(addressLength));
    }

    private static Frame.Outgoing group(long id, BodyReader body) throws FrameException {
        var count = Integer.toUnsignedLong(body.u32ThenZero());
        var workerIds = new ArrayList<Long>();
        while (body.left() > 0) {
            workerIds.add(body.u64());
        }
        FrameDecoder.requireCount("worker ids", count, workerIds);
        return new Frame.Group(id, workerIds);
    }

    private static Frame.Outgoing launch(long id, BodyReader body) throws FrameException {
        var userId = body.u32();
        var groupId = body.u32();
        var flags = body.flags(FrameDecoder.CHANGE_USER | FrameDecoder.LISTEN);
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
        var socketPath = path((flags & FrameDecoder.LISTEN) != 0, body.text(socketPathLength));
        var cgroup = path(cgroupLength != 0, body.text(cgroupLength));
        var environment =
                FrameDecoder.strings(count, body.rest(environmentLength).toArray());
        return Frame.Launch.of(id, capabilities)
                .withUser(user((flags & FrameDecoder.CHANGE_USER) != 0, userId, groupId))
                .withLimits(limits)
                .withSocketPath(socketPath)
                .withCgroup(cgroup)
                .withEnvironment(environment);
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

    private static Frame.Outgoing configure(long id, BodyReader body) throws FrameException {
        var workerId = body.u64();
        var maxMessageSize = body.u32();
        var flags = body.flags(FrameDecoder.HAS_CPU_SET);
        return new Frame.Configure(id, workerId, maxMessageSize, body.cpuSet((flags & FrameDecoder.HAS_CPU_SET) != 0));
    }

    private static Frame.Outgoing admit(long id, BodyReader body) throws FrameException {
        var ticket = body.ticket();
        var session = body.u64();
        var lifetime = body.u32();
        var flags = body.flags(FrameDecoder.OVER_TCP | FrameDecoder.OFFERS_UCX);
        var portLow = body.u32();
        var portHigh = body.u32();
        var addressLength = body.u32();
        body.zero();
        var address = body.restText(addressLength);
        if ((flags & FrameDecoder.OVER_TCP) != 0) {
            return new Frame.Admit(
                    id,
                    ticket,
                    session,
                    lifetime,
                    Optional.of(new Binding(address, portLow, portHigh, (flags & FrameDecoder.OFFERS_UCX) != 0)));
        }
        if (flags != 0 || portLow != 0 || portHigh != 0 || !address.isEmpty()) {
            throw invalid("there is an address without its flag");
        }
        return new Frame.Admit(id, ticket, session, lifetime, Optional.empty());
    }
}
