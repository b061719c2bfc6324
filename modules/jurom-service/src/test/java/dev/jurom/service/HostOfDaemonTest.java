// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests hosts of a service that runs in a separate process. */
class HostOfDaemonTest {

    private static final Duration LATE = Duration.ofMillis(200);
    private static final Duration LATEST = Duration.ofMillis(400); // hosts wait for 500 ms

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
    void a_service_without_plugins_runs_and_its_hosts_receive_an_error() {
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
    void a_result_without_a_waiting_thread_does_not_delay_close() {
        try (var daemon = start(Map.of())) {
            var urom = Urom.open();
            daemon.signal("STOP");

            urom.workersByGroupAsync(1).cancel(false);

            assertTimeout(ServiceFixture.DEADLINE, urom::close);
        }
    }

    private static void assertReportsKill(CompletableFuture<?> result) {
        var failure = assertThrows(
                ExecutionException.class, () -> result.get(ServiceFixture.DEADLINE.toSeconds(), TimeUnit.SECONDS));
        var cause = assertInstanceOf(DocaException.class, failure.getCause());
        assertEquals(DocaError.CONNECTION_RESET, cause.error());
        assertTrue(cause.getMessage().contains("signal 9 (SIGKILL)"), cause.getMessage());
    }

    @Test
    void all_commands_of_a_lost_worker_report_its_exit_although_the_service_is_late() throws Exception {
        try (var daemon = start(Map.of());
                var urom = Urom.open()) {
            var results = new ArrayList<CompletableFuture<?>>();
            var took = Long.MAX_VALUE;
            while (took > LATEST.toNanos()) { // on a busy machine, the signals may take longer
                results.clear();
                try (var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                    took = killWithLateReport(daemon, worker, results);
                    results.add(worker.submit(GraphPlugin.LOOPBACK, 0L));
                    CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                            .handle((all, failure) -> failure)
                            .get(ServiceFixture.DEADLINE.toSeconds(), TimeUnit.SECONDS);
                }
            }
            results.forEach(HostOfDaemonTest::assertReportsKill);
        }
    }

    /** Returns the time from the exit of the worker until the service can report it. */
    private static long killWithLateReport(DaemonProcess daemon, Worker worker, List<CompletableFuture<?>> results) {
        var process = daemon.workers().getFirst();
        signal("STOP", process); // keeps these commands in flight
        results.add(worker.submit(GraphPlugin.LOOPBACK, 1L));
        results.add(OtherThread.start("call", () -> worker.call(GraphPlugin.LOOPBACK, 2L)));
        results.add(OtherThread.start("batch", () -> worker.callAll(GraphPlugin.LOOPBACK, List.of(3L, 4L))));
        daemon.signal("STOP");
        var exit = System.nanoTime();
        process.destroyForcibly();
        Waiting.until("the service is late", () -> {
            results.add(worker.submit(GraphPlugin.LOOPBACK, 5L));
            return System.nanoTime() - exit > LATE.toNanos();
        });
        daemon.signal("CONT");
        return System.nanoTime() - exit;
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
