// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.host.RunService;
import dev.jurom.service.settings.LogSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads new log lines of the processes of a job. */
final class Logs {

    private static final String WORKER = "urom_worker_";

    private final Path directory;
    private final Map<Path, Long> read = new HashMap<>();

    Logs(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns the lines since the previous call, each prefixed with its file name. Deletes the log files of
     * workers.
     */
    List<String> newLines() {
        var lines = new ArrayList<String>();
        try (var errors = Files.newDirectoryStream(directory, "*.err");
                var logs = Files.newDirectoryStream(directory.resolve(RunService.LOGS))) {
            for (var file : errors) {
                addNewLines(file, lines);
            }
            for (var file : logs) {
                if (file.endsWith(LogSettings.AUDIT_FILE_NAME)) {
                    continue; // audit records do not report problems
                }
                addNewLines(file, lines);
                if (file.getFileName().toString().startsWith(WORKER)) {
                    Files.deleteIfExists(file);
                    read.remove(file);
                }
            }
        } catch (IOException e) {
            lines.add("cannot read logs: " + e);
        }
        return lines;
    }

    private void addNewLines(Path file, List<String> lines) throws IOException {
        var from = read.getOrDefault(file, 0L);
        var size = Files.size(file);
        if (size == from) {
            return;
        }
        try (var bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(from);
            var text = new byte[(int) (size - from)];
            bytes.readFully(text);
            new String(text, StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> lines.add(file.getFileName() + ": " + line));
        }
        read.put(file, size);
    }
}
