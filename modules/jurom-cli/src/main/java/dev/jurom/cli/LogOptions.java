// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.ByteSize;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.settings.LogSettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of the service's and its workers' logs. */
final class LogOptions {

    private static final String LEVELS =
            "10 or disable, 20 or critical, 30 or error, 40 or warning, 50 or info," + " 60 or debug, 70 or trace";

    @Option(
            names = {"-l", "--log-level"},
            paramLabel = "LEVEL",
            defaultValue = "50",
            description = "Log level of the service: " + LEVELS + " (default: ${DEFAULT-VALUE}).")
    private LogLevel level;

    @Option(
            names = "--sdk-log-level",
            paramLabel = "LEVEL",
            defaultValue = "40",
            description = "Log level of the workers (default: ${DEFAULT-VALUE}).")
    private LogLevel workerLevel;

    @Option(
            names = "--log-dir",
            paramLabel = "DIRECTORY",
            description = "Directory of " + LogSettings.FILE_NAME + " and the workers' urom_worker_<pid>"
                    + "_dev.log (default: logs go to standard error, except that workers of other users do not"
                    + " log).")
    private Path directory;

    @Option(
            names = "--log-size",
            paramLabel = "BYTES",
            defaultValue = "" + LogSettings.DEFAULT_MAX_SIZE,
            converter = ByteSize.class,
            description = "Maximum size in bytes of a log file before the service starts another (default:"
                    + " ${DEFAULT-VALUE}).")
    private int maxSize;

    @Option(
            names = "--log-files",
            paramLabel = "N",
            defaultValue = "" + LogSettings.DEFAULT_MAX_FILES,
            description = "Number of files of the service's log to keep (default: ${DEFAULT-VALUE}).")
    private int maxFiles;

    LogSettings settings() {
        var settings = LogSettings.DEFAULT.withLevels(level, workerLevel).withRotation(maxSize, maxFiles);
        return directory == null ? settings : settings.withDirectory(directory);
    }
}
