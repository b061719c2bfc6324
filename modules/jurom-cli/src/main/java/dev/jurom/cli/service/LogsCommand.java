// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Interruption;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom service logs}: prints the last lines of the log of a service or a worker. */
@Command(name = "logs", description = "Prints the last lines of the log of a service or of one of its workers.")
final class LogsCommand implements Callable<Integer> {

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "100",
            converter = PositiveNumber.class,
            description = "Number of lines (default: ${DEFAULT-VALUE}).")
    private int lines;

    @Option(
            names = {"-f", "--follow"},
            description = "Print new lines as they are written, until Ctrl-C or until the service ends.")
    private boolean follow;

    @Option(
            names = {"-w", "--worker"},
            paramLabel = "PROCESS",
            converter = PositiveNumber.class,
            description = "Print the log of the worker with this process id.")
    private Integer worker;

    @Option(
            names = "--log-dir",
            paramLabel = "DIRECTORY",
            description = "Print the log in this directory, such as /var/log/doca/urom of the vendor's service, without"
                    + " a running service; -f then ends with Ctrl-C.")
    private Path directory;

    @Mixin
    private RunningServiceOption service;

    @Override
    public Integer call() throws IOException {
        var interruption = Interruption.watch();
        var running = directory == null ? Optional.of(service.find()) : Optional.<ServiceStatus>empty();
        var log = new LogTail(file(running.map(LogsCommand::directory).orElse(directory)));
        log.last(lines, this::print);
        System.out.flush();
        while (follow
                && !interruption.isWanted()
                && running.map(ServiceStatus::isAlive).orElse(true)
                && !System.out.checkError()) {
            log.more(this::print);
            System.out.flush();
        }
        return ExitCode.DONE;
    }

    /** Marks each line of a worker, since a worker can write lines that imitate the service's. */
    private void print(String line) {
        System.out.println(worker == null ? line : "worker " + worker + ": " + line);
    }

    private static Path directory(ServiceStatus status) {
        return status.logDirectory()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FOUND_WRONG,
                        "The service of process " + status.process()
                                + " does not log to a file: read its standard error (under systemd:"
                                + " journalctl _PID=" + status.process() + "), or start it with --log-dir"));
    }

    private Path file(Path folder) {
        return folder.resolve(worker == null ? LogSettings.FILE_NAME : "urom_worker_" + worker + "_dev.log");
    }
}
