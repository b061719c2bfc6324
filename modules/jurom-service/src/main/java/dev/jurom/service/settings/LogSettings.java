// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.runtime.LogLevel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The levels and the files of the logs of a service and of its workers. Instances are immutable. */
public final class LogSettings {

    /** The name of the service's log in the directory, as in DOCA's service guide. */
    public static final String FILE_NAME = "urom_daemon_dev.log";
    /** The name of the file with one line at the start and one at the end of each session. */
    public static final String AUDIT_FILE_NAME = "urom_audit.log";
    /** Default size at which a log file is rotated, in bytes. */
    public static final int DEFAULT_MAX_SIZE = 10 << 20;
    /** Default number of log files that are kept. */
    public static final int DEFAULT_MAX_FILES = 5;
    /** The default settings: warnings and errors, and no files. */
    public static final LogSettings DEFAULT =
            new LogSettings(Optional.empty(), LogLevel.WARNING, LogLevel.WARNING, DEFAULT_MAX_SIZE, DEFAULT_MAX_FILES);

    private static final int MIN_SIZE = 4096;

    private final Optional<Path> directory;
    private final LogLevel level;
    private final LogLevel workerLevel;
    private final int maxSize;
    private final int maxFiles;

    private LogSettings(Optional<Path> directory, LogLevel level, LogLevel workerLevel, int maxSize, int maxFiles) {
        this.directory = directory.map(Path::toAbsolutePath);
        this.level = Objects.requireNonNull(level);
        this.workerLevel = Objects.requireNonNull(workerLevel);
        this.maxSize = maxSize;
        this.maxFiles = maxFiles;
        Range.require("size of a log file", maxSize, MIN_SIZE, Integer.MAX_VALUE);
        Range.require("number of log files", maxFiles, 1, 1000);
    }

    /**
     * Returns these settings with log files.
     *
     * @param logs the directory of the log files of the service and of its workers
     * @return new settings
     */
    public LogSettings withDirectory(Path logs) {
        return new LogSettings(Optional.of(logs), level, workerLevel, maxSize, maxFiles);
    }

    /**
     * Returns these settings with other levels.
     *
     * @param service the least severe level that the service logs
     * @param workers the least severe level that its workers log
     * @return new settings
     */
    public LogSettings withLevels(LogLevel service, LogLevel workers) {
        return new LogSettings(directory, service, workers, maxSize, maxFiles);
    }

    /**
     * Returns these settings with another rotation of log files.
     *
     * @param bytes the size at which a file is rotated, 4096 or more
     * @param count the number of files of the service's log that are kept, 1 to 1000
     * @return new settings
     * @throws IllegalArgumentException if a number is out of its range
     */
    public LogSettings withRotation(int bytes, int count) {
        return new LogSettings(directory, level, workerLevel, bytes, count);
    }

    /**
     * Returns the directory of the log files of the service and of its workers.
     *
     * @return an absolute path; if empty, the service logs to {@link System.Logger}, workers of its own user
     *        log to standard error, and workers of other users do not log
     */
    public Optional<Path> directory() {
        return directory;
    }

    /**
     * Returns the level of the service's log.
     *
     * @return the least severe level that is logged
     */
    public LogLevel level() {
        return level;
    }

    /**
     * Returns the level of the workers' logs.
     *
     * @return the least severe level that is logged
     */
    public LogLevel workerLevel() {
        return workerLevel;
    }

    /**
     * Returns the size at which a log file is rotated.
     *
     * @return a number of bytes, 4096 or more
     */
    public int maxSize() {
        return maxSize;
    }

    /**
     * Returns the number of files of the service's log that are kept.
     *
     * @return 1 to 1000
     */
    public int maxFiles() {
        return maxFiles;
    }

    private List<Object> values() {
        return List.of(directory, level, workerLevel, maxSize, maxFiles);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof LogSettings that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "LogSettings[directory=" + directory + ", level=" + level + ", workerLevel=" + workerLevel + ", maxSize="
                + maxSize + ", maxFiles=" + maxFiles + "]";
    }
}
