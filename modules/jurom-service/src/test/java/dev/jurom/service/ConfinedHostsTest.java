// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Cgroups;
import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.linux.LocalSocket;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a service of root does not give confined hosts more rights than they have. */
class ConfinedHostsTest {

    private static final int DAEMON = 1; // an account of every Debian
    private static final List<String> WITHOUT_CAPABILITIES =
            List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs");
    private static final List<String> IN_A_USER_NAMESPACE = List.of("unshare", "--user", "--map-root-user");
    private static final List<String> IN_A_PID_NAMESPACE = List.of("unshare", "--pid", "--fork");
    private static final long FILES = 512;

    @TempDir
    private Path folder;

    private ListenAddress.Unix address;

    @BeforeEach
    void requireRoot() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        address = new ListenAddress.Unix(folder.resolve("socket"));
    }

    private UromDaemon serviceThat(boolean allowsRoot, boolean allowsNamespaces) throws IOException {
        var prefix = PublicInstallation.in(folder);
        return TestDaemon.start(
                DaemonConfiguration.builder(
                                prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                        .listen(address)
                        .users(DaemonConfiguration.Users.ALL.allowing(allowsRoot, allowsNamespaces)),
                folder.resolve("log"));
    }

    private static Frame start(ForeignHost host, long worker) {
        host.welcome();
        host.send(Frame.Spawn.of(1, worker, 1));
        return host.receive();
    }

    private static Path worker(Frame answer) {
        return Path.of("/proc/" + assertInstanceOf(Frame.Spawned.class, answer).processId());
    }

    private static void assertRefused(Frame answer, String words) {
        var refusal = assertInstanceOf(Frame.Failure.class, answer);
        assertEquals(DocaError.NOT_PERMITTED, refusal.error(), refusal.text());
        assertTrue(refusal.text().contains(words), refusal.text());
    }

    private static void assertStatus(Path process, String line) throws IOException {
        var status = Files.readAllLines(process.resolve("status"));
        assertTrue(status.contains(line), () -> line + " is not in " + status);
    }

    @Test
    void a_worker_of_root_has_no_capability_that_its_host_lacks() throws IOException {
        try (var daemon = serviceThat(true, false);
                var host = new ForeignHost(WITHOUT_CAPABILITIES, address)) {
            var worker = worker(start(host, 5));

            assertStatus(worker, "Uid:\t0\t0\t0\t0");
            for (var set : List.of("CapInh", "CapPrm", "CapEff", "CapAmb")) {
                assertStatus(worker, set + ":\t0000000000000000");
            }
            assertStatus(worker, "NoNewPrivs:\t1");
        }
    }

    @Test
    void a_worker_of_an_unconfined_root_keeps_its_capabilities() throws IOException {
        try (var daemon = serviceThat(true, false);
                var host = new ForeignHost(List.of(), address)) {
            var own = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapPrm"))
                    .findFirst()
                    .orElseThrow();

            assertStatus(worker(start(host, 5)), own);
        }
    }

    @Test
    void a_confined_host_cannot_attach_to_a_worker_that_may_do_more() throws IOException {
        try (var daemon = serviceThat(true, false);
                var root = new ForeignHost(List.of(), address);
                var confined = new ForeignHost(WITHOUT_CAPABILITIES, address)) {
            worker(start(root, 5));

            assertRefused(start(confined, 5), "Worker 5 has capabilities (0x");
        }
    }

    @Test
    void a_worker_has_no_higher_limits_than_its_host() throws IOException {
        var limited =
                new ArrayList<>(List.of("prlimit", "--nofile=" + FILES + ":" + FILES, "--memlock=65536:65536", "--"));
        limited.addAll(ForeignHost.asUser(DAEMON));
        try (var daemon = serviceThat(false, false);
                var host = new ForeignHost(limited, address);
                var other = new ForeignHost(DAEMON, address)) {
            var limits = Files.readString(worker(start(host, 5)).resolve("limits"));

            assertTrue(limits.matches("(?s).*Max open files +512 +512 .*"), limits);
            assertTrue(limits.matches("(?s).*Max locked memory +65536 +65536 .*"), limits);
            worker(start(other, 6));
            host.send(Frame.Spawn.of(2, 6, 1));
            assertRefused(host.receive(), "Worker 6 has a higher RLIMIT_NOFILE");
        }
    }

    @Test
    void root_gets_no_worker_unless_the_operator_allows_it() throws IOException {
        try (var daemon = serviceThat(false, false);
                var root = new ForeignHost(List.of(), address);
                var user = new ForeignHost(DAEMON, address)) {
            assertRefused(start(root, 5), "--allow-root");
            worker(start(user, 5));
        }
    }

    /** Returns a command prefix that runs a program in a cgroup. */
    private static List<String> in(Path cgroup) {
        return List.of("sh", "-c", "echo $$ >" + cgroup + "/cgroup.procs && exec \"$@\"", "sh");
    }

    @Test
    void a_worker_joins_the_cgroup_of_its_host() throws IOException {
        var cgroup = Cgroups.own(Cgroups.UNIFIED).map(own -> own.resolve("jurom-host-test"));
        assumeTrue(cgroup.filter(path -> Files.isWritable(path.getParent())).isPresent(), "cgroups cannot be created");
        Files.createDirectory(cgroup.get());
        var words = new ArrayList<>(in(cgroup.get()));
        words.addAll(ForeignHost.asUser(DAEMON));
        try (var daemon = serviceThat(false, false);
                var host = new ForeignHost(words, address)) {
            var worker = worker(start(host, 5));

            assertTrue(
                    Cgroups.path(worker, Cgroups.UNIFIED).endsWith("/jurom-host-test"),
                    Files.readString(worker.resolve("cgroup")));
        }
        Waiting.until("the cgroup is empty", () -> cgroup.get().toFile().delete());
    }

    @Test
    void a_memory_limit_applies_to_a_cgroup_of_the_worker_where_there_are_cgroups() throws IOException {
        var parent = Cgroups.own("memory").filter(Files::isWritable);
        assumeTrue(parent.isPresent(), "cgroups cannot be created");
        var prefix = PublicInstallation.in(folder);
        var settings = WorkerSettings.of(prefix.resolve("bin/urom_worker")).withResources(64 << 20, 0);
        try (var daemon = TestDaemon.start(
                        DaemonConfiguration.builder(settings.program(), List.of(prefix.resolve("lib/urom_plugins")))
                                .listen(address)
                                .workers(settings),
                        folder.resolve("log"));
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            var worker = worker(host.receive());

            var cgroup =
                    parent.get().resolve(Path.of(Cgroups.path(worker, "memory")).getFileName());
            assertEquals(
                    "67108864",
                    Files.readString(cgroup.resolve("memory.limit_in_bytes")).strip());
            host.close();
            Waiting.until("its cgroup is removed", () -> !Files.exists(cgroup));
        }
    }

    @Test
    void the_end_of_a_killed_worker_names_a_cgroup_whose_memory_was_exhausted() throws IOException {
        var controller = Cgroups.own("memory").isPresent() ? "memory" : Cgroups.UNIFIED;
        var parent = Cgroups.own(controller).filter(Files::isWritable);
        assumeTrue(parent.isPresent(), "cgroups cannot be created");
        var prefix = PublicInstallation.in(folder);
        var settings = WorkerSettings.of(prefix.resolve("bin/urom_worker")).withResources(64 << 20, 0);
        try (var daemon = TestDaemon.start(
                        DaemonConfiguration.builder(settings.program(), List.of(prefix.resolve("lib/urom_plugins")))
                                .listen(address)
                                .workers(settings),
                        folder.resolve("log"));
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            var spawned = host.receive(Frame.Spawned.class);
            var path = Path.of(Cgroups.path(Path.of("/proc/" + spawned.processId()), controller));
            Path cgroup;
            try (var all = Files.walk(parent.get())) {
                cgroup = all.filter(Files::isDirectory)
                        .filter(directory -> directory.endsWith(path.getFileName()))
                        .findFirst()
                        .orElseThrow();
            }
            var words = new ArrayList<>(in(cgroup));
            words.addAll(List.of("tail", "/dev/zero")); // keeps a line in memory that does not end
            assertEquals(128 + 9, Command.execute(words).exitCode());

            Command.run("kill", "-KILL", "" + spawned.processId());

            var end = host.receive(Frame.WorkerGone.class).text();
            assertTrue(
                    end.contains("(SIGKILL); meanwhile the kernel has killed a process of the cgroup " + cgroup
                            + " because its memory was exhausted"),
                    end);
        }
    }

    /** Prints how many of 40 processes it could create, which it ends. */
    private static final String BOMB = """
            #include <signal.h>
            #include <stdio.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int main(void)
            {
                pid_t children[40];
                int created = 0;
                for (int i = 0; i < 40; ++i) {
                    children[created] = fork();
                    if (children[created] == 0)
                        for (;;)
                            pause();
                    created += children[created] > 0;
                }
                for (int i = 0; i < created; ++i) {
                    kill(children[i], SIGKILL);
                    waitpid(children[i], NULL, 0);
                }
                printf("%d\\n", created);
            }
            """;

    private int bomb(Path cgroup) throws IOException {
        var source = Files.writeString(folder.resolve("bomb.c"), BOMB);
        var program = folder.resolve("bomb").toString();
        Command.run("cc", "-o", program, source.toString());
        var words = new ArrayList<>(in(cgroup));
        words.add(program);
        return Integer.parseInt(Command.run(words).strip());
    }

    @Test
    void the_tasks_of_a_worker_and_of_its_user_are_limited_where_there_are_cgroups() throws IOException {
        var controller = Cgroups.own("pids").isPresent() ? "pids" : Cgroups.UNIFIED;
        var parent = Cgroups.own(controller).filter(Files::isWritable);
        assumeTrue(parent.isPresent(), "cgroups cannot be created");
        var prefix = PublicInstallation.in(folder);
        var settings = WorkerSettings.of(prefix.resolve("bin/urom_worker"))
                .withResources(64 << 20, 0)
                .withTasks(20, 30);
        var user =
                parent.get().resolve("urom-user-" + Credentials.ofThisProcess().userId());
        try (var daemon = TestDaemon.start(
                        DaemonConfiguration.builder(settings.program(), List.of(prefix.resolve("lib/urom_plugins")))
                                .listen(address)
                                .workers(settings),
                        folder.resolve("log"));
                var host = TestHost.admitted(daemon)) {
            var cgroups = new ArrayList<Path>();
            for (var i = 0; i < 2; i++) {
                host.spawnAny(1);
                var path = Path.of(Cgroups.path(worker(host.receive()), controller));
                cgroups.add(user.resolve(path.getFileName()));
                assertTrue(path.endsWith(parent.get().relativize(cgroups.getLast())), path::toString);
            }

            var allowed = bomb(cgroups.getFirst());
            assertTrue(allowed > 0 && allowed < 20, () -> allowed + " processes");
            assertEquals("30", Files.readString(user.resolve("pids.max")).strip());
            assertEquals(
                    "20",
                    Files.readString(cgroups.getLast().resolve("pids.max")).strip());
            host.close();
            Waiting.until("the cgroup of the user is removed", () -> !Files.exists(user));
        }
    }

    static Stream<List<String>> namespaces() {
        return Stream.of(IN_A_USER_NAMESPACE, IN_A_PID_NAMESPACE);
    }

    private static void assumeWorks(List<String> command) {
        var words = new ArrayList<>(command);
        words.add("true");
        assumeTrue(Command.execute(words).exitCode() == 0, () -> command + " is not permitted");
    }

    @ParameterizedTest
    @MethodSource("namespaces")
    void a_process_in_other_namespaces_is_refused(List<String> namespace) throws IOException {
        assumeWorks(namespace);
        try (var daemon = serviceThat(true, false);
                var host = new ForeignHost(namespace, address)) {
            assertRefused(host.receive(), "--allow-namespaces");
        }
    }

    /** The capabilities of such a host are limited to its own namespace. */
    @ParameterizedTest
    @MethodSource("namespaces")
    void a_process_in_other_namespaces_gets_workers_without_capabilities_where_it_is_allowed(List<String> namespace)
            throws IOException {
        assumeWorks(namespace);
        try (var daemon = serviceThat(true, true);
                var host = new ForeignHost(namespace, address)) {
            assertStatus(worker(start(host, 5)), "CapPrm:\t0000000000000000");
        }
    }

    /** Connects, and exits while a child keeps the connection open. */
    private static final String EXITS = """
            use IO::Socket::UNIX;
            my $socket = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no connection: $!";
            exit if fork();
            sysread($socket, my $bytes, 1);
            """;

    /** The process ID may have been reused. */
    @Test
    void a_process_that_has_exited_is_refused() throws IOException {
        var users = new LocalUsers(Credentials.ofThisProcess(), DaemonConfiguration.Users.ALL);
        try (var poller = new Poller(Thread.ofPlatform().daemon().name("poller").factory());
                var listener =
                        LocalSocket.listen(address.path(), PosixFilePermissions.fromString("rw-rw-rw-"), 1, poller)) {
            Command.run("perl", "-e", EXITS, address.path().toString());
            try (var socket = listener.accept();
                    var process = socket.peer()) {
                var refusal = assertThrows(RequestRefused.class, () -> users.peer(process));

                assertTrue(refusal.getMessage().contains("that connected has exited"), refusal.getMessage());
            }
        }
    }
}
