// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The {@code urom} command: what can be done with jurom from a shell. */
@Command(name = "urom", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND",
        description = "Offload work through DOCA UROM.",
        subcommands = {DemoCommand.class, FootprintCommand.class, KeyCommand.class,
            PingPongCommand.class, RdmoDemoCommand.class, SoakCommand.class})
public final class UromCommand {

    private UromCommand() {
    }

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments a subcommand and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new UromCommand())
                .setExecutionExceptionHandler(UromCommand::tell)
                .execute(arguments));
    }

    /** A failure is one line, and with {@code -Djurom.trace} the stack that led to it too. */
    private static int tell(Exception failure, CommandLine command, ParseResult result) {
        command.getErr().println("urom: " + failure.getMessage());
        if (Boolean.getBoolean("jurom.trace")) {
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
