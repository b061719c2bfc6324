// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LogLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A destination of the DOCA log that needs no Java: a file, syslog, or the standard streams. Stands
 * for {@code struct doca_log_backend}. This class is thread-safe.
 *
 * <p>A backend exists until the process ends; it cannot be closed. A thread that logs blocks until
 * the backends have written its message.
 */
public final class LogBackend {

    private final MemorySegment handle;
    private final LogOrigin origin;
    private final String name;

    private LogBackend(MemorySegment handle, LogOrigin origin, String name) {
        this.handle = handle;
        this.origin = origin;
        this.name = name;
    }

    @FunctionalInterface
    private interface Maker {
        int make(MemorySegment target, MemorySegment result);
    }

    /**
     * Creates a backend that appends to a file, which is created if it does not exist. Stands for
     * {@code doca_log_backend_create_with_file} and {@code doca_log_backend_create_with_file_sdk}.
     *
     * @param origin the origin of the messages to write
     * @param file the path of the file
     * @return a backend with the global level
     * @throws UncheckedIOException if the file cannot be opened for writing
     */
    public static LogBackend toFile(LogOrigin origin, Path file) {
        DocaRuntime.current();
        requireWritable(file);
        try (var arena = Arena.ofConfined()) {
            var stream = posix_h.fopen(arena.allocateFrom(file.toString()), arena.allocateFrom("ae"));
            if (stream.equals(MemorySegment.NULL)) {
                throw new UncheckedIOException(new IOException("cannot open " + file));
            }
            try {
                return switch (origin) {
                    case LIBRARY ->
                        make(
                                doca_h::doca_log_backend_create_with_file_sdk,
                                stream,
                                origin,
                                "doca_log_backend_create_with_file_sdk",
                                "log to " + file);
                    case APPLICATION ->
                        make(
                                doca_h::doca_log_backend_create_with_file,
                                stream,
                                origin,
                                "doca_log_backend_create_with_file",
                                "log to " + file);
                };
            } catch (DocaException e) {
                posix_h.fclose(stream);
                throw e;
            }
        }
    }

    /** Checks that a file can be opened. Java gives a better message than C if it cannot. */
    private static void requireWritable(Path file) {
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the log file " + file, e);
        }
    }

    /**
     * Creates a backend that writes to syslog. Stands for
     * {@code doca_log_backend_create_with_syslog} and
     * {@code doca_log_backend_create_with_syslog_sdk}.
     *
     * @param origin the origin of the messages to write
     * @param program the program name of the messages in syslog
     * @return a backend with the global level
     */
    public static LogBackend toSyslog(LogOrigin origin, String program) {
        DocaRuntime.current();
        try (var arena = Arena.ofConfined()) {
            var text = arena.allocateFrom(program);
            return switch (origin) {
                case LIBRARY ->
                    make(
                            doca_h::doca_log_backend_create_with_syslog_sdk,
                            text,
                            origin,
                            "doca_log_backend_create_with_syslog_sdk",
                            "syslog of " + program);
                case APPLICATION ->
                    make(
                            doca_h::doca_log_backend_create_with_syslog,
                            text,
                            origin,
                            "doca_log_backend_create_with_syslog",
                            "syslog of " + program);
            };
        }
    }

    /**
     * Creates a backend that writes messages of the application to the standard streams of the
     * process: warnings and more severe messages to standard error, others to standard output. A
     * second call has no effect. Stands for {@code doca_log_backend_create_standard}.
     */
    public static void toStandardStreams() {
        DocaRuntime.current();
        check(doca_h.doca_log_backend_create_standard(), "doca_log_backend_create_standard", "standard streams");
    }

    private static LogBackend make(Maker maker, MemorySegment target, LogOrigin origin, String function, String name) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(maker.make(target, result), function, name);
            return new LogBackend(result.get(ValueLayout.ADDRESS, 0), origin, name);
        }
    }

    /**
     * Sets the least severe level that this backend writes, until the next
     * {@link DocaLog#setGlobalLevel}. Stands for {@code doca_log_backend_set_sdk_level} and
     * {@code doca_log_backend_set_level_lower_limit}.
     *
     * @param level the least severe level
     * @return this
     */
    public LogBackend setLevel(LogLevel level) {
        switch (origin) {
            case LIBRARY ->
                check(
                        doca_h.doca_log_backend_set_sdk_level(handle, level.code()),
                        "doca_log_backend_set_sdk_level",
                        this);
            case APPLICATION ->
                check(
                        doca_h.doca_log_backend_set_level_lower_limit(handle, level.code()),
                        "doca_log_backend_set_level_lower_limit",
                        this);
        }
        return this;
    }

    /**
     * Sets the most severe level that this backend writes, until the next
     * {@link DocaLog#setGlobalMostSevere}. Stands for
     * {@code doca_log_backend_set_level_upper_limit}.
     *
     * @param level the most severe level; more severe messages are not written
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if this backend writes messages of the
     *         library
     */
    public LogBackend setMostSevere(LogLevel level) {
        check(
                doca_h.doca_log_backend_set_level_upper_limit(handle, level.code()),
                "doca_log_backend_set_level_upper_limit",
                this);
        return this;
    }

    /**
     * Fixes both levels, so that changes of the global levels do not affect them. Stands for
     * {@code doca_log_backend_set_level_lower_limit_strict} and
     * {@code doca_log_backend_set_level_upper_limit_strict}.
     *
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if this backend writes messages of the
     *         library
     */
    public LogBackend keepLevels() {
        check(
                doca_h.doca_log_backend_set_level_lower_limit_strict(handle),
                "doca_log_backend_set_level_lower_limit_strict",
                this);
        check(
                doca_h.doca_log_backend_set_level_upper_limit_strict(handle),
                "doca_log_backend_set_level_upper_limit_strict",
                this);
        return this;
    }

    @Override
    public String toString() {
        return name;
    }
}
