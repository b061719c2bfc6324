// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs microbenchmarks for the page; for anything else there is JMH's own command line. */
@Command(
        name = "jmh",
        mixinStandardHelpOptions = true,
        description = "Runs microbenchmarks and"
                + " puts their table into docs/latency.md. Without --write, `scripts/bench jmh` takes JMH's own"
                + " options.")
final class JmhCommand implements Runnable {

    @Option(names = "--write", required = true, description = "Puts the table into" + " docs/latency.md.")
    private boolean write;

    @Option(names = "--quick", description = "Too short to mean much.")
    private boolean quick;

    @Parameters(
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Only benchmarks in whose" + " name this regular expression is found.")
    private String pattern;

    @Override
    public void run() {
        Microbenchmarks.write(pattern, quick);
    }
}
