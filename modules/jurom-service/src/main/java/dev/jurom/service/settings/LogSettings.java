// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.runtime.LogLevel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What is logged and where.
 *
 * @param directory where the logs of the service and of its workers go; without: those of the
 *        workers to standard error (those of other users' workers nowhere), and the service's to
 *        {@link System.Logger}
 * @param level how much the service logs
 * @param workerLevel how much its workers log
 * @param maxSize bytes of a file before another is begun
 * @param maxFiles how many files of the service are kept
 */
public record LogSettings(Optional<Path> directory, LogLevel level, LogLevel workerLevel, int maxSize, int maxFiles) {

    /** The name of the service's log in the directory, as the service guide has it. */
    public static final String FILE_NAME = "urom_daemon_dev.log";
    /** Bytes of a log file before another is begun, unless another size is asked for. */
    public static final int DEFAULT_MAX_SIZE = 10 << 20;
    /** How many log files are kept unless another number is asked for. */
    public static final int DEFAULT_MAX_FILES = 5;
    /** Warnings and errors, and no files. */
    public static final LogSettings DEFAULT =
            new LogSettings(Optional.empty(), LogLevel.WARNING, LogLevel.WARNING, DEFAULT_MAX_SIZE, DEFAULT_MAX_FILES);

    private static final int MIN_SIZE = 4096;

    /**
     * Makes settings.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public LogSettings {
        directory = directory.map(Path::toAbsolutePath);
        Objects.requireNonNull(level);
        Objects.requireNonNull(workerLevel);
        Range.require("size of a log file", maxSize, MIN_SIZE, Integer.MAX_VALUE);
        Range.require("number of log files", maxFiles, 1, 1000);
    }
}
