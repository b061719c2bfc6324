// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.FailureLine;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The commands of {@code scripts/bench}, except counters and direct runs of JMH. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measure the cost of commands. `COMMAND --help` lists the options of a command. Two further"
                + " commands: `counters` counts instructions, and `jmh` without --write passes its arguments to JMH.",
        subcommands = {
            RatiosCommand.class,
            AbCommand.class,
            CurvesCommand.class,
            OpenLoopCommand.class,
            CallersCommand.class,
            CancellationCommand.class,
            EnginesCommand.class,
            SyscallsCommand.class,
            JavaPluginsCommand.class,
            CompressionCommand.class,
            LuceneCommand.class,
            JmhCommand.class,
            ReportCommand.class
        })
public final class BenchMain {

    private BenchMain() {}

    /**
     * Runs a command.
     *
     * @param arguments {@code --help} lists them
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(BenchMain::report)
                .execute(arguments));
    }

    private static int report(Exception failure, CommandLine command, ParseResult result) {
        var line = FailureLine.of(failure);
        if (line.exitCode() == ExitCode.UNEXPECTED) {
            failure.printStackTrace();
        } else {
            System.err.println("bench: " + line.text());
        }
        return line.exitCode();
    }
}
