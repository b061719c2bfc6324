// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sends SIGTERM to all processes of a program, as systemd and schedulers of clusters do. */
class TerminatedJobTest {

    private static final Duration START = Duration.ofSeconds(60);

    @Test
    void a_shutdown_hook_can_use_its_workers() {
        try (var program = ForkedJvm.start(ShutdownHookProgram.class)) {
            Waiting.within(START, "the program is ready", () -> program.output().contains("ready"));
            program.output()
                    .lines()
                    .filter(line -> line.startsWith("worker "))
                    .forEach(line -> Command.run("kill", "-TERM", line.substring("worker ".length())));
            program.process().destroy();

            var output = program.await().output();
            assertTrue(output.contains("answered " + ShutdownHookProgram.COMMANDS), output);
        }
    }
}
