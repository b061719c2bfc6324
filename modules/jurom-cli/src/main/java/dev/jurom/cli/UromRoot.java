// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.UromProgram;
import dev.jurom.cli.shell.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code urom} command without its subcommands. */
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
        })
class UromRoot {

    @Option(names = UromProgram.DEBUG, scope = ScopeType.INHERIT, description = "Print the stack trace of a failure.")
    private boolean debug;

    UromRoot() {}
}
