// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static dev.jurom.service.FrameDecoder.CONTROL_MAX;
import static dev.jurom.service.FrameDecoder.HAS_CPU_SET;
import static dev.jurom.service.FrameDecoder.HAS_ENVIRONMENT;
import static dev.jurom.service.FrameDecoder.HAS_GROUP;
import static dev.jurom.service.FrameDecoder.HEADER_SIZE;
import static dev.jurom.service.FrameDecoder.NEW_PROCESS;

import java.nio.charset.StandardCharsets;

/** From frames to bytes. Its twin in C is {@code wire_encode}. */
final class FrameEncoder {

    private FrameEncoder() {
    }

    /**
     * The bytes of a frame.
     *
     * @throws IllegalArgumentException if it is longer than any frame of its type may be
     */
    static byte[] encode(Frame frame) {
        var body = new BodyWriter();
        var type = encode(frame, body);
        var length = HEADER_SIZE + body.length();
        if (length > CONTROL_MAX && !FrameType.carriesPayload(type.code())) {
            throw new IllegalArgumentException(type + " would have " + length
                    + " bytes and at most " + CONTROL_MAX + " are allowed");
        }
        return body.withHeader(type, frame.requestId());
    }

    private static FrameType encode(Frame frame, BodyWriter body) {
        return switch (frame) {
            case Frame.Hello hello -> {
                body.bytes(hello.clientNonce()).u32(hello.maxMessageSize()).u32(hello.userId());
                yield FrameType.HELLO;
            }
            case Frame.Challenge challenge -> {
                body.bytes(challenge.serverNonce());
                yield FrameType.CHALLENGE;
            }
            case Frame.Authenticate authenticate -> {
                body.bytes(authenticate.mac());
                yield FrameType.AUTHENTICATE;
            }
            case Frame.Welcome welcome -> welcome(welcome, body);
            case Frame.Failure failure -> {
                var text = failure.text().getBytes(StandardCharsets.UTF_8);
                body.u32(failure.error().code()).u32(text.length).bytes(text);
                yield FrameType.ERROR;
            }
            case Frame.Spawn spawn -> spawn(spawn, body);
            case Frame.Spawned spawned -> spawned(spawned, body);
            case Frame.Release release -> {
                body.u64(release.workerId());
                yield FrameType.RELEASE;
            }
            case Frame.Released released -> {
                body.u64(released.workerId());
                yield FrameType.RELEASED;
            }
            case Frame.WorkerGone gone -> {
                body.u64(gone.workerId()).u32(gone.exitStatus()).u32(0);
                yield FrameType.WORKER_GONE;
            }
            case Frame.GetGroup getGroup -> {
                body.u32(getGroup.group()).u32(0);
                yield FrameType.GET_GROUP;
            }
            case Frame.Group group -> {
                body.u32(group.workerIds().size()).u32(0);
                group.workerIds().forEach(body::u64);
                yield FrameType.GROUP;
            }
            case Frame.Configure configure -> {
                body.bytes(configure.token()).u64(configure.workerId())
                        .u32(configure.maxMessageSize())
                        .u32(configure.cpuSet().isPresent() ? HAS_CPU_SET : 0)
                        .cpuSet(configure.cpuSet());
                yield FrameType.CONFIGURE;
            }
            case Frame.Ready ready -> {
                body.u32(ready.processId()).u32(ready.address().length()).bytes(ready.address());
                yield FrameType.READY;
            }
            case Frame.Attach attach -> {
                body.bytes(attach.token()).u32(attach.address().length()).u32(attach.maxTasks())
                        .bytes(attach.address());
                yield FrameType.ATTACH;
            }
            case Frame.Attached attached -> attached(attached, body);
            case Frame.Command command -> {
                body.u64(command.plugin()).bytes(command.payload());
                yield FrameType.COMMAND;
            }
            case Frame.Notification notification -> {
                body.u32(notification.status()).u32(0).bytes(notification.payload());
                yield FrameType.NOTIFICATION;
            }
            case Frame.Detach detach -> FrameType.DETACH;
            case Frame.Detached detached -> FrameType.DETACHED;
            case Frame.Domain domain -> {
                body.bytes(domain.table());
                yield FrameType.DOMAIN;
            }
            case Frame.DomainReady ready -> FrameType.DOMAIN_READY;
        };
    }

    private static FrameType welcome(Frame.Welcome welcome, BodyWriter body) {
        body.bytes(welcome.mac()).u32(welcome.maxMessageSize()).u32(welcome.coreCount())
                .u32(welcome.plugins().size()).u32(0).cpuSet(welcome.cpuSet());
        welcome.plugins().forEach(plugin -> body.u64(plugin.id()).u64(plugin.version())
                .name(plugin.name(), FrameRules.PLUGIN_NAME_SIZE));
        return FrameType.WELCOME;
    }

    private static FrameType spawn(Frame.Spawn spawn, BodyWriter body) {
        var strings = new BodyWriter();
        spawn.environment().forEach(
                variable -> strings.bytes((variable + '\0').getBytes(StandardCharsets.UTF_8)));
        body.u64(spawn.workerId()).u64(spawn.plugins())
                .u32((spawn.group().isPresent() ? HAS_GROUP : 0)
                        | (spawn.cpuSet().isPresent() ? HAS_CPU_SET : 0)
                        | (spawn.environment().isEmpty() ? 0 : HAS_ENVIRONMENT))
                .u32(spawn.group().orElse(0)).cpuSet(spawn.cpuSet())
                .u32(spawn.environment().size()).u32(strings.length()).bytes(strings.toArray());
        return FrameType.SPAWN;
    }

    private static FrameType spawned(Frame.Spawned spawned, BodyWriter body) {
        body.u64(spawned.workerId()).u32(spawned.processId())
                .u32((spawned.group().isPresent() ? HAS_GROUP : 0)
                        | (spawned.newProcess() ? NEW_PROCESS : 0))
                .u32(spawned.group().orElse(0)).u32(spawned.address().length())
                .bytes(spawned.token()).bytes(spawned.address());
        return FrameType.SPAWNED;
    }

    private static FrameType attached(Frame.Attached attached, BodyWriter body) {
        body.u32(attached.connection()).u32(attached.plugins().size());
        attached.plugins().forEach(plugin -> body.u64(plugin.plugin())
                .u32(plugin.address().length()).u32(0).bytes(plugin.address()));
        return FrameType.ATTACHED;
    }
}
