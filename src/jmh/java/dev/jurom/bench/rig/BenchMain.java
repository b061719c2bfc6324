// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of {@code scripts/bench}, except direct runs of JMH. */
@Command(
        name = "bench",
        subcommands = {
            RatiosCommand.class,
            SyscallsCommand.class,
            OpenLoopCommand.class,
            CallersCommand.class,
            CancellationCommand.class,
            EnginesCommand.class,
            CurvesCommand.class,
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
        System.exit(new CommandLine(new BenchMain()).execute(arguments));
    }
}
