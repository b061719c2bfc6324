// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.Uninterrupted.call;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests connections of one process to several services. */
@Timeout(120)
class ServiceLocationTest {

    @TempDir
    private Path folder;

    /** A {@code urom-daemon} in another process. */
    private record Daemon(Process process, Path folder) implements AutoCloseable {

        static Daemon start(Path folder) throws IOException {
            Files.createDirectory(folder);
            var words = new ArrayList<>(ForkedJvm.command(UromDaemonMain.class, ForkedJvm.NATIVE_ACCESS));
            words.addAll(List.of(
                    "--allow-root",
                    "--listen",
                    "unix:" + folder.resolve("socket"),
                    "--service-file",
                    folder.resolve("services").toString()));
            var process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            var daemon = new Daemon(process, folder);
            Waiting.until("the daemon listens", () -> {
                assertTrue(process.isAlive(), daemon::output);
                return daemon.output().contains("listening");
            });
            return daemon;
        }

        private String output() {
            try {
                return Files.readString(folder.resolve("output"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String address() {
            return "unix:" + folder.resolve("socket");
        }

        Path serviceFile() {
            return folder.resolve("services");
        }

        void kill() {
            var processes = process.descendants().toList();
            process.destroyForcibly();
            Waiting.until(
                    "the daemon and its workers have exited",
                    () -> !process.isAlive() && processes.stream().noneMatch(ProcessHandle::isAlive));
        }

        @Override
        public void close() {
            kill();
        }
    }

    private static Urom open(ServiceLocation location) throws InterruptedException {
        return Urom.open(UromConfiguration.builder().service(location).build());
    }

    private static Worker start(Urom urom, int group) throws InterruptedException {
        return urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).group(group).build());
    }

    /** Returns whether two connections have the same service, where a worker of the group is visible to both. */
    private static boolean haveOneService(Urom one, Urom other, int group) throws InterruptedException {
        try (var worker = start(one, group)) {
            assertEquals(1, call(worker, LOOPBACK, 1L));
            assertArrayEquals(new long[] {worker.id()}, one.workersByGroup(group));
            return other.workersByGroup(group).length > 0;
        }
    }

    @Test
    void calls_continue_at_another_daemon_when_one_is_killed() throws Exception {
        try (var first = Daemon.start(folder.resolve("first"));
                var second = Daemon.start(folder.resolve("second"))) {
            var main = UromConfiguration.builder()
                    .service(ServiceLocation.address(first.address()))
                    .build();
            var spare = UromConfiguration.builder()
                    .service(ServiceLocation.file(second.serviceFile()))
                    .build();
            try (var urom = Urom.open(main);
                    var other = Urom.open(spare);
                    var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                    var substitute = other.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                assertEquals(1, callEither(worker, substitute, 1));
                assertEquals(List.of(1L, 1L), List.of(completed(urom), completed(other) + 1));

                first.kill();

                for (var command = 2L; command < 50; command++) {
                    assertEquals(command, callEither(worker, substitute, command));
                }
                assertEquals(48, completed(other));
            }
        }
    }

    private static long completed(Urom urom) {
        return urom.counters().completed();
    }

    private static long callEither(Worker worker, Worker substitute, long command) {
        try {
            return call(worker, LOOPBACK, command);
        } catch (DocaException e) {
            return call(substitute, LOOPBACK, command);
        }
    }

    @Test
    void an_embedded_service_and_a_daemon_serve_one_process() throws IOException, InterruptedException {
        try (var daemon = Daemon.start(folder.resolve("daemon"));
                var embedded = open(ServiceLocation.embedded());
                var shared = open(ServiceLocation.embedded());
                var remote = open(ServiceLocation.address(daemon.address()))) {
            assertTrue(haveOneService(embedded, shared, 1));
            assertFalse(haveOneService(embedded, remote, 2));
            assertFalse(haveOneService(remote, embedded, 3));

            daemon.kill();

            assertTrue(haveOneService(embedded, shared, 4));
        }
    }

    @Test
    void an_embedded_service_is_chosen_although_the_environment_names_another()
            throws IOException, InterruptedException {
        var usual = Environment.get(ServiceFile.VARIABLE);
        try (var daemon = Daemon.start(folder.resolve("daemon"))) {
            Environment.set(ServiceFile.VARIABLE, daemon.serviceFile().toString());
            try (var embedded = open(ServiceLocation.embedded());
                    var named = open(ServiceLocation.environment());
                    var remote = open(ServiceLocation.address(daemon.address()))) {
                assertFalse(haveOneService(embedded, named, 1));
                assertTrue(haveOneService(named, remote, 2));
            }
        } finally {
            Environment.restore(ServiceFile.VARIABLE, usual);
        }
    }

    @Test
    void two_embedded_services_have_their_own_connections_and_message_sizes() throws InterruptedException {
        try (var small = EmbeddedService.open(
                        usual -> usual.toBuilder().maxMessageSize(1024).build());
                var large = EmbeddedService.open(
                        usual -> usual.toBuilder().maxMessageSize(65_536).build());
                var toSmall = open(ServiceLocation.address(small.address()));
                var toLarge = open(ServiceLocation.file(large.serviceFile()));
                var toLast = open(ServiceLocation.embedded())) {
            assertFalse(haveOneService(toSmall, toLarge, 1));
            assertTrue(haveOneService(toLast, toLarge, 2));

            large.close();

            assertTrue(haveOneService(toSmall, toSmall, 3));
            try (var next = Urom.open()) {
                assertTrue(haveOneService(next, toSmall, 4));
            }
        }
    }

    /** Opens a connection with the embedded service, which the library of the vendor does not support. */
    static final class VendorProgram {

        private VendorProgram() {}

        public static void main(String[] arguments) throws InterruptedException {
            for (var location : List.of(
                    ServiceLocation.embedded(),
                    ServiceLocation.file(Path.of("services")),
                    ServiceLocation.address("unix:/socket"))) {
                try (var urom = open(location)) {
                    System.out.println("unexpectedly opened " + urom);
                } catch (DocaException e) {
                    System.out.println(e.error() + " " + e.advice());
                }
            }
        }
    }

    @Test
    void the_library_of_the_vendor_rejects_each_location_but_the_environment() {
        var libraries = SoftwareInstallation.current().libraries();

        var result = ForkedJvm.run(VendorProgram.class, "-Djurom.runtime=vendor", "-Djurom.library.path=" + libraries);

        var rejected = "NOT_SUPPORTED The library of the vendor finds services only by the environment:"
                + " set DOCA_UROM_SERVICE_FILE to a service file instead.\n";
        assertEquals(rejected.repeat(3), result.output());
    }
}
