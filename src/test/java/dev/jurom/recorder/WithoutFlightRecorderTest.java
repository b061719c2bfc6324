// SPDX-License-Identifier: Apache-2.0
package dev.jurom.recorder;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java runtimes with and without the module {@code jdk.jfr}. */
class WithoutFlightRecorderTest {

    private static String run(String... flags) {
        var words = new ArrayList<>(List.of("env", "-u", ServiceFile.VARIABLE));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ForkedJvm.options());
        words.addAll(List.of(flags));
        words.add("-Djurom.source=" + Command.ROOT);
        words.add(WithoutFlightRecorderProgram.class.getName());
        return Command.run(words);
    }

    @Test
    void library_and_service_work_without_it_on_the_class_path() {
        var output = run(
                "--enable-native-access=ALL-UNNAMED",
                "--limit-modules=java.base,java.logging,jdk.net,jdk.unsupported",
                "--class-path=" + Command.CLASS_PATH + ":" + Command.TESTS);

        assertTrue(output.contains("sum 4950, Flight Recorder false"), output);
    }

    @Test
    void library_and_service_work_without_it_on_the_module_path() {
        var output = run(
                "--enable-native-access=dev.jurom",
                "--limit-modules=dev.jurom.service,java.logging",
                "--module-path=" + Command.MODULE_PATH,
                "--add-modules=dev.jurom.service",
                "--class-path=" + Command.BUNDLE + ":" + Command.TESTS);

        assertTrue(output.contains("sum 4950, Flight Recorder false"), output);
    }

    @Test
    void a_recording_on_the_module_path_contains_commands(@TempDir Path folder) throws IOException {
        var file = folder.resolve("recording.jfr");
        var output = run(
                "--enable-native-access=dev.jurom",
                "--module-path=" + Command.MODULE_PATH,
                "--add-modules=dev.jurom.service",
                "--class-path=" + Command.BUNDLE + ":" + Command.TESTS,
                "-XX:StartFlightRecording:+dev.jurom.Command#enabled=true,filename=" + file);

        assertTrue(output.contains("sum 4950, Flight Recorder true"), output);
        assertTrue(RecordingFile.readAllEvents(file).stream()
                .anyMatch(event -> event.getEventType().getName().equals("dev.jurom.Command")));
    }
}
