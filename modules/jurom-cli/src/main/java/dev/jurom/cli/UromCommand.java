// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.counters.ErrorsCommand;
import dev.jurom.cli.counters.MetricsCommand;
import dev.jurom.cli.counters.StatCommand;
import dev.jurom.cli.counters.TopCommand;
import dev.jurom.cli.doctor.DoctorCommand;
import dev.jurom.cli.model.ModelCommand;
import dev.jurom.cli.ping.PingCommand;
import dev.jurom.cli.service.DevicesCommand;
import dev.jurom.cli.service.PluginsCommand;
import dev.jurom.cli.service.ServiceCommand;
import dev.jurom.cli.service.WorkersCommand;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.HelpCommand;
import dev.jurom.cli.shell.UromProgram;
import dev.jurom.cli.shell.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code urom} command. */
@Command(
        name = "urom",
        synopsisSubcommandLabel = "COMMAND",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Checks, measures and operates services of DOCA UROM.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            ExitCode.DONE_IS,
            ExitCode.FOUND_WRONG_IS,
            ExitCode.USAGE_IS,
            ExitCode.NO_SERVICE_IS,
            ExitCode.LOST_IS,
            ExitCode.NOT_PERMITTED_IS,
            ExitCode.FILE_IS,
            ExitCode.LIBRARY_IS,
            ExitCode.UNEXPECTED_IS,
            ExitCode.NO_READER_IS
        },
        subcommands = {
            CompletionCommand.class,
            DevicesCommand.class,
            DoctorCommand.class,
            ErrorsCommand.class,
            HelpCommand.class,
            KeyCommand.class,
            MetricsCommand.class,
            ModelCommand.class,
            PingCommand.class,
            PluginCommand.class,
            PluginsCommand.class,
            ServiceCommand.class,
            StatCommand.class,
            TopCommand.class,
            WorkersCommand.class
        })
public final class UromCommand {

    @Option(
            names = UromProgram.DEBUG,
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of a" + " failure.")
    private boolean debug;

    UromCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments a subcommand and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(UromProgram.run(new UromCommand(), arguments));
    }
}
