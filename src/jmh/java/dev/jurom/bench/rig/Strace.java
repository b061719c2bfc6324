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

    /** Starts counting. */
    static Strace attach(long pid) {
        try {
            var output = Files.createTempFile("jurom-bench", ".strace");
            var process = new ProcessBuilder(
                            "strace", "-c", "-f", "-U", "calls,name", "-o", output.toString(), "-p", Long.toString(pid))
                    .start();
            var message = process.errorReader().readLine();
            if (message == null || !message.contains("attached")) {
                throw new IllegalStateException("strace cannot attach to process " + pid + ": " + message
                        + "; run as root or set kernel.yama.ptrace_scope to 0");
            }
            return new Strace(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start strace: install it", e);
        }
    }

    /** Stops counting. */
    void detach() {
        try {
            // An interrupt makes it print the counts and detach.
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("strace did not exit");
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
            throw new IllegalStateException("interrupted while waiting for strace", e);
        }
    }

    /** Returns the number of calls by name, after detaching. */
    Map<String, Long> counts() {
        return counts;
    }
}
