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
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The log of the service. This class is thread-safe. */
public final class ServiceLog implements AutoCloseable {

    /** Receives lines of an enabled level. */
    @FunctionalInterface
    private interface Sink {
        void log(LogLevel level, String message);
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss:SSSSSSxx", Locale.ROOT);

    private static final String COMPONENT = "DAEMON";
    private static final String AUDIT_COMPONENT = "AUDIT";

    private final LogLevel level;
    private final Sink sink;
    private final Sink audit;
    private final List<LogFile> files;
    private final LineLimiter limiter = new LineLimiter();

    private ServiceLog(LogLevel level, Sink sink, Sink audit, List<LogFile> files) {
        this.level = level;
        this.sink = sink;
        this.audit = audit;
        this.files = files;
    }

    /**
     * Creates a log that appends to the daemon's file in a directory. The audit log is another file there. If standard
     * error leads to the system's journal, the journal also receives warnings, errors and the audit log.
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
            var audit = new LogFile(
                    directory.resolve(LogSettings.AUDIT_FILE_NAME), settings.maxSize(), settings.maxFiles());
            var own = lines(COMPONENT, file::write);
            var audited = lines(AUDIT_COMPONENT, audit::write);
            return new ServiceLog(
                    settings.level(),
                    leadsToJournal() ? both(own, LogLevel.WARNING, lines(COMPONENT, System.err::println)) : own,
                    leadsToJournal()
                            ? both(audited, LogLevel.INFO, lines(AUDIT_COMPONENT, System.err::println))
                            : audited,
                    List.of(file, audit));
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
        return new ServiceLog(
                level, lines(COMPONENT, System.err::println), lines(AUDIT_COMPONENT, System.err::println), List.of());
    }

    /** Returns whether standard error is the connection to the journal that systemd has given to this process. */
    private static boolean leadsToJournal() {
        try {
            var attributes = Files.readAttributes(Path.of("/proc/self/fd/2"), "unix:dev,ino");
            return (attributes.get("dev") + ":" + attributes.get("ino")).equals(System.getenv("JOURNAL_STREAM"));
        } catch (IOException e) {
            return false; // it is closed
        }
    }

    /**
     * {@return a log that uses {@link System.Logger}, like the application's own}. The audit log is of the level INFO.
     *
     * @param level the least important level that is passed on
     */
    public static ServiceLog toSystemLogger(LogLevel level) {
        var logger = System.getLogger("dev.jurom.service");
        Sink sink = (l, message) -> logger.log(
                switch (l) {
                    case DISABLE -> System.Logger.Level.OFF;
                    case CRITICAL, ERROR -> System.Logger.Level.ERROR;
                    case WARNING -> System.Logger.Level.WARNING;
                    case INFO -> System.Logger.Level.INFO;
                    case DEBUG -> System.Logger.Level.DEBUG;
                    case TRACE -> System.Logger.Level.TRACE;
                },
                message);
        return new ServiceLog(
                level,
                sink,
                (line, message) -> {
                    if (level.includes(line)) {
                        sink.log(line, message);
                    }
                },
                List.of());
    }

    /** Returns a sink that passes all lines to one sink, and those of a level or more important to a second one. */
    private static Sink both(Sink all, LogLevel least, Sink important) {
        return (line, message) -> {
            all.log(line, message);
            if (least.includes(line)) {
                important.log(line, message);
            }
        };
    }

    private static Sink lines(String component, Consumer<String> output) {
        var process = ProcessHandle.current().pid();
        return (level, message) -> output.accept("[" + TIME.format(OffsetDateTime.now()) + "][" + process + "][UROM]["
                + level.shortName() + "][" + component + "] " + message);
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
            trace(cause);
        } catch (OutOfMemoryError e) {
            // The line is lost.
        }
    }

    /**
     * Logs a failure that a peer may have caused, as {@link #error(String, Throwable)} does.
     *
     * @param source the address or the user of the peer
     * @param message the beginning of the line, which the failure completes
     * @param failure the failure
     */
    public void causedFailure(String source, String message, Throwable failure) {
        try {
            caused(PeerCause.FAILURE, source, LogLevel.ERROR, message + ": " + failure);
            trace(failure);
        } catch (OutOfMemoryError e) {
            // The line is lost.
        }
    }

    private void trace(Throwable cause) {
        log(LogLevel.DEBUG, () -> {
            var text = new StringWriter();
            cause.printStackTrace(new PrintWriter(text));
            return text.toString().replace(System.lineSeparator(), " | ");
        });
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
     * Logs a line that a peer causes. No peer can displace other lines from the log: the lines of a cause and a source
     * are limited, and {@link #summarize} logs how many were not written.
     *
     * @param cause the event
     * @param source the address or the user of the peer
     * @param line ERROR, WARNING or INFO
     * @param message one sentence
     */
    public void caused(PeerCause cause, String source, LogLevel line, String message) {
        if (level.includes(line) && limiter.admits(cause, source, line)) {
            log(line, message);
        }
    }

    /**
     * Writes a line to the audit log, whatever the level of the log is.
     *
     * @param message the line
     */
    public void audit(String message) {
        audit.log(LogLevel.INFO, PrintableLines.printable(message));
    }

    /**
     * Writes a line about a local peer to the audit log, as {@link #audit(String)} does, unless there are too many of
     * this source.
     *
     * @param cause the event
     * @param source the user of the peer
     * @param message the line
     */
    public void audit(PeerCause cause, String source, String message) {
        if (limiter.admits(cause, source, LogLevel.INFO)) {
            audit(message);
        }
    }

    /** Logs for each cause how many lines of peers were not written since the last call, which is a minute ago. */
    public void summarize() {
        limiter.next().forEach(summary -> {
            if (summary.cause().isOfAudit()) {
                audit(summary.text());
            } else {
                log(summary.level(), summary.text());
            }
        });
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

    /** Continues in new files, if this logs to files that have been moved. */
    public void reopen() {
        files.forEach(LogFile::reopen);
    }

    /** Closes the log files, if there are any. */
    @Override
    public void close() {
        files.forEach(LogFile::close);
    }
}
