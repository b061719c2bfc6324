// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.HostOnlyProgram;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program without the daemon's module connects to services of others, and opens none of its own. */
class HostOnlyTest {

    /** Runs the program with some variables of {@code env}. */
    private static Command.Result run(String... variables) {
        var words = new ArrayList<>(List.of("env"));
        words.addAll(List.of(variables));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ForkedJvm.options());
        words.addAll(List.of(
                ForkedJvm.NATIVE_ACCESS,
                "-Djurom.source=" + Command.ROOT,
                "--class-path",
                Command.LIBRARY + ":" + Command.BUNDLE + ":" + Command.FIXTURES,
                HostOnlyProgram.class.getName()));
        return Command.execute(words);
    }

    @Test
    void a_named_service_is_used() {
        try (var service = EmbeddedService.open()) {
            var result = run(ServiceFile.VARIABLE + "=" + service.serviceFile());

            assertEquals(0, result.exitCode(), result.output());
            assertEquals("42", result.output().strip());
        }
    }

    @Test
    void without_a_named_service_the_error_names_the_missing_artifact() {
        var result = run("-u", ServiceFile.VARIABLE);

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains("LibraryLoadException: No UROM service is named"), result.output());
        assertTrue(result.output().contains("add the artifact dev.jurom:jurom-service"), result.output());
    }
}
