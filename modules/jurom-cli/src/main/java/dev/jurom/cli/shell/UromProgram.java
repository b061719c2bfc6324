// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs a command and reports any failure as one line on standard error and an exit code. */
public final class UromProgram {

    /** The option of each command that prints the stack trace of a failure. */
    public static final String DEBUG = "--debug";

    private UromProgram() {}

    /**
     * Runs a command.
     *
     * @param command the command with its subcommands
     * @param arguments the command line
     * @return one of {@link ExitCode}
     */
    public static int run(CommandLine command, String[] arguments) {
        var exitCode = execute(command, arguments);
        Interruption.ended(exitCode);
        return exitCode;
    }

    private static int execute(CommandLine command, String[] arguments) {
        if (!List.of(arguments).contains(DEBUG)) {
            LibraryLog.quieten();
        }
        var exitCode = ValueConverters.register(command)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Colour.areUsed() ? Ansi.ON : Ansi.OFF))
                .setExecutionExceptionHandler(UromProgram::report)
                .setParameterExceptionHandler((wrong, words) -> reportUsage(wrong))
                .execute(arguments);
        if (System.out.checkError()) { // print streams do not throw
            if (Terminal.outputHasReader()) {
                return ExitCode.NO_READER; // silently, as programs that SIGPIPE ends
            }
            System.err.println("urom: standard output cannot be written: the disk may be full");
            return exitCode == ExitCode.DONE ? ExitCode.FILE : exitCode;
        }
        return exitCode;
    }

    private static int report(Exception failure, CommandLine command, ParseResult result) {
        var line = FailureLine.of(failure);
        System.err.println("urom: " + line.text());
        if (isDebugged(command)) {
            failure.printStackTrace(System.err);
        }
        return line.exitCode();
    }

    /** Returns whether the option is given before or after the subcommand. */
    private static boolean isDebugged(CommandLine command) {
        for (var at = command; at != null; at = at.getParent()) {
            if (at.getParseResult().matchedOptionValue(DEBUG, false)) {
                return true;
            }
        }
        return false;
    }

    private static int reportUsage(ParameterException wrong) {
        System.err.println("urom: " + FailureLine.of(wrong).text() + " (see "
                + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help)");
        return ExitCode.USAGE;
    }
}
