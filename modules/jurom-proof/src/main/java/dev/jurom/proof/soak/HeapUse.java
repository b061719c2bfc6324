// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The heap usage of another JVM after a garbage collection, measured by {@code jcmd}. */
final class HeapUse {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    /** Filler objects, which a collection leaves in the place of dead objects. */
    private static final Pattern FILLER = Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) .*Filler.*");

    private static final int PATIENCE_SECONDS = 30;

    private HeapUse() {}

    /** Triggers a garbage collection in a process and returns the bytes of the remaining objects. */
    static long of(long process) throws IOException, InterruptedException {
        var output = Files.createTempFile("urom-soak", ".histogram");
        try {
            var jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            "-J-XX:TieredStopAtLevel=1",
                            Long.toString(process),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                jcmd.destroyForcibly();
            }
            var histogram = Files.readString(output);
            return inUse(histogram)
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.LOST,
                            "jcmd cannot measure the heap of process " + process + ": "
                                    + histogram.lines().findFirst().orElse("no output")));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** Returns the total bytes of a histogram, or empty if the text is no histogram. */
    static OptionalLong inUse(String histogram) {
        var total = TOTAL.matcher(histogram);
        if (!total.find()) {
            return OptionalLong.empty();
        }
        var filler = FILLER.matcher(histogram)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
        return OptionalLong.of(Long.parseLong(total.group(1)) - filler);
    }
}
