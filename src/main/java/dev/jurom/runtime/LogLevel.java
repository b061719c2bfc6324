// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The severity of log messages. Stands for {@code enum doca_log_level}. */
public enum LogLevel {

    /** No messages. */
    DISABLE(10, "DIS", Level.OFF),
    /** Errors that terminate the program or the service. */
    CRITICAL(20, "CRT", Level.ERROR),
    /** Errors of single operations. */
    ERROR(30, "ERR", Level.ERROR),
    /** Conditions that an administrator should check. */
    WARNING(40, "WRN", Level.WARNING),
    /** Important events. */
    INFO(50, "INF", Level.INFO),
    /** Detailed events. */
    DEBUG(60, "DBG", Level.DEBUG),
    /** Single steps of operations. */
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
     * Returns the level with a number.
     *
     * @param code 10, 20, ... or 70
     * @return the level
     * @throws IllegalArgumentException if there is no such level; the message lists the levels
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
     * Returns the level with a name.
     *
     * @param name the name of a constant, case-insensitive
     * @return the level
     * @throws IllegalArgumentException if there is no such level; the message lists the levels
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
     * Returns the number of this level.
     *
     * @return 10 to 70
     */
    public int code() {
        return code;
    }

    /**
     * Returns the abbreviation of this level in log messages.
     *
     * @return three letters
     */
    public String shortName() {
        return shortName;
    }

    /**
     * Returns the corresponding level of {@link System.Logger}.
     *
     * @return the level; {@link Level#ERROR} for both {@link #CRITICAL} and {@link #ERROR}
     */
    public Level loggerLevel() {
        return loggerLevel;
    }

    /**
     * Returns whether messages of a level are logged at this level.
     *
     * @param other the level of a message
     * @return true if {@code other} is at least as severe as this level
     */
    public boolean includes(LogLevel other) {
        return other.code <= code;
    }
}
