// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.LogLevel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Gives each line of the native libraries to the logger of its source, with its level. */
final class NativeLogLines {

    private static final int MOST_LOGGERS = 500; // sources have names from anywhere
    private static final int LONGEST_NAME = 100;

    /** Time, thread, "DOCA", level, source, place in the code, and the message. */
    private static final Pattern LINE = Pattern.compile(
            "\\[[^]]*]\\[[^]]*]\\[DOCA]\\[(?<level>[A-Z]{3})]\\[(?<source>[^]]*)](\\[[^]]*])* " + "(?<message>.*)");

    private static final Map<String, LogLevel> LEVELS =
            Arrays.stream(LogLevel.values()).collect(Collectors.toMap(LogLevel::shortName, level -> level));

    private final Function<String, System.Logger> loggers;
    private final Map<String, System.Logger> known = new HashMap<>();
    private final System.Logger unnamed;

    /** Makes it for loggers that this function finds by name. */
    NativeLogLines(Function<String, System.Logger> loggers) {
        this.loggers = loggers;
        this.unnamed = loggers.apply(NativeLog.NAME);
    }

    /** Logs a line, of whatever form; what a logger throws is the logger's affair. */
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
            // The next line may fare better, and nobody else would read it.
        }
    }

    private System.Logger logger(String source) {
        var logger = known.get(source);
        if (logger == null) {
            if (known.size() >= MOST_LOGGERS) {
                return unnamed;
            }
            logger = loggers.apply(name(source));
            known.put(source, logger);
        }
        return logger;
    }

    /** {@code UROM::WORKER} logs to {@code dev.jurom.native.UROM.WORKER}. */
    static String name(String source) {
        var name = source.replace("::", ".").replaceAll("[^\\w.-]", "_");
        return NativeLog.NAME + "." + (name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name);
    }
}
