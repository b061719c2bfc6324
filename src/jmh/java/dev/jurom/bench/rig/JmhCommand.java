// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scripts/bench jmh --write}: runs microbenchmarks and updates docs/latency.md. */
@Command(
        name = "jmh",
        mixinStandardHelpOptions = true,
        description = "Run microbenchmarks and write the table to docs/latency.md. Without --write, `scripts/bench"
                + " jmh` accepts the options of JMH.")
final class JmhCommand implements Runnable {

    @Option(names = "--write", required = true, description = "Write the table to docs/latency.md.")
    private boolean write;

    @Option(names = "--quick", description = "Use short iterations with low precision.")
    private boolean quick;

    @Parameters(
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Run only benchmarks with a name that contains this regular expression.")
    private String pattern;

    @Override
    public void run() {
        Microbenchmarks.write(pattern, quick);
    }
}
