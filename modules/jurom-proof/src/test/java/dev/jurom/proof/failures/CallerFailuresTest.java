// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.process.WovenProgram;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a failure of one thread does not affect other threads. The thread throws an error at a call of
 * the facade, exhausts its stack or the heap, or is interrupted. The failures are drawn from a fixed seed, or
 * from a new seed with {@code jurom.long}. To repeat a run, set {@code jurom.failures} to the seed and the
 * failure at the beginning of a violation.
 */
class CallerFailuresTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int RUNS = LONG ? 1000 : 50;
    private static final long SEED = LONG ? System.nanoTime() >>> 16 : 1;
    private static final int MINUTES = LONG ? 30 : 4;

    @TempDir
    private Path folder;

    @Test
    void a_failure_at_any_call_affects_no_other_thread() throws Exception {
        var sites = CallSites.write(folder);
        var repeated = System.getProperty("jurom.failures", "").split(" ");
        var arguments = repeated.length == 2
                ? List.of(repeated[0], "1", repeated[1])
                : List.of(Long.toString(SEED), Integer.toString(RUNS));

        var output = run(Campaign.class, List.of("-Xmx256m", "-Djdk.virtualThreadScheduler.parallelism=2"), arguments);

        assertEquals(
                List.of(),
                violations(output)
                        .map(line -> line + "\n  at " + describe(sites, Integer.parseInt(line.split("[ :]")[4])))
                        .toList());
        assertTrue(repeated.length == 2 || hits(output) >= RUNS / 10, output.toString());
    }

    private static String describe(List<String> sites, int site) {
        return site < 0 ? "no site, since no failure was injected" : sites.get(site);
    }

    @ParameterizedTest
    @CsvSource({"-Xint,0", "-Xint,262144", "-Xmixed,0", "-Xmixed,262144"})
    void stack_exhaustion_of_a_thread_affects_no_other_thread(String mode, String stackSize) throws Exception {
        // else the interpreter computes the hash of the files to unpack, which takes seconds
        var path = "-Djurom.software.path=" + SoftwareInstallation.current().prefix();

        check(run(ExhaustionProgram.class, List.of(mode, path), List.of(stackSize)));
    }

    @Test
    void heap_exhaustion_affects_other_threads_only_temporarily() throws Exception {
        check(run(ExhaustionProgram.class, List.of("-Xmx48m"), List.of()));
    }

    private static void check(List<String> output) {
        assertEquals(List.of(), violations(output).toList());
        assertTrue(hits(output) > 0, output.toString());
    }

    private static Stream<String> violations(List<String> output) {
        return output.stream().filter(line -> line.startsWith("violation "));
    }

    /** Parses the last line, which is missing if the program crashed. */
    private static int hits(List<String> output) {
        return Integer.parseInt(output.getLast().substring("hits ".length()));
    }

    private List<String> run(Class<?> program, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        var output = folder.resolve("output");
        var process = WovenProgram.of(folder, program, options, arguments)
                .redirectOutput(output.toFile())
                .start();
        var ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertTrue(ended, () -> program + " did not exit");
        assertEquals(0, process.exitValue(), Files.readString(output));
        return Files.readAllLines(output);
    }
}
