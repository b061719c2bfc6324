// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.plugins.PluginCatalogTest;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the service as a standalone process. */
class StandaloneServiceTest {

    /** The exit code after SIGTERM. */
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder;

    private DaemonProcess start(String... arguments) {
        return new DaemonProcess(folder, Map.of(), arguments);
    }

    /** The addresses at which a service can listen. */
    private String anywhere() {
        return "unix:" + folder.resolve("socket");
    }

    private static Frame.Welcome welcome(TestHost host, int maxMessageSize) {
        host.hello(maxMessageSize);
        return host.receive(Frame.Welcome.class);
    }

    /** As the shipped units do, which have a log directory. */
    @Test
    void warnings_go_to_the_journal_too_and_the_log_states_why_a_worker_has_exited() throws IOException {
        var journal = List.of(
                "sh",
                "-c",
                "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) && export JOURNAL_STREAM && exec \"$@\"",
                "sh");
        var log = folder.resolve("log");
        try (var daemon =
                new DaemonProcess(folder, journal, Map.of(), "--listen", anywhere(), "--log-dir", log.toString())) {
            try (var host = TestHost.admitted(new TestHost(daemon.address()))) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
                host.send(new byte[64]);
                host.awaitLost();
            }
            Waiting.until(
                    "the worker has exited",
                    () -> TestDaemon.log(log)
                            .contains(
                                    "exited, because the session of its last host has ended: The frame is malformed"));

            var closed = "is closed: The frame is malformed";
            assertTrue(daemon.error().contains("[WRN][DAEMON]"), daemon::error);
            assertTrue(daemon.error().contains(closed), daemon::error);
            assertTrue(TestDaemon.log(log).contains(closed), () -> TestDaemon.log(log));
            assertFalse(daemon.error().contains("[INF][DAEMON]"), daemon::error);
        }
    }

    @Test
    void it_ends_on_sigterm_after_its_workers() {
        try (var daemon = start("--listen", anywhere());
                var host = new TestHost(daemon.address())) {
            welcome(host, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
            host.spawnAny(1);
            var worker = host.receive(Frame.Spawned.class).processId();
            assertEquals(1, daemon.workers().size());

            daemon.terminate();

            assertEquals(TERMINATED, daemon.awaitEnd());
            assertFalse(TestDaemon.isAlive(worker));
            assertTrue(daemon.error().contains("The service has ended"), daemon::error);
            host.awaitLost();
        }
    }

    @Test
    void its_workers_exit_when_it_is_killed() {
        try (var daemon = start("--listen", anywhere());
                var host = new TestHost(daemon.address())) {
            welcome(host, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
            for (var i = 0; i < 4; i++) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
            }
            var workers = daemon.workers();
            assertEquals(4, workers.size());

            daemon.kill();

            Waiting.within(
                    Duration.ofSeconds(5),
                    "the workers are gone",
                    () -> workers.stream().noneMatch(ProcessHandle::isAlive));
            host.awaitLost();
        }
    }

    @Test
    void it_writes_a_service_file_for_this_machine() throws IOException {
        var file = folder.resolve("services");
        try (var daemon = start("--listen", anywhere(), "--service-file", file.toString())) {
            daemon.address();
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();

            var entry = ServiceFile.read(file).find(name, "0000:00:00.0").orElseThrow();
            assertEquals(anywhere(), entry.deviceHost());
            assertEquals(List.of("all"), entry.networkDevices());
        }
    }

    /** Starts a worker with one plugin and returns its process or the error of the service. */
    private static Frame spawned(TestHost host, long plugin) {
        host.spawnAny(plugin);
        return host.receive();
    }

    private static void assertLoaded(Frame answer, Path plugin) throws IOException {
        var process = assertInstanceOf(Frame.Spawned.class, answer).processId();
        var inode = Files.getAttribute(plugin, "unix:ino");
        assertTrue(
                Files.readAllLines(Path.of("/proc/" + process + "/maps")).stream()
                        .anyMatch(line -> line.matches(".* " + inode + " +" + plugin)),
                () -> plugin + " is not mapped");
    }

    /** Installs a build of a plugin like a package manager. */
    private void install(Path plugin, String version, String build) throws IOException {
        Files.move(
                PluginCatalogTest.library(
                        folder.resolve(build),
                        PluginCatalogTest.plugin(version) + "const char *build = \"" + build + "\";\n"),
                plugin,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void new_workers_load_the_plugin_that_was_installed_last() throws IOException {
        var plugin = Files.createDirectory(folder.resolve("own")).resolve("changing.so");
        install(plugin, "1", "first");
        try (var daemon = new DaemonProcess(
                        folder, Map.of("UROM_PLUGIN_PATH", plugin.getParent().toString()), "--listen", anywhere());
                var before = new TestHost(daemon.address())) {
            welcome(before, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
            assertLoaded(spawned(before, 1), plugin);

            install(plugin, "1", "second");
            assertLoaded(spawned(before, 1), plugin);
            try (var after = new TestHost(daemon.address())) {
                assertEquals(
                        List.of(new PluginInfo(1, 1, "changing")),
                        welcome(after, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE)
                                .plugins());
                assertLoaded(spawned(after, 1), plugin);
            }

            install(plugin, "2", "third");
            var refusal = assertInstanceOf(Frame.Failure.class, spawned(before, 1));
            assertTrue(refusal.text().contains("connect to the service again"), refusal.text());
            try (var after = new TestHost(daemon.address())) {
                assertEquals(
                        List.of(new PluginInfo(2, 2, "changing")),
                        welcome(after, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE)
                                .plugins());
                assertLoaded(spawned(after, 2), plugin);
            }
        }
    }

    @Test
    void it_searches_for_plugins_again_on_sighup() throws IOException {
        var own = Files.createDirectory(folder.resolve("own"));
        var libraries = Files.createDirectory(folder.resolve("libraries"));
        var library = libraries.resolve("libneeded.so");
        PluginCatalogTest.plugin(own.resolve("new.so"), library);
        var later = Files.move(library, folder.resolve("later"));
        try (var daemon = new DaemonProcess(
                        folder,
                        Map.of("UROM_PLUGIN_PATH", own.toString(), "LD_LIBRARY_PATH", libraries.toString()),
                        "--listen",
                        anywhere());
                var before = new TestHost(daemon.address())) {
            assertEquals(
                    List.of(),
                    welcome(before, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE)
                            .plugins());
            Files.move(later, library);

            daemon.hangUp();

            Waiting.until("a host is offered the plugin", () -> {
                try (var host = new TestHost(daemon.address())) {
                    return welcome(host, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE).plugins().stream()
                            .anyMatch(plugin -> plugin.name().equals("new"));
                }
            });
            Waiting.until(
                    "the service reloads its hosts",
                    () -> daemon.error().contains("reloads its authorized hosts and plugins"));
            before.spawnAny(1);
            before.receive(Frame.Spawned.class);
        }
    }

    @Test
    void sighup_while_it_searches_for_plugins_does_not_end_it() {
        var missing = folder.resolve("missing");
        var path =
                missing + ";" + DaemonConfiguration.usual().pluginDirectories().getFirst();
        try (var daemon = new DaemonProcess(folder, Map.of("UROM_PLUGIN_PATH", path), "--listen", anywhere())) {
            Waiting.until(
                    "the service searches for plugins", () -> daemon.error().contains(missing + " is skipped"));

            daemon.hangUp();

            daemon.address();
            Waiting.until(
                    "it has read its hosts and plugins again",
                    () -> daemon.error().contains("reloads its authorized hosts and plugins"));
        }
    }

    @Test
    void it_notifies_the_service_manager_when_it_listens() throws IOException {
        try (var manager = new NotifySocket(folder.resolve("notify"));
                var daemon =
                        new DaemonProcess(folder, Map.of("NOTIFY_SOCKET", manager.name()), "--listen", anywhere())) {
            assertEquals("READY=1\nSTATUS=Listening at " + anywhere(), manager.receive());
            daemon.address();
        }
    }

    @Test
    void it_notifies_the_watchdog_of_the_service_manager() throws IOException {
        try (var manager = new NotifySocket(folder.resolve("notify"));
                var daemon = new DaemonProcess(
                        folder,
                        Map.of("NOTIFY_SOCKET", manager.name(), "WATCHDOG_USEC", "400000"),
                        "--listen",
                        anywhere())) {
            daemon.address();
            assertStatus("Listening", manager.receive());

            assertEquals("WATCHDOG=1", manager.receive());
            assertEquals("WATCHDOG=1", manager.receive());
        }
    }

    /** Starts a service in namespaces of its own, after some steps there; it also listens at an address. */
    private DaemonProcess startApart(NotifySocket manager, String steps, String address) throws IOException {
        assumeTrue(Credentials.ofThisProcess().userId() == Credentials.ROOT, "cannot make a network namespace");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var prefix = PublicInstallation.in(folder);
        var keys = new TestKeys(folder);
        keys.create("service");
        keys.authorize("# none");
        return new DaemonProcess(
                folder,
                List.of("unshare", "--net", "--mount", "sh", "-ec", steps + "\nexec \"$@\"", "sh"),
                Map.of(
                        "NOTIFY_SOCKET",
                        manager.name(),
                        "UROM_PLUGIN_PATH",
                        prefix.resolve("lib/urom_plugins").toString()),
                "--listen",
                anywhere(),
                "--listen",
                address,
                "--worker",
                prefix.resolve("bin/urom_worker").toString(),
                "--key",
                keys.file("service").toString(),
                "--authorized-hosts",
                keys.file("hosts").toString());
    }

    /** Runs commands where a service runs. */
    private static void runAt(DaemonProcess daemon, String commands) {
        Command.run("nsenter", "--net", "--target", Long.toString(daemon.id()), "bash", "-ec", commands);
    }

    private static void assertStatus(String status, String notification) {
        assertTrue(notification.startsWith("READY=1\nSTATUS=" + status), notification);
    }

    @Test
    void it_listens_at_an_address_once_the_machine_has_it() throws IOException {
        try (var manager = new NotifySocket(folder.resolve("notify"));
                var daemon = startApart(manager, "ip link set lo up", "10.99.99.1:7471")) {
            daemon.address();
            assertStatus("10.99.99.1:7471 is not an address of this machine yet", manager.receive());

            runAt(daemon, "ip address add 10.99.99.1/24 dev lo");

            assertStatus("Listening at " + anywhere() + ", 10.99.99.1:7471", manager.receive());
            runAt(daemon, "exec 3<>/dev/tcp/10.99.99.1/7471");
        }
    }

    /** A tentative address: the kernel still searches for other machines with it. */
    @Test
    void it_listens_at_an_address_once_the_system_allows_it() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "the system has no IPv6");
        var address = "ip -6 address add fd00::1/64 dev near";
        var steps = "ip link add near type veth peer name far\nip link set near up\nip link set far up\n"
                + "echo 100 >/proc/sys/net/ipv6/conf/near/dad_transmits\n" + address;
        try (var manager = new NotifySocket(folder.resolve("notify"));
                var daemon = startApart(manager, steps, "[fd00::1]:7471")) {
            daemon.address();
            assertStatus("[fd00:0:0:0:0:0:0:1]:7471 is not an address of this machine yet", manager.receive());

            runAt(daemon, "ip -6 address del fd00::1/64 dev near && " + address + " nodad");

            assertStatus("Listening at " + anywhere() + ", [fd00:0:0:0:0:0:0:1]:7471", manager.receive());
        }
    }

    @Test
    void it_listens_at_a_host_name_once_the_system_resolves_it() throws IOException {
        var names = Files.writeString(folder.resolve("names"), "");
        var sources = Files.writeString(folder.resolve("sources"), "hosts: files\n");
        var steps = "ip link set lo up\nmount --bind " + names + " /etc/hosts\nmount --bind " + sources
                + " /etc/nsswitch.conf";
        try (var manager = new NotifySocket(folder.resolve("notify"));
                var daemon = startApart(manager, steps, "later.invalid:7471")) {
            daemon.address();
            assertStatus("later.invalid:7471: the host name could not be resolved", manager.receive());

            Files.writeString(names, "127.0.0.1 later.invalid\n");

            assertStatus("Listening at " + anywhere() + ", 127.0.0.1:7471", manager.receive());
        }
    }

    @Test
    void its_plugins_find_libraries_in_its_LD_LIBRARY_PATH() throws IOException {
        var own = Files.createDirectory(folder.resolve("own"));
        var libraries = Files.createDirectory(folder.resolve("libraries"));
        PluginCatalogTest.plugin(own.resolve("needy.so"), libraries.resolve("libneeded.so"));
        Files.writeString(libraries.resolve("libdoca_common.so.3"), "not the worker's own");
        try (var daemon = new DaemonProcess(
                        folder,
                        Map.of("UROM_PLUGIN_PATH", own.toString(), "LD_LIBRARY_PATH", "relative:" + libraries),
                        "--listen",
                        anywhere());
                var host = new TestHost(daemon.address())) {
            assertEquals(
                    List.of(new PluginInfo(1, 3, "needy")),
                    welcome(host, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE).plugins(),
                    daemon::error);

            host.spawnAny(1);

            host.receive(Frame.Spawned.class);
            assertTrue(daemon.error().contains("\"relative\" of LD_LIBRARY_PATH is dropped"), daemon::error);
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:7471, 127.0.0.1, 7471", "localhost:0, 127.0.0.1, 0", "[::1]:80, 0:0:0:0:0:0:0:1, 80"})
    void addresses_are_read(String text, String host, int port) {
        var address = assertInstanceOf(ListenAddress.Tls.class, ListenAddress.parse(text))
                .socket();
        assertEquals(host, address.getAddress().getHostAddress());
        assertEquals(port, address.getPort());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":1",
                "host",
                "host:",
                "host:x",
                "host:65536",
                "host:-1",
                "1",
                "unix:",
                "[nowhere::invalid]:1"
            })
    void an_invalid_address_is_rejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text));
    }

    @Test
    void a_host_name_that_cannot_be_resolved_is_accepted() {
        assertEquals(
                "nowhere.invalid:1", ListenAddress.parse("nowhere.invalid:1").toString());
    }

    @Test
    void paths_of_sockets_are_read() {
        assertEquals(new ListenAddress.Unix(Path.of("/run/x")), ListenAddress.parse("unix:/run/x"));
        var thrown =
                assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse("unix:/" + "x".repeat(106)));
        assertTrue(thrown.getMessage().contains("at most 106"), thrown.getMessage());
    }
}
