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
import dev.jurom.cli.shell.HelpCommand;
import dev.jurom.cli.shell.UromProgram;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code urom} command. */
@Command(
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
public final class UromCommand extends UromRoot {

    /** The subcommands that do not use other ones. */
    private static final Map<String, Class<?>> INDEPENDENT = Map.ofEntries(
            Map.entry("devices", DevicesCommand.class),
            Map.entry("doctor", DoctorCommand.class),
            Map.entry("errors", ErrorsCommand.class),
            Map.entry("key", KeyCommand.class),
            Map.entry("metrics", MetricsCommand.class),
            Map.entry("model", ModelCommand.class),
            Map.entry("ping", PingCommand.class),
            Map.entry("plugin", PluginCommand.class),
            Map.entry("plugins", PluginsCommand.class),
            Map.entry("service", ServiceCommand.class),
            Map.entry("stat", StatCommand.class),
            Map.entry("top", TopCommand.class),
            Map.entry("workers", WorkersCommand.class));

    UromCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments a subcommand and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(UromProgram.run(commandLine(arguments), arguments));
    }

    /**
     * Returns the command line for arguments. If they begin with a subcommand, there are no other ones, since the
     * inspection of all subcommands takes a third of a second.
     */
    static CommandLine commandLine(String... arguments) {
        var subcommand = arguments.length == 0 ? null : INDEPENDENT.get(arguments[0]);
        return subcommand == null
                ? new CommandLine(new UromCommand())
                : new CommandLine(new UromRoot()).addSubcommand(subcommand);
    }
}
