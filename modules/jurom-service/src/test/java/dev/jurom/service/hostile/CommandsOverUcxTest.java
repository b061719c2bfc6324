// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ProcessSockets;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests commands over UCX between two machines: how both sides enable them, and the effects of processes that
 * exit or stop and of lost networks.
 */
class CommandsOverUcxTest {

    private static final String PLACE = TwoNetworks.SERVICE + ":7471";
    private static final String WITHOUT_PLACE = TwoNetworks.SERVICE + ":7472";
    private static final String WARNING = "can write the memory of hosts and workers";
    private static final int ACCOUNT = 1; // "daemon" on any system

    @TempDir
    private static Path folder;

    private static TwoNetworks networks;
    private static AttackedService service;
    private static AttackedService without;
    private static long lastWorker = 10;

    @BeforeAll
    static void open() throws IOException {
        networks = TwoNetworks.open();
        AttackedService.open(folder);
        service = start("with", PLACE, "--data", "ucx");
        without = start("without", WITHOUT_PLACE);
    }

    private static AttackedService start(String name, String place, String... more) throws IOException {
        var own = Files.createDirectory(folder.resolve(name));
        var started = new AttackedService(own);
        var certificate = createKey(own.resolve("service.key"));
        Files.writeString(own.resolve("hosts"), "account: daemon\n" + createKey(own.resolve("known.key")));
        Files.writeString(own.resolve("known.key"), certificate, StandardOpenOption.APPEND);
        started.serviceFile("services", place);
        var arguments = new ArrayList<>(List.of(
                "--listen",
                place,
                "--key",
                own.resolve("service.key").toString(),
                "--authorized-hosts",
                own.resolve("hosts").toString()));
        arguments.addAll(List.of(more));
        started.start(networks.atService(), Map.of(), arguments.toArray(String[]::new));
        return started;
    }

    private static String createKey(Path file) throws IOException {
        return KeyPairFile.create(file, "test");
    }

    @AfterAll
    static void close() {
        Stream.of(service, without).filter(started -> started != null).forEach(AttackedService::close);
        if (networks != null) {
            networks.close();
        }
    }

    @AfterEach
    void repair() {
        networks.setWire(true);
    }

    /** Starts a connected host on the other machine. */
    private static HostProcess host(AttackedService to, String... variables) throws IOException {
        var own = folder.resolve(to == service ? "with" : "without");
        var all = new ArrayList<>(List.of(
                "DOCA_UROM_SERVICE_FILE=" + own.resolve("services"), "DOCA_UROM_KEY_FILE=" + own.resolve("known.key")));
        all.addAll(List.of(variables));
        var host = new HostProcess(to, folder, networks.atAttacker(), all.toArray(String[]::new));
        var answer = host.answer();
        assertTrue(answer.endsWith("= connected"), answer);
        return host;
    }

    private static HostProcess hostByUcx() throws IOException {
        return host(service, "JUROM_DATA=ucx");
    }

    /** Starts a worker that no other host uses. */
    private static ProcessHandle startWorker(AttackedService at, HostProcess host) {
        var before = at.workers(ACCOUNT);
        var answer = host.ask("start " + ++lastWorker + " worker_graph -");
        assertTrue(answer.contains("= running"), answer);
        return at.workers(ACCOUNT).stream()
                .filter(worker -> !before.contains(worker))
                .findFirst()
                .orElseThrow();
    }

    private static boolean mapsUcx(long process) {
        try {
            return Files.readString(Path.of("/proc/" + process + "/maps")).matches("(?s).*/libuc[pts]\\.so.*");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertWorks(HostProcess host, long value) {
        assertAnswered(host.ask("loop " + value), value);
    }

    /** Finds the value after log lines. */
    private static void assertAnswered(String answer, long value) {
        assertTrue(answer.endsWith("= value " + value), answer);
    }

    private static void signal(String name, long process) {
        Command.run("kill", "-" + name, Long.toString(process));
    }

    @Test
    void commands_use_ucx_if_both_sides_enable_it() throws IOException {
        try (var host = hostByUcx()) {
            assertFalse(mapsUcx(host.pid()));
            var worker = startWorker(service, host);

            assertWorks(host, 42);
            assertTrue(mapsUcx(host.pid()));
            assertTrue(mapsUcx(worker.pid()));
            assertFalse(mapsUcx(service.process().pid()));
            assertTrue(service.output().contains(WARNING), service.output());
            assertEquals("= stopped", host.ask("stop"));
        }
    }

    /** The connection uses TLS although the service offers UCX; no process loads UCX. */
    @Test
    void a_service_alone_does_not_make_hosts_load_ucx() throws IOException {
        for (var at : List.of(service, without)) {
            try (var host = host(at)) {
                var worker = startWorker(at, host);

                assertWorks(host, 43);
                assertFalse(mapsUcx(host.pid()));
                assertFalse(mapsUcx(worker.pid()));
                assertFalse(mapsUcx(at.process().pid()));
            }
        }
        assertFalse(without.output().contains(WARNING), without.output());
    }

    @Test
    void a_host_alone_receives_an_error_with_both_required_settings() throws IOException {
        try (var host = host(without, "JUROM_DATA=ucx")) {
            var answer = host.ask("start " + ++lastWorker + " worker_graph -");

            assertTrue(answer.contains("= refused"), answer);
            assertTrue(
                    answer.contains(
                            "JUROM_DATA=ucx, but the service at " + WITHOUT_PLACE + " was not started with --data ucx"),
                    answer);
        }
    }

    @Test
    void a_host_is_notified_of_the_exit_of_its_worker() throws IOException {
        try (var host = hostByUcx()) {
            var worker = startWorker(service, host);
            assertWorks(host, 1);
            signal("KILL", worker.pid());

            var answer = host.ask("loop 2");
            assertTrue(answer.contains("= refused"), answer);
            startWorker(service, host);
            assertWorks(host, 3);
        }
    }

    @Test
    void a_worker_of_a_killed_host_serves_the_other_host_until_it_leaves() throws IOException {
        try (var other = hostByUcx()) {
            var worker = startWorker(service, other);
            for (var i = 0; i < 3; i++) {
                var killed = hostByUcx();
                assertTrue(killed.ask("start " + lastWorker + " worker_graph -").contains("= running"));
                assertWorks(killed, i);
                killed.close(); // by SIGKILL
                assertWorks(other, 100 + i);
            }
            other.close();
            Waiting.until("the worker has exited", () -> !worker.isAlive());
        }
    }

    @Test
    void a_stopped_host_continues_later_and_disturbs_no_other() throws IOException {
        try (var stopped = hostByUcx();
                var other = hostByUcx()) {
            startWorker(service, stopped);
            assertTrue(other.ask("start " + lastWorker + " worker_graph -").contains("= running"));
            signal("STOP", stopped.pid());
            for (var i = 0; i < 100; i++) {
                assertWorks(other, i);
            }
            signal("CONT", stopped.pid());
            assertWorks(stopped, 7);
        }
    }

    @Test
    void a_stopped_worker_answers_later() throws IOException {
        try (var host = hostByUcx()) {
            var worker = startWorker(service, host);
            signal("STOP", worker.pid());
            host.send("loop 8");
            signal("CONT", worker.pid());
            assertAnswered(host.answer(), 8);
        }
    }

    @Test
    void both_sides_detect_a_lost_network() throws IOException {
        try (var host = hostByUcx()) {
            var worker = startWorker(service, host);
            networks.setWire(false);

            var answer = host.ask("loop 9");
            assertTrue(answer.contains("= refused"), answer);
            Waiting.until(
                    "the worker has closed all of the connection",
                    () -> ProcessSockets.internet(worker.pid()).isEmpty());
            networks.setWire(true);
        }
        try (var host = hostByUcx()) {
            startWorker(service, host);
            assertWorks(host, 10);
        }
    }
}
