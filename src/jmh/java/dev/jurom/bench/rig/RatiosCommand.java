// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares everything with what it should be compared with. */
@Command(name = "ratios", description = "Compares UROM with its floors and with its peers, in"
        + " interleaved rounds: a table of ratios, and whether they are what they should be.")
final class RatiosCommand implements Runnable {

    @Option(names = "--rounds", defaultValue = "40",
            description = "How often each comparison runs (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public void run() {
        var results = measure(rounds);
        System.out.printf("%s%n%s%n%n%s", results.ratios(), results.states(), results.subjects());
    }

    static RatioResults measure(int rounds) {
        try (var subjects = new Subjects();
                var run = new RatioRun(subjects.cacheLine(), subjects.comparisons(),
                        subjects.limits())) {
            return run.run(rounds);
        }
    }
}
