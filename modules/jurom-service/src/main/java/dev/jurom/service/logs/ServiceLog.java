// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.LogSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The log of the service. This class is thread-safe. */
public final class ServiceLog implements AutoCloseable {

    /** Receives lines of an enabled level. */
    @FunctionalInterface
    private interface Sink {
        void log(LogLevel level, String message);
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss:SSSSSSxx", Locale.ROOT);

    private final LogLevel level;
    private final Sink sink;
    private final @Nullable LogFile file; // null: no file

    private ServiceLog(LogLevel level, Sink sink, @Nullable LogFile file) {
        this.level = level;
        this.sink = sink;
        this.file = file;
    }

    /**
     * Creates a log that appends to the daemon's file in a directory.
     *
     * @param directory the directory, which is created if necessary
     * @param settings the level, and the maximum size and number of files
     * @return the log, which the caller closes
     * @throws DaemonException if the directory or the file cannot be used, or other users can change them
     */
    public static ServiceLog toFile(Path directory, LogSettings settings) {
        try {
            Files.createDirectories(directory);
            TrustedPath.requireLogDirectory(
                    directory, Credentials.ofThisProcess().userId());
            var file = new LogFile(directory.resolve(LogSettings.FILE_NAME), settings.maxSize(), settings.maxFiles());
            return new ServiceLog(settings.level(), lines(file::write), file);
        } catch (IOException e) {
            throw DaemonException.ofConfiguration("The log directory " + directory + " cannot be used: " + e, e);
        }
    }

    /**
     * {@return a log on standard error}
     *
     * @param level the least important level that is logged
     */
    public static ServiceLog toStandardError(LogLevel level) {
        return new ServiceLog(level, lines(System.err::println), null);
    }

    /**
     * {@return a log that uses {@link System.Logger}, like the application's own}
     *
     * @param level the least important level that is passed on
     */
    public static ServiceLog toSystemLogger(LogLevel level) {
        var logger = System.getLogger("dev.jurom.service");
        return new ServiceLog(
                level,
                (l, message) -> logger.log(
                        switch (l) {
                            case DISABLE -> System.Logger.Level.OFF;
                            case CRITICAL, ERROR -> System.Logger.Level.ERROR;
                            case WARNING -> System.Logger.Level.WARNING;
                            case INFO -> System.Logger.Level.INFO;
                            case DEBUG -> System.Logger.Level.DEBUG;
                            case TRACE -> System.Logger.Level.TRACE;
                        },
                        message),
                null);
    }

    private static Sink lines(Consumer<String> output) {
        var process = ProcessHandle.current().pid();
        return (level, message) -> output.accept("[" + TIME.format(OffsetDateTime.now()) + "][" + process + "][UROM]["
                + level.shortName() + "][DAEMON] " + message);
    }

    /**
     * Logs an error: the service could not do something that it should.
     *
     * @param message one sentence
     */
    public void error(String message) {
        log(LogLevel.ERROR, message);
    }

    /**
     * Logs an error, and its stack trace on the level DEBUG. Never throws, because the calling threads must
     * continue, even without memory.
     *
     * @param message the beginning of the line, which the cause completes
     * @param cause the failure
     */
    public void error(String message, Throwable cause) {
        try {
            log(LogLevel.ERROR, message + ": " + cause);
            log(LogLevel.DEBUG, () -> {
                var text = new StringWriter();
                cause.printStackTrace(new PrintWriter(text));
                return text.toString().replace(System.lineSeparator(), " | ");
            });
        } catch (OutOfMemoryError e) {
            // The line is lost.
        }
    }

    /**
     * Logs a warning: the service works, but an operator should change something.
     *
     * @param message one sentence
     */
    public void warning(String message) {
        log(LogLevel.WARNING, message);
    }

    /**
     * Logs an event that an operator can expect.
     *
     * @param message one sentence
     */
    public void info(String message) {
        log(LogLevel.INFO, message);
    }

    /**
     * Logs a detail for operators that search for the cause of a problem.
     *
     * @param message returns one sentence; called only if the level is enabled
     */
    public void debug(Supplier<String> message) {
        log(LogLevel.DEBUG, message);
    }

    /**
     * Logs a detail for developers.
     *
     * @param message returns one sentence; called only if the level is enabled
     */
    public void trace(Supplier<String> message) {
        log(LogLevel.TRACE, message);
    }

    private void log(LogLevel line, String message) {
        if (level.includes(line)) {
            sink.log(line, PrintableLines.printable(message)); // it may quote hosts and workers
        }
    }

    private void log(LogLevel line, Supplier<String> message) {
        if (level.includes(line)) {
            log(line, message.get());
        }
    }

    /** Continues in a new file, if this logs to a file that has been moved. */
    public void reopen() {
        if (file != null) {
            file.reopen();
        }
    }

    /** Closes the log file, if there is one. */
    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
