// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code urom completion}: prints a completion script for both programs. */
@Command(
        name = "completion",
        description = {
            "Prints a completion script of urom and urom-daemon for bash and zsh:",
            "  source <(urom completion)"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        System.out.print(AutoComplete.bash("urom", spec.root().commandLine()));
        System.out.print(AutoComplete.bash("urom-daemon", UromDaemonMain.commandLine()));
        return 0;
    }
}
