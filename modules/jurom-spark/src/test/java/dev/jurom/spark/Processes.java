// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.util.List;

/** The worker processes of this JVM. */
final class Processes {

    private Processes() {}

    static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("urom_worker"))
                .toList();
    }

    static void killWorkers() {
        for (var worker : workers()) {
            worker.destroyForcibly();
            Waiting.until("the worker has exited", () -> !worker.isAlive());
        }
    }

    static void stopWorkers() {
        for (var worker : workers()) {
            try {
                var kill = new ProcessBuilder("kill", "-STOP", Long.toString(worker.pid())).start();
                assertEquals(0, kill.waitFor());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
