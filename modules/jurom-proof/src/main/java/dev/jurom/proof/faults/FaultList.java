// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import picocli.CommandLine.Option;

/** The option {@code --list} of {@code urom faults}, which prints all fault points. */
public final class FaultList {

    @Option(names = "--list", description = "List all fault points and their actions.")
    private boolean requested;

    /** Returns whether the option was given. */
    public boolean isRequested() {
        return requested;
    }

    /** Prints all fault points as a table. */
    public void print(Output output) {
        var table = Table.of("name", "roles", "kind", "actions", "description");
        for (var point : FaultPoints.all()) {
            table.row(
                    point.name(),
                    point.roles().stream().map(FaultRole::toString).toList(),
                    point.kind(),
                    point.actions().stream().toList(),
                    point.description());
        }
        output.print(table);
    }
}
