// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.settings.LogSettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of the service's and its workers' logs. */
final class LogOptions {

    private static final String LEVELS =
            "10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, 50=INFO," + " 60=DEBUG, 70=TRACE";

    @Option(
            names = {"-l", "--log-level"},
            paramLabel = "LEVEL",
            defaultValue = "50",
            description = "Log level of the service: " + LEVELS + " (default: ${DEFAULT-VALUE}).")
    private int level;

    @Option(
            names = "--sdk-log-level",
            paramLabel = "LEVEL",
            defaultValue = "40",
            description = "Log level of the workers (default: ${DEFAULT-VALUE}).")
    private int workerLevel;

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
        var settings = LogSettings.DEFAULT
                .withLevels(LogLevel.of(level), LogLevel.of(workerLevel))
                .withRotation(maxSize, maxFiles);
        return directory == null ? settings : settings.withDirectory(directory);
    }
}
