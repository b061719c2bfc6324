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
    public static final LogSettings DEFAULT = builder().build();

    private static final int MIN_SIZE = 4096;

    private final Optional<Path> directory;
    private final LogLevel level;
    private final LogLevel workerLevel;
    private final int maxSize;
    private final int maxFiles;

    private LogSettings(Builder builder) {
        directory = builder.directory;
        level = builder.level;
        workerLevel = builder.workerLevel;
        maxSize = builder.maxSize;
        maxFiles = builder.maxFiles;
    }

    /**
     * Returns a builder.
     *
     * @return a builder with the default settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that is initialized with these settings.
     *
     * @return a builder with all of these settings
     */
    public Builder toBuilder() {
        var builder = new Builder();
        builder.directory = directory;
        builder.level = level;
        builder.workerLevel = workerLevel;
        builder.maxSize = maxSize;
        builder.maxFiles = maxFiles;
        return builder;
    }

    /**
     * Returns these settings with log files.
     *
     * @param logs the directory of the log files of the service and of its workers
     * @return new settings
     */
    public LogSettings withDirectory(Path logs) {
        return toBuilder().directory(logs).build();
    }

    /**
     * Returns these settings with other levels.
     *
     * @param service the least severe level that the service logs
     * @param workers the least severe level that its workers log
     * @return new settings
     */
    public LogSettings withLevels(LogLevel service, LogLevel workers) {
        return toBuilder().level(service).workerLevel(workers).build();
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
        return toBuilder().maxSize(bytes).maxFiles(count).build();
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

    /** Builds settings. This class is not thread-safe. */
    public static final class Builder {

        private Optional<Path> directory = Optional.empty();
        private LogLevel level = LogLevel.WARNING;
        private LogLevel workerLevel = LogLevel.WARNING;
        private int maxSize = DEFAULT_MAX_SIZE;
        private int maxFiles = DEFAULT_MAX_FILES;

        private Builder() {}

        /**
         * Sets the directory of the log files of the service and of its workers.
         *
         * @param logs the directory
         * @return this
         */
        public Builder directory(Path logs) {
            directory = Optional.of(logs.toAbsolutePath());
            return this;
        }

        /**
         * Sets the level of the service's log.
         *
         * @param value the least severe level that is logged
         * @return this
         */
        public Builder level(LogLevel value) {
            level = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the level of the workers' logs.
         *
         * @param value the least severe level that is logged
         * @return this
         */
        public Builder workerLevel(LogLevel value) {
            workerLevel = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the size at which a log file is rotated.
         *
         * @param value a number of bytes, 4096 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxSize(int value) {
            Range.require("size of a log file", value, MIN_SIZE, Integer.MAX_VALUE);
            maxSize = value;
            return this;
        }

        /**
         * Sets how many files of the service's log are kept.
         *
         * @param value 1 to 1000
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxFiles(int value) {
            Range.require("number of log files", value, 1, 1000);
            maxFiles = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return immutable settings with the values of this builder
         */
        public LogSettings build() {
            return new LogSettings(this);
        }
    }
}
