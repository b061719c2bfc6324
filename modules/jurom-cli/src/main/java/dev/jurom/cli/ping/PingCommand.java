// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.ping;

import dev.jurom.cli.shell.ByteSize;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Interruption;
import dev.jurom.cli.shell.NonNegativeSeconds;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code urom ping}: measures the round trips of single commands, as ping(8) does with packets. */
@Command(
        name = "ping",
        description = {
            "Send commands to a worker of its own, and print the round-trip time of each; on Ctrl-C or"
                    + " after -n commands, print a summary.",
            "Between two commands the worker sleeps, and the time includes waking it. --interval 0 --quiet"
                    + " measures an active worker. Unreported commands precede the others, so that the JVM compiles its"
                    + " code: 10 for each command of -n, at most 1000 and for at most 0.5 s.",
            "A time begins when its command is sent. A command is sent after the answer to the previous one, even if the"
                    + " interval ends earlier, so coordinated omission is not corrected: a delay counts once, however"
                    + " many commands it postpones."
        })
public final class PingCommand implements Callable<Integer> {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Number of commands (default: until Ctrl-C).")
    private Integer count;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "64",
            converter = ByteSize.class,
            description = "Size in bytes of each command and of its answer (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            converter = NonNegativeSeconds.class,
            description = "Time in seconds between two commands; 0: none (default: ${DEFAULT-VALUE}).")
    private Duration interval;

    @Option(
            names = {"-W", "--timeout"},
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = NonNegativeSeconds.class,
            description = "Maximum time in seconds to wait for an answer (default: ${DEFAULT-VALUE}).")
    private Duration timeout;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print only the summary.")
    private boolean quiet;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Write a histogram of the round-trip times as" + " SVG.")
    private Path svg;

    @Option(
            names = "--raw",
            paramLabel = "FILE",
            description = "Write the properties of the machine and the summary as a JSON object each, and the"
                    + " round-trip times as a log of HdrHistogram to FILE.hlog.")
    private Path raw;

    @Mixin
    private ServiceOption service;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    PingCommand() {} // created by picocli

    @Override
    public Integer call() {
        var interruption = Interruption.watch();
        try (var chosen = service.open(output::remark);
                var engine = ProgressEngine.create();
                var device = Device.open();
                var running = service.start(engine, device)) {
            return ping(running, interruption);
        }
    }

    private int ping(UromService running, Interruption interruption) {
        var plugin = GraphPlugin.find(running);
        try (var worker =
                UromWorker.create(running.engine(), running).setPlugins(plugin).setMaxTasks(1)) {
            worker.startAndWait(START_TIMEOUT);
            try (var task = worker.commandTask(plugin)) {
                if (size < Echo.HEAD || size > task.payload().byteSize()) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "--size is " + size
                                    + " and must be from " + Echo.HEAD + " to "
                                    + task.payload().byteSize()
                                    + ", the limit that --max-message-size sets");
                }
                var echo = new Echo(task, size, timeout, interruption);
                echo.warmUp(count == null ? Integer.MAX_VALUE : count);
                var report = new PingReport(output, quiet, "worker " + WorkerId.toString(worker.id()), size);
                return ping(echo, report, interruption);
            }
        }
    }

    private int ping(Echo echo, PingReport report, Interruption interruption) {
        try {
            var next = System.nanoTime();
            for (var number = 1L;
                    !interruption.isWanted() && report.isRead() && (count == null || number <= count);
                    number++) {
                report.sent();
                var nanos = echo.send(number);
                if (nanos == Echo.INTERRUPTED) {
                    break;
                }
                report.answered(number, nanos);
                next += interval.toNanos();
                if (count == null || number < count) {
                    echo.pauseUntil(next);
                }
            }
        } finally {
            report.summary();
            if (svg != null) {
                HistogramDrawing.write(svg, report.times(), "urom ping: " + size + " bytes");
            }
            if (raw != null) {
                report.write(raw);
            }
        }
        if (report.times().getTotalCount() == 0) {
            throw new CommandFailure(ExitCode.FOUND_WRONG, "No command was answered");
        }
        return ExitCode.DONE;
    }
}
