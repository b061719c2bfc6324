// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scripts/bench jmh --write}: runs microbenchmarks and updates docs/latency.md. */
@Command(
        name = "jmh",
        mixinStandardHelpOptions = true,
        description = "Run microbenchmarks and print a table. `scripts/bench jmh` runs this command with --write only;"
                + " otherwise, it accepts the options of JMH. Each mean is of operations in a loop: a delay counts as one"
                + " long operation, so coordinated omission is not corrected.")
final class JmhCommand implements Runnable {

    @Option(names = "--write", description = "Write the table to docs/latency.md.")
    private boolean write;

    @Option(names = "--quick", description = "Use short iterations with low precision.")
    private boolean quick;

    @Option(
            names = "--raw",
            paramLabel = "FILE",
            description = "File of the results as JSON (default: a new file in target/bench).")
    private Path raw = Page.source(
            "target/bench/jmh-" + LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")) + ".json");

    @Parameters(
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Run only benchmarks with a name that contains this regular expression.")
    private String pattern;

    @Override
    public void run() {
        var text = Microbenchmarks.measure(pattern, quick, raw);
        if (write) {
            Page.LATENCY.replace(
                    "jmh",
                    "jmh --write" + (quick ? " --quick" : "") + (pattern.isEmpty() ? "" : " '" + pattern + "'"),
                    text);
        } else {
            System.out.print(text);
        }
    }
}
