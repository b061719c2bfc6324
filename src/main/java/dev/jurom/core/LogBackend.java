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
 * Where DOCA writes its log without Java: a file, or syslog. Stands for
 * {@code struct doca_log_backend}. Any thread may use it.
 *
 * <p>A backend lives as long as the process: there is no way to close one. What is logged meanwhile
 * waits until it has been written.
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
     * Appends to a file, which is made if it is not there. Stands for
     * {@code doca_log_backend_create_with_file} and {@code doca_log_backend_create_with_file_sdk}.
     *
     * @param origin whose messages
     * @param file its path
     * @return a backend with the global level
     * @throws UncheckedIOException if the file cannot be written to
     */
    public static LogBackend toFile(LogOrigin origin, Path file) {
        DocaRuntime.current();
        requireWritable(file);
        try (var arena = Arena.ofConfined()) {
            var stream = posix_h.fopen(arena.allocateFrom(file.toString()), arena.allocateFrom("ae"));
            if (stream.equals(MemorySegment.NULL)) {
                throw new UncheckedIOException(new IOException(file + " cannot be opened"));
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

    /** Java says better than C what is wrong with a file. */
    private static void requireWritable(Path file) {
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw new UncheckedIOException("The log " + file + " cannot be written to", e);
        }
    }

    /**
     * Writes to the system's log. Stands for {@code doca_log_backend_create_with_syslog} and
     * {@code doca_log_backend_create_with_syslog_sdk}.
     *
     * @param origin whose messages
     * @param program the name that the lines bear there
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
     * Writes the application's messages to the standard streams of the process: warnings and worse
     * to standard error, the rest to standard output. A second call changes nothing. Stands for
     * {@code doca_log_backend_create_standard}.
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
     * Sets how much this writes, until the next {@link DocaLog#setGlobalLevel}. Stands for
     * {@code doca_log_backend_set_sdk_level} and {@code doca_log_backend_set_level_lower_limit}.
     *
     * @param level the least severe
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
     * Sets the most severe level that this writes, until the next
     * {@link DocaLog#setGlobalMostSevere}. Stands for
     * {@code doca_log_backend_set_level_upper_limit}.
     *
     * @param level what is more severe is not written
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if this writes the library's messages
     */
    public LogBackend setMostSevere(LogLevel level) {
        check(
                doca_h.doca_log_backend_set_level_upper_limit(handle, level.code()),
                "doca_log_backend_set_level_upper_limit",
                this);
        return this;
    }

    /**
     * Keeps both levels when the global ones change. Stands for
     * {@code doca_log_backend_set_level_lower_limit_strict} and
     * {@code doca_log_backend_set_level_upper_limit_strict}.
     *
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if this writes the library's messages
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
