// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.posix.posix_h;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Brings what the native libraries log into Java's logging, to the logger {@value #NAME}.
 *
 * <p>The lines come through a pipe that a daemon thread reads, and not through a callback: the
 * library may log in the midst of a critical call, from which Java must not be called. The pipe's
 * end in C never blocks for the same reason: when nobody reads, lines are lost.
 */
public final class NativeLog {

    /** The logger's name. Its level, when the libraries are loaded, is theirs. */
    public static final String NAME = "dev.jurom.native";

    private static final String PROPERTY = "jurom.native.log";

    /** Time, thread, "DOCA", level, source, place in the code, and the message. */
    private static final Pattern LINE = Pattern.compile(
            "\\[[^]]*]\\[[^]]*]\\[DOCA]\\[(?<level>[A-Z]{3})]\\[(?<source>[^]]*)](\\[[^]]*])* "
            + "(?<message>.*)");

    private NativeLog() {
    }

    /** Begins to do so, unless {@code jurom.native.log} is {@code off}; once, after loading. */
    public static void start() {
        var logger = System.getLogger(NAME);
        if (System.getProperty(PROPERTY, "on").equals("off")) {
            return;
        }
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(JAVA_INT, 2);
            if (posix_h.pipe2(ends, posix_h.O_NONBLOCK() | posix_h.O_CLOEXEC()) != 0) {
                logger.log(Level.WARNING, "No pipe could be made: what the native libraries log is"
                        + " not shown");
                return;
            }
            read(logger, ends.getAtIndex(JAVA_INT, 0));
            write(logger, ends.getAtIndex(JAVA_INT, 1), arena);
        } catch (LinkageError e) {
            logger.log(Level.WARNING, "The native libraries cannot log to Java", e);
        }
    }

    private static void read(System.Logger logger, int descriptor) {
        try {
            // Opened anew, for this end does block.
            var stream = new FileInputStream("/proc/self/fd/" + descriptor);
            Thread.ofPlatform().daemon().name("jurom-native-log").start(() -> copy(stream, logger));
        } catch (IOException e) {
            logger.log(Level.WARNING, "What the native libraries log cannot be read", e);
        } finally {
            posix_h.close(descriptor);
        }
    }

    private static void write(System.Logger logger, int descriptor, Arena arena) {
        var backend = arena.allocate(ADDRESS);
        var status = doca_h.doca_log_backend_create_with_fd_sdk(descriptor, backend);
        if (status == 0) {
            status = doca_h.doca_log_backend_set_sdk_level(backend.get(ADDRESS, 0), level(logger));
        }
        if (status != 0) {
            logger.log(Level.WARNING, "The native libraries do not log to Java: status " + status);
        }
    }

    /** The least severe native level that the logger lets through. */
    private static int level(System.Logger logger) {
        if (logger.isLoggable(Level.TRACE)) {
            return doca_h.DOCA_LOG_LEVEL_TRACE();
        } else if (logger.isLoggable(Level.DEBUG)) {
            return doca_h.DOCA_LOG_LEVEL_DEBUG();
        } else if (logger.isLoggable(Level.INFO)) {
            return doca_h.DOCA_LOG_LEVEL_INFO();
        } else if (logger.isLoggable(Level.WARNING)) {
            return doca_h.DOCA_LOG_LEVEL_WARNING();
        }
        return logger.isLoggable(Level.ERROR) ? doca_h.DOCA_LOG_LEVEL_ERROR()
                : doca_h.DOCA_LOG_LEVEL_DISABLE();
    }

    private static void copy(FileInputStream stream, System.Logger logger) {
        try (var lines = new BufferedReader(
                new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                log(logger, line);
            }
        } catch (IOException e) {
            logger.log(Level.WARNING, "What the native libraries log can be read no more", e);
        }
    }

    /** Logs a line of the library's with its own level, source and message. */
    static void log(System.Logger logger, String line) {
        var parts = LINE.matcher(line);
        if (parts.matches()) {
            logger.log(level(parts.group("level")),
                    parts.group("source") + ": " + parts.group("message"));
        } else {
            logger.log(Level.INFO, line);
        }
    }

    private static Level level(String name) {
        return switch (name) {
            case "CRT", "ERR" -> Level.ERROR;
            case "WRN" -> Level.WARNING;
            case "INF" -> Level.INFO;
            case "DBG" -> Level.DEBUG;
            default -> Level.TRACE;
        };
    }
}
