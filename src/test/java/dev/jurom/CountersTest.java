// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaException;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.counters.CountedWorker;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterDirectory;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the counters of the daemon, of workers and of hosts. */
class CountersTest {

    private static final int COMMANDS = 1000;

    private EmbeddedService service;
    private Urom urom;
    private Worker worker;
    private Path directory;

    @BeforeEach
    void open() throws Exception {
        service = EmbeddedService.open();
        directory = Path.of(service.address().replaceFirst("^unix:", "")).getParent();
        urom = Urom.open();
        worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        for (var i = 0L; i < COMMANDS; i++) {
            worker.call(LOOPBACK, i);
        }
        Waiting.until("the service has reported its worker", () -> !workers().isEmpty());
    }

    @AfterEach
    void close() {
        urom.close();
        service.close();
    }

    private List<CounterFile> files(CounterKind kind) {
        try {
            var all = CounterDirectory.read(directory, workers());
            assertEquals(List.of(), all.unreadable());
            return all.files().stream().filter(file -> file.kind() == kind).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<CountedWorker> workers() {
        return ServiceStatus.running().stream()
                .filter(status -> status.process() == ProcessHandle.current().pid())
                .flatMap(status -> status.workers().stream())
                .filter(it -> it.process() != 0)
                .map(it -> new CountedWorker(it.id(), it.process(), it.processStart()))
                .toList();
    }

    private CounterFile file(CounterKind kind) {
        return files(kind).getFirst();
    }

    @Test
    void the_facade_returns_the_counters_of_its_host() {
        var counters = urom.counters();

        assertEquals(COMMANDS, counters.submitted());
        assertEquals(COMMANDS, counters.completed());
        assertEquals(0, counters.failed());
        assertEquals(0, counters.inFlight());
        assertEquals(1, counters.workers());
        assertTrue(counters.timed() >= COMMANDS / 128 && counters.timed() <= COMMANDS / 128 + 1, counters::toString);
        assertTrue(
                counters.p50().compareTo(Duration.ZERO) > 0
                        && counters.p50().compareTo(counters.p99()) <= 0
                        && counters.p99().compareTo(counters.longest()) <= 0
                        && counters.longest().compareTo(Duration.ofSeconds(10)) < 0,
                counters::toString);
    }

    @Test
    void a_closed_facade_returns_the_last_counters() {
        urom.close();

        assertEquals(COMMANDS, urom.counters().completed());
    }

    @Test
    void a_service_context_counts_nothing_before_it_has_a_worker() {
        try (var other = Urom.open()) {
            var counters = other.counters();

            assertEquals(0, counters.submitted());
            assertEquals(0, counters.workers());
            assertEquals(Duration.ZERO, counters.longest());
            assertEquals(counters, other.counters());
            assertEquals(counters.hashCode(), other.counters().hashCode());
            assertNotEquals(counters, urom.counters());
            assertTrue(counters.toString().contains("submitted=0"), counters::toString);
        }
    }

    @Test
    void a_worker_and_its_host_count_the_same() {
        var ofWorker = file(CounterKind.WORKER);
        var ofHost = file(CounterKind.HOST);

        assertEquals(COMMANDS, ofWorker.value(Counter.WORKER_ANSWERS));
        assertEquals(0, ofWorker.inFlight());
        assertEquals(COMMANDS, ofHost.value(Counter.HOST_COMPLETIONS));
        assertEquals(0, ofHost.inFlight());
        // A loopback command and its answer have 16 bytes and a header of 24 bytes each.
        assertEquals(COMMANDS * 40L, ofWorker.value(Counter.WORKER_BYTES_IN));
        assertEquals(COMMANDS * 40L, ofWorker.value(Counter.WORKER_BYTES_OUT));
        assertTrue(ofWorker.latency().percentile(50) < ofHost.latency().percentile(50));
        assertEquals("graph", ofWorker.label());
        assertEquals(workerProcesses().getFirst().pid(), ofWorker.process());
        Waiting.until(
                "the worker has updated its counters",
                () -> file(CounterKind.WORKER).value(Counter.WORKER_HOSTS) == 1);
    }

    @Test
    void the_files_are_readable_by_their_user_only() throws IOException {
        for (var kind : List.of(CounterKind.DAEMON, CounterKind.HOST)) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(file(kind).path())),
                    kind::toString);
        }
    }

    @Test
    void errors_are_counted_on_both_sides_and_stored_once() {
        var unknown = Offload.<Integer, Long>of(
                GraphPlugin.NAME, GraphPlugin.VERSION, (length, segment) -> length, GraphCodec::loopbackData);
        for (var i = 0; i < 3; i++) {
            assertThrows(DocaException.class, () -> worker.call(unknown, 3));
        }

        assertEquals(3, urom.counters().failed());
        for (var kind : List.of(CounterKind.WORKER, CounterKind.HOST)) {
            var errors = file(kind).errors();
            assertEquals(1, errors.size(), kind::toString);
            assertEquals(3, errors.getFirst().count(), kind::toString);
        }
        assertEquals(3, file(CounterKind.WORKER).value(Counter.WORKER_ERRORS));
    }

    @Test
    void a_worker_that_is_killed_is_counted_by_its_service_and_its_host() {
        workerProcesses().getFirst().destroyForcibly();

        Waiting.until(
                "the service has counted the exit and its reason",
                () -> file(CounterKind.DAEMON).value(Counter.DAEMON_WORKERS_KILLED) == 1
                        && !file(CounterKind.DAEMON).errors().isEmpty());
        var daemon = file(CounterKind.DAEMON);
        assertEquals(0, daemon.value(Counter.DAEMON_WORKERS_RUNNING));
        assertEquals(COMMANDS, daemon.value(Counter.DAEMON_ENDED_ANSWERS));
        assertEquals(COMMANDS * 40L, daemon.value(Counter.DAEMON_ENDED_BYTES_IN));
        assertTrue(
                daemon.errors().getFirst().text().contains("terminated by a signal"),
                () -> daemon.errors().toString());
        Waiting.until(
                "the host has counted its loss", () -> file(CounterKind.HOST).value(Counter.HOST_WORKERS_LOST) == 1);
    }

    @Test
    void the_file_of_a_host_is_deleted_with_its_session() {
        urom.close();

        assertEquals(List.of(), files(CounterKind.HOST));
        Waiting.until(
                "the service counts no session", () -> file(CounterKind.DAEMON).value(Counter.DAEMON_SESSIONS) == 0);
        assertEquals(1, file(CounterKind.DAEMON).value(Counter.DAEMON_SESSIONS_IN_ALL));
    }

    @Test
    void the_file_of_a_killed_host_is_deleted() throws Exception {
        long process;
        try (var host = ForkedJvm.start(CountersHost.class)) {
            process = host.process().pid();
            Waiting.until(
                    "the other host counts",
                    () -> files(CounterKind.HOST).stream()
                            .anyMatch(file -> file.process() == process && file.value(Counter.HOST_COMPLETIONS) > 0));
        }

        Waiting.until("the file is deleted", () -> {
            try (var left = Files.newDirectoryStream(directory, "h-" + process + "-*")) {
                return !left.iterator().hasNext();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
