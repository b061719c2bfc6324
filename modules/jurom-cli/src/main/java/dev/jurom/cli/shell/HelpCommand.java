// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code urom help}: prints the help of a command at any level, which picocli's own command cannot. */
@Command(name = "help", helpCommand = true, description = "Print the help of a command.")
public final class HelpCommand implements Callable<Integer> {

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Command, such as service status.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec;

    private HelpCommand() {}

    @Override
    public Integer call() {
        var command = spec.parent().commandLine();
        for (var word : words) {
            var next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        command,
                        "there is no command '" + command.getCommandSpec().qualifiedName() + " " + word + "'");
            }
            command = next;
        }
        command.usage(command.getOut());
        return ExitCode.DONE;
    }
}
