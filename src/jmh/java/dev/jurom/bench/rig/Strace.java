// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Counts the system calls of a running process and its threads, from attach to detach. */
final class Strace {

    private final Process process;
    private final Path output;
    private final Map<String, Long> counts = new TreeMap<>();

    private Strace(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Begins to count. */
    static Strace attach(long pid) {
        try {
            var output = Files.createTempFile("jurom-bench", ".strace");
            var process = new ProcessBuilder(
                            "strace", "-c", "-f", "-U", "calls,name", "-o", output.toString(), "-p", Long.toString(pid))
                    .start();
            var said = process.errorReader().readLine();
            if (said == null || !said.contains("attached")) {
                throw new IllegalStateException("strace cannot watch process " + pid + ": " + said
                        + ". It takes the right to trace it (root, or kernel.yama.ptrace_scope"
                        + " 0).");
            }
            return new Strace(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException("strace could not be started: install it", e);
        }
    }

    /** Stops counting. */
    void detach() {
        try {
            // It prints on an interrupt, and lets go of the process.
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("strace does not end");
            }
            for (var line : Files.readAllLines(output)) {
                var words = line.strip().split("\\s+");
                if (words.length == 2 && words[0].matches("[0-9]+") && !words[1].equals("total")) {
                    counts.put(words[1], Long.valueOf(words[0]));
                }
            }
            Files.delete(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while strace ended", e);
        }
    }

    /** How often each call was made, once this is detached. */
    Map<String, Long> counts() {
        return counts;
    }
}
