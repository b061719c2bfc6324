// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares everything with what it should be compared with. */
@Command(name = "ratios", description = "Compares UROM with its floors and with its peers, in"
        + " interleaved rounds: a table of ratios, and whether they are what they should be.")
final class RatiosCommand implements Runnable {

    @Option(names = "--rounds", defaultValue = "40",
            description = "How often each comparison runs (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--programs", required = true, hidden = true)
    private Path programs;

    @Override
    public void run() {
        var results = measure(programs, rounds);
        System.out.printf("%s%n%s%n%n%s", results.ratios(), results.states(), results.subjects());
    }

    static RatioResults measure(Path programs, int rounds) {
        try (var subjects = new Subjects(programs);
                var run = new RatioRun(subjects.cacheLine(), subjects.comparisons())) {
            return run.run(rounds);
        }
    }
}
