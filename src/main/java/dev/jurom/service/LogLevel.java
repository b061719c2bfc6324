// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How much is logged. Stands for {@code enum doca_log_level}. */
public enum LogLevel {

    /** Nothing. */
    DISABLE(10, "DIS"),
    /** What ends the service. */
    CRITICAL(20, "CRT"),
    /** What did not work. */
    ERROR(30, "ERR"),
    /** What somebody should look at. */
    WARNING(40, "WRN"),
    /** What happens, in few lines. */
    INFO(50, "INF"),
    /** What happens, in many lines. */
    DEBUG(60, "DBG"),
    /** Every frame. */
    TRACE(70, "TRC");

    private final int code;
    private final String shortName;

    LogLevel(int code, String shortName) {
        this.code = code;
        this.shortName = shortName;
    }

    /**
     * The level with a number.
     *
     * @param code 10, 20, ... or 70
     * @return the level
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static LogLevel of(int code) {
        return Arrays.stream(values()).filter(level -> level.code == code).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no log level " + code
                        + ": the levels are " + Arrays.stream(values())
                        .map(level -> level.code + "=" + level).collect(Collectors.joining(", "))));
    }

    /**
     * The number of this level.
     *
     * @return 10 to 70
     */
    public int code() {
        return code;
    }

    String shortName() {
        return shortName;
    }

    boolean includes(LogLevel other) {
        return other.code <= code;
    }
}
