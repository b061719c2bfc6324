// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import dev.jurom.proof.report.ReliabilityPage;
import java.nio.file.Path;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code urom faults --list}: all fault points, printed or written to docs/faults.md. */
public final class FaultList {

    private static final String SECTION = "points";

    @Option(
            names = "--list",
            description = "List all fault points and their actions; with --write, update docs/faults.md too.")
    private boolean wanted;

    /** Returns whether the option was given. */
    public boolean isWanted() {
        return wanted;
    }

    /** Prints the list. */
    public void print(Output output) {
        var table = Table.of("name", "roles", "kind", "actions", "description");
        for (var point : FaultPoints.read().all()) {
            table.row(
                    point.name(),
                    point.roles().stream().map(FaultRole::word).toList(),
                    point.kind(),
                    point.actions().stream().toList(),
                    point.description());
        }
        output.print(table);
    }

    /** Writes the list into a page, between {@code <!-- begin points -->} and {@code <!-- end points -->}. */
    public static void write(Path page) {
        ReliabilityPage.write(page, SECTION, markdown());
    }

    private static String markdown() {
        return "| point | role | kind | description |\n|---|---|---|---|\n"
                + FaultPoints.read().all().stream().map(FaultList::row).collect(Collectors.joining());
    }

    private static String row(FaultPoint point) {
        return "| `" + point.name() + "` | "
                + point.roles().stream().map(FaultRole::word).collect(Collectors.joining(", ")) + " | " + point.kind()
                + " | "
                + point.description() + " |\n";
    }
}
