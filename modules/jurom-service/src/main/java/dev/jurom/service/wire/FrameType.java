// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.util.Optional;

/** The types of frames of a service and their numbers on the wire. Part of {@code enum wire_type}. */
enum FrameType {
    HELLO(1),
    WELCOME(4),
    ERROR(5),
    SPAWN(6),
    SPAWNED(7),
    RELEASE(8),
    RELEASED(9),
    WORKER_GONE(10),
    GET_GROUP(11),
    GROUP(12),
    LAUNCH(19),
    CONFIGURE(20),
    READY(21),
    TICKET(22),
    LISTENING(23),
    HOST_GONE(24),
    PING(25),
    PONG(26),
    DRAIN(27);

    private static final FrameType[] BY_CODE = new FrameType[DRAIN.code + 1];

    static {
        for (var type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    byte code() {
        return (byte) code;
    }

    static Optional<FrameType> of(byte code) {
        return code < 0 || code >= BY_CODE.length ? Optional.empty() : Optional.ofNullable(BY_CODE[code]);
    }
}
