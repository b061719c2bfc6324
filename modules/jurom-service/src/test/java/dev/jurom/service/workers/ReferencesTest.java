// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.TestDaemon;
import dev.jurom.service.TestHost;
import dev.jurom.service.UromDaemon;
import dev.jurom.service.wire.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which worker a reference belongs to and which reference RELEASE removes. */
class ReferencesTest {

    private static final int KILLS = 20;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private UromDaemon daemon;
    private TestHost host;

    @BeforeEach
    void start() {
        daemon = TestDaemon.start(TestDaemon.configuration().cores(2), folder);
        host = TestHost.admitted(daemon);
    }

    @AfterEach
    void stop() {
        host.close();
        daemon.close();
    }

    private Frame.Spawn spawn() {
        return host.spawn(5, 1, OptionalInt.empty(), List.of());
    }

    @Test
    void a_release_applies_to_the_reference_of_its_request() {
        var first = spawn();
        var processId = host.receive(Frame.Spawned.class).processId();
        var second = spawn();
        host.receive(Frame.Spawned.class);

        host.send(new Frame.Release(second.requestId(), 5));
        assertEquals(second.requestId(), host.receive(Frame.Released.class).requestId());
        ProcessHandle.of(processId).orElseThrow().destroyForcibly();

        assertEquals(first.requestId(), host.receive(Frame.WorkerGone.class).requestId());
    }

    /** The service may not have detected the exit yet. */
    @Test
    void an_exiting_worker_is_not_granted() {
        for (var i = 0; i < KILLS; i++) {
            spawn();
            kill(host.receive(Frame.Spawned.class).processId());

            var again = spawn();

            var spawned = Stream.of(host.receive(), host.receive()) // the other frame is WORKER_GONE
                    .filter(Frame.Spawned.class::isInstance)
                    .map(Frame.Spawned.class::cast)
                    .toList();
            assertEquals(
                    List.of(true),
                    spawned.stream().map(Frame.Spawned::newProcess).toList());
            host.send(new Frame.Release(again.requestId(), 5));
            host.receive(Frame.Released.class);
        }
    }

    private static void kill(long processId) {
        ProcessHandle.of(processId).orElseThrow().destroyForcibly();
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!ProcessState.isEnding(processId)) {
            assertTrue(System.nanoTime() - deadline < 0, "the worker is not exiting");
        }
    }
}
