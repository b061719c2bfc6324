// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof;

import dev.jurom.cli.shell.UromProgram;
import dev.jurom.proof.runs.FaultsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The commands of {@code scripts/urom} that test jurom under faults. */
@Command(
        name = "urom",
        synopsisSubcommandLabel = "COMMAND",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        description = "Test jurom under faults.",
        subcommands = FaultsCommand.class)
public final class ProofCommand {

    @Option(names = UromProgram.DEBUG, scope = ScopeType.INHERIT, description = "Print the stack trace of a failure.")
    private boolean debug;

    private ProofCommand() {}

    /**
     * Runs the command and exits the JVM with its exit code.
     *
     * @param arguments a subcommand and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(UromProgram.run(new CommandLine(new ProofCommand()), arguments));
    }
}
