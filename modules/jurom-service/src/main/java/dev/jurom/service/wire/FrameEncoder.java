// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static dev.jurom.service.wire.FrameDecoder.CHANGE_USER;
import static dev.jurom.service.wire.FrameDecoder.CONTROL_MAX;
import static dev.jurom.service.wire.FrameDecoder.HAS_CPU_SET;
import static dev.jurom.service.wire.FrameDecoder.HAS_GROUP;
import static dev.jurom.service.wire.FrameDecoder.HEADER_SIZE;
import static dev.jurom.service.wire.FrameDecoder.LISTEN;
import static dev.jurom.service.wire.FrameDecoder.NEW_PROCESS;
import static dev.jurom.service.wire.FrameDecoder.OFFERS_UCX;
import static dev.jurom.service.wire.FrameDecoder.OVER_TCP;
import static dev.jurom.service.wire.FrameDecoder.UNRESPONSIVE;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes the frames that the service sends. The equivalent in C is {@code wire_encode}. */
public final class FrameEncoder {

    private FrameEncoder() {}

    /**
     * Encodes a frame.
     *
     * @param frame the frame
     * @return its header and its body
     * @throws IllegalArgumentException if it exceeds the maximum length of its type
     */
    public static byte[] encode(Frame.Outgoing frame) {
        var body = new BodyWriter();
        var type = encode(frame, body);
        var length = HEADER_SIZE + body.length();
        if (length > CONTROL_MAX) {
            throw new IllegalArgumentException(
                    type + " would have " + length + " bytes and at most " + CONTROL_MAX + " are allowed");
        }
        return body.withHeader(type, frame.requestId());
    }

    private static FrameType encode(Frame.Outgoing frame, BodyWriter body) {
        return switch (frame) {
            case Frame.Welcome welcome -> welcome(welcome, body);
            case Frame.Failure failure -> {
                body.u32(failure.error().code()).lengthAndText(failure.text());
                yield FrameType.ERROR;
            }
            case Frame.Spawned spawned -> spawned(spawned, body);
            case Frame.Released released -> {
                body.u64(released.workerId());
                yield FrameType.RELEASED;
            }
            case Frame.WorkerGone gone -> {
                var text = gone.text().getBytes(StandardCharsets.UTF_8);
                body.u64(gone.workerId())
                        .u32(gone.exitStatus())
                        .u32(gone.unresponsive() ? UNRESPONSIVE : 0)
                        .u32(text.length)
                        .u32(0)
                        .bytes(text);
                yield FrameType.WORKER_GONE;
            }
            case Frame.Group group -> {
                body.u32(group.workerIds().size()).u32(0);
                group.workerIds().forEach(body::u64);
                yield FrameType.GROUP;
            }
            case Frame.Launch launch -> launch(launch, body);
            case Frame.Configure configure -> {
                body.u64(configure.workerId())
                        .u32(configure.maxMessageSize())
                        .u32(configure.cpuSet().isPresent() ? HAS_CPU_SET : 0)
                        .cpuSet(configure.cpuSet());
                yield FrameType.CONFIGURE;
            }
            case Frame.Admit admit -> admit(admit, body);
            case Frame.HostGone gone -> {
                body.u64(gone.session());
                yield FrameType.HOST_GONE;
            }
            case Frame.Ping ping -> FrameType.PING;
            case Frame.Drain drain -> FrameType.DRAIN;
        };
    }

    private static FrameType welcome(Frame.Welcome welcome, BodyWriter body) {
        body.u32(welcome.maxMessageSize())
                .u32(welcome.coreCount())
                .u32(welcome.plugins().size())
                .u32(0)
                .cpuSet(welcome.cpuSet());
        welcome.plugins()
                .forEach(plugin ->
                        body.u64(plugin.id()).u64(plugin.version()).name(plugin.name(), FrameRules.PLUGIN_NAME_SIZE));
        return FrameType.WELCOME;
    }

    /** Encodes NUL-terminated strings. */
    private static byte[] strings(List<String> strings) {
        var block = new BodyWriter();
        strings.forEach(string -> block.bytes(utf8(string + '\0')));
        return block.toArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static FrameType spawned(Frame.Spawned spawned, BodyWriter body) {
        var address = utf8(spawned.address());
        body.u64(spawned.workerId())
                .u32(spawned.processId())
                .u32((spawned.group().isPresent() ? HAS_GROUP : 0)
                        | (spawned.newProcess() ? NEW_PROCESS : 0)
                        | (spawned.offersUcx() ? OFFERS_UCX : 0))
                .u32(spawned.group().orElse(0))
                .u32(address.length)
                .ticket(spawned.ticket())
                .bytes(address);
        return FrameType.SPAWNED;
    }

    private static FrameType launch(Frame.Launch launch, BodyWriter body) {
        var socketPath = utf8(launch.socketPath().orElse(""));
        var cgroup = utf8(launch.cgroup().orElse(""));
        var environment = strings(launch.environment());
        body.u32(launch.user().map(Frame.User::userId).orElse(0))
                .u32(launch.user().map(Frame.User::groupId).orElse(0))
                .u32((launch.user().isPresent() ? CHANGE_USER : 0)
                        | (launch.socketPath().isPresent() ? LISTEN : 0))
                .u32(0)
                .u64(launch.capabilities())
                .u32(launch.limits().size())
                .u32(socketPath.length)
                .u32(cgroup.length)
                .u32(0)
                .u32(launch.environment().size())
                .u32(environment.length);
        launch.limits().forEach(body::u64);
        body.bytes(socketPath).bytes(cgroup).bytes(environment);
        return FrameType.LAUNCH;
    }

    private static FrameType admit(Frame.Admit admit, BodyWriter body) {
        var binding = admit.binding();
        var address = utf8(binding.map(Binding::address).orElse(""));
        body.ticket(admit.ticket())
                .u64(admit.session())
                .u32(admit.lifetimeMillis())
                .u32((binding.isPresent() ? OVER_TCP : 0)
                        | (binding.map(Binding::offersUcx).orElse(false) ? OFFERS_UCX : 0))
                .u32(binding.map(Binding::portLow).orElse(0))
                .u32(binding.map(Binding::portHigh).orElse(0))
                .u32(address.length)
                .u32(0)
                .bytes(address);
        return FrameType.TICKET;
    }
}
