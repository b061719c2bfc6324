// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests hosts of a service that runs in a separate process. */
class HostOfDaemonTest {

    @TempDir
    private Path folder;

    private final String usual = Environment.get(ServiceFile.VARIABLE);
    private ProgressEngine engine;
    private Device device;
    private UromService service;

    @BeforeEach
    void open() {
        engine = ProgressEngine.create();
        device = Device.open();
        service = UromService.create(engine, device);
    }

    @AfterEach
    void close() {
        service.close();
        device.close();
        engine.close();
        Environment.restore(ServiceFile.VARIABLE, usual);
    }

    @Test
    void commands_fail_and_contexts_become_idle_when_the_daemon_is_killed() {
        try (var daemon = start(Map.of())) {
            service.start();
            var plugin = GraphPlugin.find(service);
            try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                worker.startAndWait(ServiceFixture.DEADLINE);
                var processes = daemon.workers();
                assertEquals(1, processes.size());
                var task = worker.commandTask(plugin);
                signal("STOP", processes.getFirst()); // keeps the command in flight
                task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
                task.submit();

                daemon.kill();

                assertTrue(engine.progressUntil(
                        () -> task.isCompleted()
                                && worker.state() == ContextState.IDLE
                                && service.state() == ContextState.IDLE,
                        ServiceFixture.DEADLINE));
                assertFalse(task.status().isSuccess());
                signal("CONT", processes.getFirst());
                Waiting.until("no process is left", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
                task.close();
            }
        }
    }

    @Test
    void a_service_without_plugins_runs_and_says_so() {
        try (var daemon = start(Map.of("UROM_PLUGIN_PATH", folder.toString()))) {
            service.start();

            assertEquals(List.of(), service.plugins());
            var refusal = assertThrows(DocaException.class, () -> GraphPlugin.find(service));
            assertEquals(DocaError.NOT_FOUND, refusal.error());
            assertTrue(refusal.advice().contains("no plugins"), refusal.advice());
            assertEquals(List.of(), daemon.workers());
            service.stop();
        }
    }

    @Test
    void what_nobody_waits_for_does_not_hold_up_who_closes() {
        try (var daemon = start(Map.of())) {
            var urom = Urom.open();
            daemon.signal("STOP");

            urom.workersByGroupAsync(1).cancel(false);

            assertTimeout(ServiceFixture.DEADLINE, urom::close);
        }
    }

    private DaemonProcess start(Map<String, String> environment) {
        var file = folder.resolve("service").toString();
        var daemon = new DaemonProcess(
                folder, environment, "--listen", "unix:" + folder.resolve("socket"), "--service-file", file);
        daemon.address();
        Environment.set(ServiceFile.VARIABLE, file);
        return daemon;
    }

    private static void signal(String name, ProcessHandle process) {
        Command.run("kill", "-" + name, Long.toString(process.pid()));
    }
}
