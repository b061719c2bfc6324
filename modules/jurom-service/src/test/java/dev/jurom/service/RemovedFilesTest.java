// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests services whose files other programs remove while they run. */
class RemovedFilesTest {

    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final List<String> RESTORED = List.of("urom.sock", "status", "daemon.counters", "life");

    @TempDir
    private Path folder;

    /** Runs the cleaner of temporary files until it has removed a file that is older than a second in each folder. */
    private void clean(Path... folders) throws IOException {
        var rules = folder.resolve("rules.conf");
        var canaries = Stream.of(folders).map(it -> it.resolve("canary")).toList();
        for (var canary : canaries) {
            Files.createFile(canary);
        }
        Files.writeString(
                rules,
                String.join(
                        "", Stream.of(folders).map("d %s - - - 1s\n"::formatted).toList()));
        Waiting.until("the cleaner removes files", () -> {
            Command.run("systemd-tmpfiles", "--clean", rules.toString());
            return canaries.stream().noneMatch(Files::exists);
        });
    }

    private static List<String> asOrdinaryUser() {
        return OWN.userId() == Credentials.ROOT
                ? List.of("unshare", "--user", "--map-user=1", "--map-group=1")
                : List.of();
    }

    @Test
    void a_cleaner_of_temporary_files_removes_nothing_that_a_running_service_needs() throws IOException {
        assumeTrue(Command.execute(List.of("systemd-tmpfiles", "--version")).exitCode() == 0, "no systemd-tmpfiles");
        var sockets = Files.createDirectory(folder.resolve("sockets"));
        var runtime = Files.createDirectory(folder.resolve("runtime"));
        var base = runtime.resolve("jurom");
        var address = new ListenAddress.Unix(sockets.resolve("urom.sock"));
        var environment = Map.of("XDG_RUNTIME_DIR", runtime.toString());
        try (var daemon = new DaemonProcess(folder, asOrdinaryUser(), environment, "--listen", address.toString());
                var before = TestHost.admitted(new TestHost(daemon.address()))) {
            before.spawnAny(1);
            var worker = Path.of(before.receive(Frame.Spawned.class).address().substring("unix:".length()));
            var own = worker.getParent();
            var files = content(own);

            clean(sockets, runtime, base);

            assertEquals(files, content(own));
            assertTrue(Files.exists(worker), "the socket of a worker");
            try (var after = TestHost.admitted(new TestHost(address))) {
                after.spawnAny(1);
                after.receive(Frame.Spawned.class);
            }
            var second = "unix:" + folder.resolve("second.sock");
            try (var next = new DaemonProcess(folder, asOrdinaryUser(), environment, "--listen", second)) {
                next.address();
                assertEquals(files, content(own), "after the next service of this user has started");
            }
        }
    }

    private static List<String> content(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(it -> it.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_directory_is_removed_only_if_both_locks_of_its_service_are_free() throws IOException {
        try (var running = RuntimeDirectory.open(OWN, false)) {
            var cleaned = running.path();
            Files.delete(cleaned.resolve("life"));

            RuntimeDirectory.open(OWN, false).close();

            assertTrue(Files.exists(cleaned), "the directory of a running service");
            assertTrue(running.restore());
            assertTrue(Files.exists(cleaned.resolve("life")));
        }
    }

    @Test
    void a_service_whose_socket_is_removed_listens_again_and_counts_it() throws IOException {
        var address = new ListenAddress.Unix(folder.resolve("urom.sock"));
        try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(address), folder.resolve("log"));
                var before = TestHost.admitted(daemon)) {
            Files.delete(address.path());

            Waiting.until("the socket is there again", () -> Files.exists(address.path()));
            Waiting.until("it is counted", () -> TestDaemon.count(daemon, Counter.DAEMON_SOCKETS_RESTORED) == 1);
            try (var after = TestHost.admitted(daemon)) {
                after.spawnAny(1);
                after.receive(Frame.Spawned.class);
            }
            before.spawnAny(1);
            before.receive(Frame.Spawned.class);
            assertEquals(
                    1,
                    TestDaemon.logLines(folder.resolve("log"), "had been removed")
                            .size());
        }
    }

    @Test
    void a_service_says_while_another_file_is_in_the_place_of_its_socket() throws IOException {
        var address = new ListenAddress.Unix(folder.resolve("urom.sock"));
        try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(address), folder.resolve("log"))) {
            var status = daemon.directory().resolve("status");
            Files.delete(address.path());
            Files.createFile(address.path());

            Waiting.until("the status says so", () -> read(status).contains("is+not+a+socket"));
            Files.delete(address.path());
            Waiting.until("it no longer does", () -> !read(status).contains("is+not+a+socket"));
            TestHost.admitted(daemon).close();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return ""; // being replaced
        }
    }

    @Test
    void an_embedded_service_whose_directory_is_removed_creates_it_again() throws IOException {
        assumeTrue(DocaRuntime.current().kind() == RuntimeKind.SOFTWARE, "the vendor's service is on the DPU");
        try (var service = EmbeddedService.open()) {
            var file = service.serviceFile();
            var entries = ServiceFile.read(file).entries();
            var directory = file.getParent();

            Command.run("rm", "-r", directory.toString());

            var expected = new ArrayList<>(RESTORED);
            expected.add("services");
            Waiting.until(
                    "its files are there again",
                    () -> expected.stream().allMatch(name -> Files.exists(directory.resolve(name))));
            assertEquals(entries, ServiceFile.read(file).entries());
        }
    }

    /** Starts workers, and runs a command that removes files before each. Prints a line for each. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            var plugin = WorkerConfiguration.of("worker_graph");
            try (var urom = Urom.open()) {
                urom.startWorker(plugin).close();
                for (var removal : arguments) {
                    Command.run("sh", "-c", removal);
                    urom.startWorker(plugin).close();
                    System.out.println("started");
                }
                try (var second = Urom.open()) {
                    second.startWorker(plugin).close();
                    System.out.println("started by another");
                }
            }
            Command.run("sh", "-c", arguments[0]);
            try (var third = Urom.open()) {
                third.startWorker(plugin).close();
                System.out.println("started after the end");
            }
        }
    }

    /** In the end, the user cannot create the runtime directory again, as after a logout. */
    @Test
    void workers_start_after_the_native_files_and_the_runtime_directory_were_removed() throws Exception {
        var cache = Files.createDirectory(folder.resolve("cache"));
        var runtime = Files.createDirectory(folder.resolve("runtime"));
        var words = new ArrayList<>(asOrdinaryUser());
        words.addAll(List.of("env", "-u", ServiceFile.VARIABLE, "XDG_RUNTIME_DIR=" + runtime));
        words.addAll(ForkedJvm.command(
                Program.class, ForkedJvm.NATIVE_ACCESS, "-Djurom.cache.path=" + cache.resolve("jurom")));
        words.removeIf(word -> word.startsWith("-Djurom.software.path="));
        words.add("rm -rf " + cache + "/jurom");
        // renamed first, since the service creates files in it again at any time
        var removal = "mv " + runtime + "/jurom " + folder + "/removed && rm -rf " + folder + "/removed";
        words.add(removal);
        words.add(removal + "; chmod 500 " + runtime);

        var result = Command.execute(words);

        assertEquals(0, result.exitCode(), result.output());
        assertEquals(
                List.of("started", "started", "started", "started by another", "started after the end"),
                result.output()
                        .lines()
                        .filter(line -> line.startsWith("started"))
                        .toList());
    }
}
