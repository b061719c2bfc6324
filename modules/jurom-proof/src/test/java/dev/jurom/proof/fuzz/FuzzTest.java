// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.counters.CounterFileFuzz;
import dev.jurom.service.PemFuzz;
import dev.jurom.service.sessions.SessionFuzz;
import dev.jurom.service.status.TextFuzz;
import dev.jurom.service.wire.FrameFuzz;
import dev.jurom.urom.ServiceFileFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the Java targets of scripts/fuzz with the corpus, and one of them under the fuzzer for a second. */
class FuzzTest {

    private static final Path CORPUS = Path.of(System.getProperty("jurom.source"), "src/test/fuzz/corpus");
    private static final int SECONDS = 1;
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    private Path folder;

    /** Executes one input. */
    private interface Target {
        void fuzzerTestOneInput(byte[] input) throws Exception;
    }

    private record Fuzzer(Class<?> type, Target target) {

        @Override
        public String toString() {
            return type.getSimpleName().replace("Fuzz", "");
        }
    }

    static List<Fuzzer> fuzzers() {
        return List.of(
                new Fuzzer(FrameFuzz.class, FrameFuzz::fuzzerTestOneInput),
                new Fuzzer(SessionFuzz.class, SessionFuzz::fuzzerTestOneInput),
                new Fuzzer(PemFuzz.class, PemFuzz::fuzzerTestOneInput),
                new Fuzzer(TextFuzz.class, TextFuzz::fuzzerTestOneInput),
                new Fuzzer(CounterFileFuzz.class, CounterFileFuzz::fuzzerTestOneInput),
                new Fuzzer(ServiceFileFuzz.class, ServiceFileFuzz::fuzzerTestOneInput));
    }

    @ParameterizedTest
    @MethodSource("fuzzers")
    void the_corpus_finds_no_defect(Fuzzer fuzzer) throws Exception {
        var inputs = inputs(fuzzer);

        for (var input : inputs) {
            fuzzer.target().fuzzerTestOneInput(Files.readAllBytes(input));
        }

        assertTrue(inputs.size() > 1, "the corpus of " + fuzzer + " has " + inputs.size() + " inputs");
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
                        "--target_class=" + FrameFuzz.class.getName(),
                        "--instrumentation_includes=dev.jurom.**",
                        "--reproducer_path=" + folder,
                        "-max_total_time=" + SECONDS,
                        "-artifact_prefix=" + folder + "/",
                        Files.createDirectory(folder.resolve("new")).toString(),
                        CORPUS.resolve("Frame").toString())
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

    private static List<Path> inputs(Fuzzer fuzzer) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(fuzzer.toString()))) {
            return files.sorted().toList();
        }
    }
}
