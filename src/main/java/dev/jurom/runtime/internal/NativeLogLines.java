// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.LogLevel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Logs each line of the native libraries to the logger of its source, at its level. */
final class NativeLogLines {

    private static final int MAX_LOGGERS = 500; // bounds the memory for names that libraries choose
    private static final int MAX_NAME_LENGTH = 100;

    /** Time, thread, "DOCA", level, source, position in the code, and the message. */
    private static final Pattern LINE = Pattern.compile(
            "\\[[^]]*]\\[[^]]*]\\[DOCA]\\[(?<level>[A-Z]{3})]\\[(?<source>[^]]*)](\\[[^]]*])* " + "(?<message>.*)");

    private static final Map<String, LogLevel> LEVELS =
            Arrays.stream(LogLevel.values()).collect(Collectors.toMap(LogLevel::shortName, level -> level));

    private final Function<String, System.Logger> loggers;
    private final Map<String, System.Logger> known = new HashMap<>();
    private final System.Logger unnamed;

    /** Creates an instance that obtains its loggers from a function. */
    NativeLogLines(Function<String, System.Logger> loggers) {
        this.loggers = loggers;
        this.unnamed = loggers.apply(NativeLog.NAME);
    }

    /** Logs a line of any form; exceptions of a logger are ignored. */
    void log(String line) {
        var parts = LINE.matcher(line);
        var level = parts.matches() ? LEVELS.get(parts.group("level")) : null;
        try {
            if (level == null) {
                unnamed.log(System.Logger.Level.INFO, line);
            } else {
                logger(parts.group("source")).log(level.loggerLevel(), parts.group("message"));
            }
        } catch (RuntimeException e) {
            // A failing logger must not end the thread that reads the log.
        }
    }

    private System.Logger logger(String source) {
        var logger = known.get(source);
        if (logger == null) {
            if (known.size() >= MAX_LOGGERS) {
                return unnamed;
            }
            logger = loggers.apply(name(source));
            known.put(source, logger);
        }
        return logger;
    }

    /**
     * Returns the name of the logger of a source: {@code dev.jurom.native.UROM.WORKER} for
     * {@code UROM::WORKER}.
     */
    static String name(String source) {
        var name = source.replace("::", ".").replaceAll("[^\\w.-]", "_");
        return NativeLog.NAME + "." + (name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name);
    }
}
