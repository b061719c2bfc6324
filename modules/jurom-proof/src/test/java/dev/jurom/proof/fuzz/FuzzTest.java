// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.PemFuzz;
import dev.jurom.service.counters.CounterFileFuzz;
import dev.jurom.service.sessions.SessionFuzz;
import dev.jurom.service.status.TextFuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java targets of scripts/fuzz with the corpus, and one of them under the fuzzer for a second. */
class FuzzTest {

    private static final Path CORPUS = Path.of(System.getProperty("jurom.source"), "src/test/fuzz/corpus");
    private static final int SECONDS = 1;
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> the_corpus_finds_no_defect() {
        return Stream.of(
                test("Session", SessionFuzz::fuzzerTestOneInput),
                test("Pem", PemFuzz::fuzzerTestOneInput),
                test("Text", TextFuzz::fuzzerTestOneInput),
                test("CounterFile", CounterFileFuzz::fuzzerTestOneInput));
    }

    private static DynamicTest test(String name, ThrowingConsumer<byte[]> target) {
        return DynamicTest.dynamicTest(name, () -> {
            try (var files = Files.list(CORPUS.resolve(name))) {
                var inputs = files.sorted().toList();
                for (var input : inputs) {
                    target.accept(Files.readAllBytes(input));
                }
                assertTrue(inputs.size() > 1, "the corpus has " + inputs.size() + " inputs");
            }
        });
    }

    /** Shows that the fuzzer works with these classes and this JDK. */
    @Test
    void brief_fuzzing_finds_no_defect() throws Exception {
        var log = folder.resolve("log");
        var fuzzing = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + folder,
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + SessionFuzz.class.getName(),
                        "--instrumentation_includes=dev.jurom.**",
                        "--reproducer_path=" + folder,
                        "-max_total_time=" + SECONDS,
                        "-artifact_prefix=" + folder + "/",
                        Files.createDirectory(folder.resolve("new")).toString(),
                        CORPUS.resolve("Session").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());

        var process = fuzzing.start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the fuzzer did not exit");
        } finally {
            process.destroyForcibly();
        }

        assertEquals(0, process.exitValue(), Files.readString(log));
        assertTrue(Files.readString(log).contains("DONE"), Files.readString(log));
    }
}
