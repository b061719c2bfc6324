// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What is in use on the heap of another JVM, after a collection, as {@code jcmd} tells. */
final class HeapUse {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final int PATIENCE_SECONDS = 30;

    private HeapUse() {
    }

    /** Collects garbage in a process and counts what is left, in bytes. */
    static long of(long process) throws IOException, InterruptedException {
        var output = Files.createTempFile("urom-soak", ".histogram");
        try {
            var jcmd = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    "-J-XX:TieredStopAtLevel=1", Long.toString(process), "GC.class_histogram")
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                jcmd.destroyForcibly();
            }
            var total = TOTAL.matcher(Files.readString(output));
            if (!total.find()) {
                throw new CommandFailure(ExitCode.LOST, "jcmd cannot count the heap of process "
                        + process + ": " + Files.readString(output).lines().findFirst().orElse(""));
            }
            return Long.parseLong(total.group(1));
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
