// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof;

import dev.jurom.cli.shell.UromProgram;
import dev.jurom.proof.record.CoverageCommand;
import dev.jurom.proof.runs.FaultsCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The commands of {@code scripts/urom} that prove jurom. */
@Command(name = "urom", synopsisSubcommandLabel = "COMMAND", scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true, description = "Prove what must hold.",
        subcommands = {CoverageCommand.class, FaultsCommand.class})
public final class ProofCommand {

    @Option(names = UromProgram.DEBUG, scope = ScopeType.INHERIT,
            description = "Show where a failure came from.")
    private boolean debug;

    private ProofCommand() {
    }

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments a subcommand and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(UromProgram.run(new ProofCommand(), arguments));
    }
}
