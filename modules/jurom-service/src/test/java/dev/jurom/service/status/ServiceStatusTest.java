// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.linux.RunningProcess;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the status file of a service. */
class ServiceStatusTest {

    private static final String OTHER_USER = "54321";
    private static final int UNREADABLE = 4; // services of that user in a test
    private static final Path DIRECTORY = Path.of("/run/jurom/s-0123456789abcdef");

    private static Optional<ServiceStatus> ofThisProcess() {
        return ServiceStatus.running().stream()
                .filter(status -> status.process() == ProcessHandle.current().pid())
                .findFirst();
    }

    @Test
    void a_service_that_runs_is_found_with_its_workers_and_is_gone_when_it_is_closed() throws IOException {
        Path directory;
        var service = EmbeddedService.open();
        try (var fixture = ServiceFixture.open(service);
                var worker = fixture.startWorker()) {
            Waiting.until(
                    "the status has a worker that is ready",
                    () -> ofThisProcess()
                            .filter(status -> status.workers().stream().anyMatch(RunningWorker::ready))
                            .isPresent());
            var status = ofThisProcess().orElseThrow();
            directory = status.directory();

            assertTrue(status.isAlive());
            assertEquals(List.of(service.address()), status.addresses());
            assertFalse(status.reloads(), "SIGHUP would end this process");
            assertTrue(status.plugins().stream().anyMatch(it -> it.name().equals("worker_graph")));
            assertEquals(
                    ServiceFixture.workerProcesses().getFirst().pid(),
                    status.workers().getFirst().process());
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("status"))));
        }
        assertFalse(Files.exists(directory));
        assertEquals(Optional.empty(), ofThisProcess());
    }

    @Test
    void a_released_worker_is_not_reported() {
        try (var fixture = ServiceFixture.open()) {
            fixture.startWorker().close();

            Waiting.until(
                    "the status has no workers",
                    () -> ofThisProcess().orElseThrow().workers().isEmpty());
        }
    }

    @Test
    void an_ended_process_is_not_a_service_even_if_its_id_is_reused() {
        try (var service = EmbeddedService.open()) {
            var status = ofThisProcess().orElseThrow();
            var older = status.toBuilder()
                    .started(status.started().minusSeconds(60))
                    .build();

            assertFalse(older.isAlive());
            assertTrue(status.isAlive());
        }
    }

    @Test
    void root_sees_services_of_others_and_no_link_fifo_or_large_file_of_theirs() throws Exception {
        assumeTrue(Credentials.ofThisProcess().userId() == Credentials.ROOT, "not root");
        var base = Files.createDirectory(Path.of("/tmp/jurom-" + OTHER_USER));
        var process = new ProcessBuilder(
                        "setpriv", "--reuid", OTHER_USER, "--regid", OTHER_USER, "--clear-groups", "cat")
                .start();
        try (var service = EmbeddedService.open()) {
            Waiting.until(
                    "the process runs as the other user",
                    () -> Integer.valueOf(OTHER_USER)
                            .equals(RunningProcess.of(process.pid())
                                    .map(RunningProcess::userId)
                                    .orElse(0)));
            var own = ofThisProcess().orElseThrow().directory().resolve("status");
            var ofThisProcess = Files.readString(own);
            var ofOther = ofThisProcess.replaceFirst(
                    "\nprocess .*\n",
                    "\nprocess " + process.pid() + " "
                            + process.info().startInstant().orElseThrow().toEpochMilli() + "\n");
            var expected = service(base, 0, ofOther);
            var nameless = service(base, 5, ofOther.replaceFirst("\naddress .*\n", "\n"));
            service(base, 6, ofOther.replaceFirst("\naddress .*\n", "\naddress %1B%5B2J\n"));
            service(base, 1, ofThisProcess);
            var linked = service(base, 2, "").resolve("status");
            Files.delete(linked);
            Files.createSymbolicLink(linked, expected.resolve("status"));
            var pipe = service(base, 3, "").resolve("status");
            Files.delete(pipe);
            Command.run("mkfifo", pipe.toString());
            try (var large =
                    new RandomAccessFile(service(base, 4, "").resolve("status").toFile(), "rw")) {
                large.setLength(1L << 40);
            }
            Command.run("chown", "-hR", OTHER_USER, base.toString());

            assertEquals(
                    Map.of(
                            expected,
                            service.address(),
                            nameless,
                            nameless.getFileName().toString()),
                    VisibleServices.find().running().stream()
                            .filter(status -> status.directory().startsWith(base))
                            .collect(Collectors.toMap(ServiceStatus::directory, ServiceStatus::name)));
            assertTrue(ServiceStatus.running().stream()
                    .noneMatch(status -> status.directory().startsWith(base)));
            assertEquals(
                    UNREADABLE, VisibleServices.find().unreadable().get(Integer.valueOf(OTHER_USER)), "not counted");
        } finally {
            process.destroyForcibly();
            Command.run("rm", "-r", base.toString());
        }
    }

    /** Creates the directory of a service with this status. */
    private static Path service(Path base, int number, String status) throws IOException {
        var directory = Files.createDirectory(base.resolve("s-000000000000000" + number));
        Files.writeString(directory.resolve("status"), status);
        return directory;
    }

    @Property(tries = 300)
    void any_names_and_paths_come_back(
            @ForAll @NotEmpty String name,
            @ForAll @NotEmpty String path,
            @ForAll long id,
            @ForAll int group,
            @ForAll boolean ready) {
        var file = Path.of("/" + path.replaceAll("[\0/\ud800-\udfff]", "_"));
        var plain = name.replaceAll("[\ud800-\udfff]", "_");
        var status = ServiceStatus.builder(DIRECTORY, 7)
                .started(Instant.ofEpochMilli(8))
                .release(plain)
                .reloads(ready)
                .reloadsStarted(2)
                .reloadsCompleted(1)
                .addresses(List.of(plain, "unix:" + file))
                .servesAll(!ready)
                .maxMessageSize(4096)
                .cpus("0-3")
                .logDirectory(Optional.of(file))
                .authorizedHosts(ready ? OptionalInt.of(3) : OptionalInt.empty())
                .problems(List.of(plain))
                .plugins(List.of(new OfferedPlugin(id, id, plain, file)))
                .workers(List.of(new RunningWorker(
                        id,
                        9,
                        11,
                        group,
                        ready ? OptionalInt.of(group) : OptionalInt.empty(),
                        id,
                        3,
                        Instant.ofEpochMilli(10),
                        ready)))
                .remoteSessions(List.of(new RemoteSession(12, group, plain, plain, Instant.ofEpochMilli(13), 14)))
                .build();

        assertEquals(status, StatusText.parse(DIRECTORY, StatusText.of(status)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "end",
                "jurom-status 2\nend\n",
                "jurom-status 1\nend\n",
                "jurom-status 1\nprocess 1 2\n",
                "jurom-status 1\nprocess\nend\n",
                "jurom-status 1\nprocess 1 2\nprocess 1 2\nend\n",
                "jurom-status 1\nprocess x y\nend\n",
                "jurom-status 1\nprocess 1 2\nrelease %\nend\n",
                "jurom-status 1\nprocess 1 2\nplugin 1\nend\n"
            })
    void a_malformed_status_is_rejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> StatusText.parse(DIRECTORY, text));
    }

    /** The resources are the files of a service with a worker, of each release and each earlier state of the format. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-11-22", "2026-11-24", "2026-11-25", "2026-11-27", "0.1.0"})
    void the_status_of_each_release_is_read(String release) throws IOException {
        var status = StatusText.parse(DIRECTORY, resource(release));

        assertEquals(4711, status.process());
        assertEquals("0.1.0", status.release());
        assertTrue(status.reloads());
        assertEquals(List.of("unix:/run/jurom/a b.sock"), status.addresses());
        assertEquals("worker_graph", status.plugins().getFirst().name());
        assertEquals(4712, status.workers().getFirst().process());
        assertTrue(status.workers().getFirst().ready());
    }

    /** Updating the resource is correct only before that release is published. */
    @Test
    void the_format_is_that_of_the_release() throws IOException {
        var text = resource(Release.CURRENT);

        assertEquals(text, StatusText.of(StatusText.parse(DIRECTORY, text)));
    }

    @Test
    void a_later_release_may_add_lines_and_words() throws IOException {
        var text = resource("0.1.0");
        var later = text.replaceAll("(?m)^(plugin|worker|remote|process|release|start) .*$", "$0 more words")
                .replaceFirst("\n", "\nnew-line 1 2 3\n");

        assertEquals(StatusText.parse(DIRECTORY, text), StatusText.parse(DIRECTORY, later));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"release", "reloads", "reloads-started", "serves-all", "max-message-size", "cpus", "worker"})
    void a_line_may_be_missing(String name) throws IOException {
        var without = resource("0.1.0").replaceAll("(?m)^" + name + " .*\n", "");

        assertEquals(4711, StatusText.parse(DIRECTORY, without).process());
    }

    private static String resource(String release) throws IOException {
        try (var stream = Objects.requireNonNull(ServiceStatusTest.class.getResourceAsStream("status-" + release))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void an_unreadable_service_is_counted_and_hides_no_other() throws IOException {
        var base = Files.createDirectories(
                RuntimeDirectory.bases(Credentials.ofThisProcess()).getFirst());
        var own = Credentials.ofThisProcess().userId();
        try (var service = EmbeddedService.open()) {
            var other = service(base, 9, "jurom-status 2\nend\n");
            try {
                assertTrue(ofThisProcess().isPresent());
                assertTrue(VisibleServices.find().unreadable().getOrDefault(own, 0) > 0, "not counted");
                assertTrue(VisibleServices.find().running().stream()
                        .anyMatch(status -> status.addresses().contains(service.address())));
                var selected = VisibleServices.ofProcess(ProcessHandle.current().pid());
                assertEquals(Map.of(), selected.unreadable(), "reads another service");
                assertEquals(
                        List.of(List.of(service.address())),
                        selected.running().stream()
                                .map(ServiceStatus::addresses)
                                .toList());
            } finally {
                Files.delete(other.resolve("status"));
                Files.delete(other);
            }
        }
    }

    @Test
    void an_unreadable_service_of_the_selected_process_is_counted() throws IOException {
        var base = Files.createDirectories(
                RuntimeDirectory.bases(Credentials.ofThisProcess()).getFirst());
        var process = ProcessHandle.current().pid();
        var own = service(base, 8, "jurom-status 2\nprocess " + process + " 1\nend\n");
        try {
            assertEquals(
                    Map.of(Credentials.ofThisProcess().userId(), 1),
                    VisibleServices.ofProcess(process).unreadable());
        } finally {
            Files.delete(own.resolve("status"));
            Files.delete(own);
        }
    }

    /** The kernel accepts connections to a process that is blocked. */
    @Test
    void a_service_that_does_not_answer_is_recognized(@TempDir Path folder) throws IOException {
        var hung = StatusText.parse(folder, resource("0.1.0"));
        assertTrue(hung.answers(), "an earlier release has no socket");
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var service = EmbeddedService.open()) {
            listener.bind(UnixDomainSocketAddress.of(folder.resolve(ServiceStatus.SOCKET)));

            assertTrue(ofThisProcess().orElseThrow().answers());
            assertFalse(hung.answers());
        }
        assertFalse(hung.answers(), "nothing listens");
    }
}
