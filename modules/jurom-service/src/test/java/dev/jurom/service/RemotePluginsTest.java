// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which plugins hosts of other machines may use. */
class RemotePluginsTest {

    private static final Account DAEMON = Account.named("daemon").orElseThrow();

    @TempDir
    private Path folder;

    private TestKeys keys;
    private String known;
    private ListenAddress.Unix local;
    private UromDaemon daemon;
    private final Map<String, Long> ids = new HashMap<>();

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        known = keys.create("known");
        keys.authorize("account: daemon", known);
        var prefix = PublicInstallation.in(folder);
        // Foreign plugins that declare nothing about UCX, and one that declares to open it.
        foreign(prefix, "worker_foreign", "");
        foreign(prefix, "worker_frank", "int urom_plugin_uses_ucx(void) { return 1; }");
        foreign(prefix, "worker_modest", "int urom_plugin_uses_ucx(void) { return 0; }");
        local = new ListenAddress.Unix(folder.resolve("socket"));
        daemon = TestDaemon.start(
                DaemonConfiguration.builder(
                                prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                        .users(DaemonConfiguration.Users.ALL)
                        .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts")))
                        .listen(ListenAddress.parse("127.0.0.1:0"), local),
                folder.resolve("log"));
        try (var host = new TestHost(local)) {
            host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
            for (var plugin : host.receive(Frame.Welcome.class).plugins()) {
                ids.put(plugin.name(), plugin.id());
            }
        }
    }

    private static void foreign(Path prefix, String name, String declaration) throws IOException {
        var source = Files.writeString(prefix.resolve(name + ".c"), """
                int urom_plugin_get_version(unsigned long *version) { *version = 1; return 0; }
                int urom_plugin_get_iface(void **iface)
                { for (int i = 1; i < 7; ++i) iface[i] = urom_plugin_get_version; return 0; }
                """ + declaration);
        Command.run(
                "cc",
                "-shared",
                "-fPIC",
                "-o",
                prefix.resolve("lib/urom_plugins/" + name + ".so").toString(),
                source.toString());
    }

    @AfterEach
    void end() {
        if (daemon != null) {
            daemon.close();
        }
    }

    private Set<String> offered(TestHost host) {
        host.send(new Frame.Hello(host.nextRequest(), DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
        return host.receive(Frame.Welcome.class).plugins().stream()
                .map(PluginInfo::name)
                .collect(Collectors.toSet());
    }

    private TestHost remote() throws IOException {
        return keys.connect(daemon.address(), "known");
    }

    private void authorize(String options) {
        keys.authorize(("account: daemon " + options).strip(), known);
        daemon.reload();
    }

    /** Requires that a host is offered and can start exactly these plugins of all, alone and beside a granted one. */
    private void assertGranted(Set<String> granted, String... startable) throws IOException {
        try (var host = remote()) {
            assertEquals(granted, offered(host));
            for (var plugin : ids.entrySet()) {
                if (!granted.contains(plugin.getKey())) {
                    for (var ids : List.of(plugin.getValue(), plugin.getValue() | this.ids.get(startable[0]))) {
                        host.spawnAny(ids);
                        var refusal = host.receive(Frame.Failure.class);
                        assertEquals(DocaError.NOT_PERMITTED, refusal.error(), refusal.text());
                        assertTrue(refusal.text().contains(plugin.getKey()), refusal.text());
                    }
                }
            }
            for (var plugin : startable) {
                host.spawnAny(ids.get(plugin));
                host.receive(Frame.Spawned.class);
            }
        }
    }

    @Test
    void plugins_that_may_open_ucx_are_for_hosts_whose_line_names_them() throws IOException {
        assertGranted(Set.of("worker_compress", "worker_graph", "worker_modest"), "worker_graph", "worker_compress");

        authorize("plugins=graph");
        assertGranted(Set.of("worker_graph"), "worker_graph");

        authorize("plugins=worker_sandbox,rdmo,worker_foreign");
        assertGranted(Set.of("worker_sandbox", "worker_rdmo", "worker_foreign"), "worker_sandbox", "worker_rdmo");
    }

    @Test
    void hosts_of_this_machine_use_all_plugins() {
        assertTrue(
                ids.keySet()
                        .containsAll(Set.of(
                                "worker_compress", "worker_sandbox", "worker_rdmo", "worker_foreign", "worker_frank")),
                ids::toString);
    }

    @Test
    void a_host_attaches_to_no_worker_that_has_another_plugin() throws IOException {
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        var graph = ids.get("worker_graph");
        try (var near = new ForeignHost(DAEMON.userId(), local);
                var far = TestHost.admitted(remote())) {
            near.welcome();
            near.send(Frame.Spawn.of(1, 5, graph | ids.get("worker_sandbox")));
            assertInstanceOf(Frame.Spawned.class, near.receive());
            near.send(Frame.Spawn.of(2, 6, graph));
            assertInstanceOf(Frame.Spawned.class, near.receive());

            far.spawn(5, graph, OptionalInt.empty(), List.of());
            var refusal = far.receive(Frame.Failure.class);
            assertEquals(DocaError.NOT_PERMITTED, refusal.error(), refusal.text());
            assertTrue(refusal.text().contains("worker_sandbox"), refusal.text());
            far.spawn(6, graph, OptionalInt.empty(), List.of());
            far.receive(Frame.Spawned.class);
        }
    }

    @Test
    void a_reload_that_takes_a_plugin_away_ends_the_sessions_of_the_host_and_their_workers() throws IOException {
        var lines = List.of("plugins=graph,sandbox", "plugins=sandbox,worker_graph,rdmo", "plugins=graph,rdmo", "");
        var stays = List.of(true, false, false);
        authorize(lines.getFirst());
        for (var i = 0; i < stays.size(); i++) {
            try (var host = TestHost.admitted(remote())) {
                host.spawnAny(ids.get("worker_graph"));
                var process = host.receive(Frame.Spawned.class).processId();

                authorize(lines.get(i + 1));

                if (stays.get(i)) {
                    host.spawnAny(ids.get("worker_sandbox"));
                    host.receive(Frame.Spawned.class);
                } else {
                    assertEquals(
                            DocaError.NOT_PERMITTED,
                            host.receive(Frame.Failure.class).error());
                    host.awaitLost();
                    TestDaemon.awaitEnd(process);
                }
            }
        }
    }

    @Test
    void a_plugin_that_begins_to_open_ucx_is_withdrawn() throws IOException {
        try (var host = TestHost.admitted(remote())) {
            foreign(folder.resolve("installation"), "worker_modest", "");

            daemon.reload();

            host.spawnAny(ids.get("worker_modest"));
            host.receive(Frame.Failure.class);
        }
        try (var host = remote()) {
            assertEquals(Set.of("worker_compress", "worker_graph"), offered(host));
        }
    }
}
