// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom faults}: what can be made to happen. */
@Command(name = "faults", description = "Show the fault points of the software, where a test may"
        + " have something go wrong.")
public final class FaultsCommand implements Callable<Integer> {

    @Mixin
    private FaultList list;

    @Option(names = "--write", description = "Write the list into docs/faults.md.")
    private boolean write;

    @Mixin
    private Output output;

    private FaultsCommand() {
    }

    @Override
    public Integer call() {
        list.print(output);
        if (write) {
            FaultList.write(Path.of(System.getProperty("jurom.source", "."), "docs", "faults.md"));
        }
        return ExitCode.DONE;
    }
}
