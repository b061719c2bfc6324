// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors, as processes, whose service does not run. */
class MissingServiceTest {

    @TempDir
    Path folder;

    /** Executes the tasks of {@link CodecProgram} in an executor with these settings. */
    private String execute(String... settings) throws IOException {
        var services = Files.writeString(
                folder.resolve("services"),
                "localhost dpu unix:" + folder.resolve("none.sock") + " 0000:00:00.0 all\n");
        var words = new ArrayList<String>();
        words.addAll(List.of("env", "SPARK_LOCAL_IP=127.0.0.1", "DOCA_UROM_SERVICE_FILE=" + services));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(System.getProperty("jurom.jvm").split(" ")));
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.addAll(List.of("--enable-native-access=ALL-UNNAMED", CodecProgram.class.getName()));
        words.addAll(List.of(settings));
        return Command.run(words);
    }

    private static List<String> lines(String output, String... texts) {
        return output.lines()
                .filter(line -> Stream.of(texts).allMatch(line::contains))
                .toList();
    }

    @Test
    void tasks_that_wait_for_a_service_log_one_warning_in_a_minute() throws IOException {
        var output = execute("spark.jurom.mode=OFFLOAD", "spark.jurom.timeout=3s");

        assertEquals(
                CodecProgram.TASKS, lines(output, "has failed", "none.sock").size(), output);
        assertEquals(1, lines(output, "WARN", "none.sock").size(), output);
        assertTrue(output.contains("Tasks wait for a compression worker"), output);
    }

    @Test
    void without_a_service_blocks_are_compressed_in_the_executor_after_one_warning() throws IOException {
        var output = execute("spark.jurom.mode=AUTO");

        assertEquals(CodecProgram.TASKS, lines(output, "has finished").size(), output);
        assertEquals(1, lines(output, "WARN", "none.sock").size(), output);
    }

    @Test
    void an_executor_without_the_plugin_prints_when_it_exits_that_it_had_no_workers() throws IOException {
        var output = execute("spark.jurom.mode=SAVE_CPU");

        var ends = lines(output, "jurom: compression in this process");
        assertEquals(1, ends.size(), output);
        assertTrue(
                ends.getFirst().contains("because no worker could process them: " + CodecProgram.TASKS + ";"), output);
    }
}
