// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import dev.jurom.proof.report.ReliabilityPage;
import java.nio.file.Path;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code urom faults --list}: all fault points, on the screen and in docs/faults.md. */
public final class FaultList {

    private static final String SECTION = "points";

    @Option(
            names = "--list",
            description = "List all fault points, and what can be made to happen"
                    + " there; with --write, also in docs/faults.md.")
    private boolean wanted;

    /** Whether it has been asked for. */
    public boolean isWanted() {
        return wanted;
    }

    /** Prints it. */
    public void print(Output output) {
        var table = Table.of("name", "roles", "kind", "actions", "what_it_stands_for");
        for (var point : FaultPoints.read().all()) {
            table.row(
                    point.name(),
                    point.roles().stream().map(FaultRole::word).toList(),
                    point.kind(),
                    point.actions().stream().toList(),
                    point.meaning());
        }
        output.print(table);
    }

    /** Writes it into a page, between {@code <!-- begin points -->} and its end. */
    public static void write(Path page) {
        ReliabilityPage.write(page, SECTION, markdown());
    }

    private static String markdown() {
        return "| point | reached by | kind | what it stands for |\n|---|---|---|---|\n"
                + FaultPoints.read().all().stream().map(FaultList::row).collect(Collectors.joining());
    }

    private static String row(FaultPoint point) {
        return "| `" + point.name() + "` | "
                + point.roles().stream().map(FaultRole::word).collect(Collectors.joining(", ")) + " | " + point.kind()
                + " | "
                + point.meaning() + " |\n";
    }
}
