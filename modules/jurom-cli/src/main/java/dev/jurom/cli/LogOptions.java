// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.settings.LogSettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What is logged and where. */
final class LogOptions {

    private static final String LEVELS =
            "10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, 50=INFO," + " 60=DEBUG, 70=TRACE";

    @Option(
            names = {"-l", "--log-level"},
            paramLabel = "LEVEL",
            defaultValue = "50",
            description = "How much the service logs: " + LEVELS + " (default: ${DEFAULT-VALUE}).")
    private int level;

    @Option(
            names = "--sdk-log-level",
            paramLabel = "LEVEL",
            defaultValue = "40",
            description = "How much its workers log (default: ${DEFAULT-VALUE}).")
    private int workerLevel;

    @Option(
            names = "--log-dir",
            paramLabel = "DIRECTORY",
            description = "Where " + LogSettings.FILE_NAME + " and the workers' urom_worker_<pid>"
                    + "_dev.log are written (default: all goes to standard error, but other users' workers"
                    + " log nowhere).")
    private Path directory;

    @Option(
            names = "--log-size",
            paramLabel = "BYTES",
            defaultValue = "" + LogSettings.DEFAULT_MAX_SIZE,
            description = "How long a log file may be before another is begun (default:" + " ${DEFAULT-VALUE}).")
    private int maxSize;

    @Option(
            names = "--log-files",
            paramLabel = "N",
            defaultValue = "" + LogSettings.DEFAULT_MAX_FILES,
            description = "How many files of the service's log are kept (default:" + " ${DEFAULT-VALUE}).")
    private int maxFiles;

    LogSettings settings() {
        var settings = LogSettings.DEFAULT
                .withLevels(LogLevel.of(level), LogLevel.of(workerLevel))
                .withRotation(maxSize, maxFiles);
        return directory == null ? settings : settings.withDirectory(directory);
    }
}
