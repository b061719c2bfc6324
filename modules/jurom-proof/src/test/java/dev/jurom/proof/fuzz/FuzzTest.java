// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.PemFuzz;
import dev.jurom.service.counters.CounterFileFuzz;
import dev.jurom.service.sessions.SessionFuzz;
import dev.jurom.service.status.TextFuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java targets of scripts/fuzz with the corpus, and one of them under the fuzzer for a second. */
class FuzzTest {

    private static final Path FUZZ = Path.of(System.getProperty("jurom.source"), "src/test/fuzz");
    private static final int SECONDS = 1;
    private static final int TIMEOUT_SECONDS = 120;

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
            var inputs = inputs(FUZZ.resolve("corpus/" + name + ".txt"));
            inputs.addAll(contents(FUZZ.resolve("corpus").resolve(name)));
            for (var input : inputs) {
                target.accept(input);
            }
            assertTrue(inputs.size() > 1, "the corpus has " + inputs.size() + " inputs");
        });
    }

    /** Reads the inputs of a file, which has one input per line. */
    private static List<byte[]> inputs(Path file) throws IOException {
        return new ArrayList<>(Files.readAllLines(file).stream()
                .map(line -> line.translateEscapes().getBytes(StandardCharsets.ISO_8859_1))
                .toList());
    }

    /** Reads all files of a folder. Returns an empty list if the folder does not exist. */
    private static List<byte[]> contents(Path folder) throws IOException {
        var contents = new ArrayList<byte[]>();
        if (Files.exists(folder)) {
            try (var files = Files.list(folder)) {
                for (var file : files.sorted().toList()) {
                    contents.add(Files.readAllBytes(file));
                }
            }
        }
        return contents;
    }

    @Test
    void packing_preserves_the_bytes_of_each_input() throws Exception {
        var script = Files.copy(FUZZ.resolve("inputs"), folder.resolve("inputs"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(folder.resolve("corpus"));
        var inputs = Files.createDirectory(folder.resolve("some"));
        var pairs = new ByteArrayOutputStream();
        for (var i = 0; i < 256 * 256; i++) {
            pairs.write(i >> 8);
            pairs.write(i);
        }
        Files.write(inputs.resolve("pairs"), pairs.toByteArray());
        for (var text :
                List.of("", " ", "-v name", "%s", "ends with a blank ", "\\", "\\001", "\0001", "two\nlines\n")) {
            Files.writeString(Files.createTempFile(inputs, "text", ""), text);
        }

        execute(script, "pack", "some", inputs);
        execute(script, "unpack", "some", folder.resolve("unpacked"));

        assertEquals(asText(contents(inputs)), asText(contents(folder.resolve("unpacked"))));
        assertEquals(asText(contents(inputs)), asText(inputs(folder.resolve("corpus/some.txt"))));
    }

    private static Set<String> asText(List<byte[]> contents) {
        return contents.stream()
                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                .collect(Collectors.toSet());
    }

    private static void execute(Path script, String command, String target, Path inputs) throws Exception {
        var process = new ProcessBuilder(script.toString(), command, target, inputs.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertTrue(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), script + " did not exit");
            assertEquals(
                    0, process.exitValue(), new String(process.getInputStream().readAllBytes()));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Checks that the fuzzer works with these classes and this JDK. */
    @Test
    void brief_fuzzing_finds_no_defect() throws Exception {
        var log = folder.resolve("log");
        var corpus = folder.resolve("corpus");
        execute(FUZZ.resolve("inputs"), "unpack", "Session", corpus);
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
                        corpus.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());

        var process = fuzzing.start();
        try {
            assertTrue(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the fuzzer did not exit");
        } finally {
            process.destroyForcibly();
        }

        assertEquals(0, process.exitValue(), Files.readString(log));
        assertTrue(Files.readString(log).contains("DONE"), Files.readString(log));
    }
}
