// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How much is logged, from nothing to everything. Stands for {@code enum doca_log_level}. */
public enum LogLevel {

    /** Nothing. */
    DISABLE(10, "DIS", Level.OFF),
    /** What ends the program, or the service. */
    CRITICAL(20, "CRT", Level.ERROR),
    /** What did not work. */
    ERROR(30, "ERR", Level.ERROR),
    /** What somebody should look at. */
    WARNING(40, "WRN", Level.WARNING),
    /** What happens, in few lines. */
    INFO(50, "INF", Level.INFO),
    /** What happens, in many lines. */
    DEBUG(60, "DBG", Level.DEBUG),
    /** What happens, step by step. */
    TRACE(70, "TRC", Level.TRACE);

    private final int code;
    private final String shortName;
    private final Level loggerLevel;

    LogLevel(int code, String shortName, Level loggerLevel) {
        this.code = code;
        this.shortName = shortName;
        this.loggerLevel = loggerLevel;
    }

    /**
     * The level with a number.
     *
     * @param code 10, 20, ... or 70
     * @return the level
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static LogLevel of(int code) {
        return Arrays.stream(values())
                .filter(level -> level.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no log level " + code
                        + ": the levels are "
                        + Arrays.stream(values())
                                .map(level -> level.code + "=" + level)
                                .collect(Collectors.joining(", "))));
    }

    /**
     * The level with a name.
     *
     * @param name of one of the constants, in either case
     * @return the level
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static LogLevel of(String name) {
        return Arrays.stream(values())
                .filter(level -> level.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no log level "
                        + name + ": the levels are "
                        + Arrays.stream(values())
                                .map(level -> level.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }

    /**
     * The number of this level.
     *
     * @return 10 to 70
     */
    public int code() {
        return code;
    }

    /**
     * How this level is called in a line of a log.
     *
     * @return three letters
     */
    public String shortName() {
        return shortName;
    }

    /**
     * The level of Java's logging that means the same.
     *
     * @return {@link Level#ERROR} for {@link #CRITICAL}, too
     */
    public Level loggerLevel() {
        return loggerLevel;
    }

    /**
     * Whether messages of another level are logged at this one.
     *
     * @param other the level of a message
     * @return true if the other is as severe as this, or more
     */
    public boolean includes(LogLevel other) {
        return other.code <= code;
    }
}
