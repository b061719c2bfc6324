// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.proof.report.ReliabilityPage;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of {@code scripts/urom faults} that reintroduces recorded defects. */
public final class ProveOption {

    @Option(
            names = "--prove",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "NAME",
            description = "Reintroduce each defect of src/test/faults, or the named one, in a copy of the sources,"
                    + " and check whether the runs find it.")
    private String name;

    /** Returns whether the option was given. */
    public boolean isWanted() {
        return name != null;
    }

    /**
     * Reintroduces the defects and searches for them.
     *
     * @param root the repository
     * @param seed the seed of the runs
     * @param output the destination of messages
     * @param write whether to update docs/reliability.md
     * @return the exit code
     */
    public int prove(Path root, long seed, Output output, boolean write) throws IOException, InterruptedException {
        var record = new TrackRecord(root, seed, output::say);
        var found = record.prove(name);
        var lines = record.lines();
        lines.forEach(output::say);
        if (write) {
            ReliabilityPage.write(
                    root.resolve("docs/reliability.md"),
                    "prove",
                    "## Track record\n\n```\n$ scripts/urom faults --prove --seed " + seed + "\n"
                            + String.join("\n", lines) + "\n```");
        }
        return found ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }
}
