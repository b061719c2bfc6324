// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a host connected to its service by TLS, as on different machines. */
class HostByTlsTest {

    private static final String KEY_VARIABLE = "DOCA_UROM_KEY_FILE";

    private final String usualFile = Environment.get(ServiceFile.VARIABLE);
    private final String usualKey = Environment.get(KEY_VARIABLE);

    @TempDir
    private Path folder;

    private TestKeys keys;
    private UromDaemon daemon;
    private ProgressEngine engine;
    private Device device;
    private UromService service;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        var ofService = keys.create("service");
        keys.authorize("account: daemon", keys.create("known"));
        keys.create("unknown");
        for (var host : List.of("known", "unknown")) {
            Files.writeString(keys.file(host), ofService, StandardOpenOption.APPEND);
        }
        var prefix = PublicInstallation.in(folder);
        daemon = TestDaemon.start(
                DaemonConfiguration.builder(
                                prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                        .users(DaemonConfiguration.Users.ALL)
                        .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts")))
                        .listen(ListenAddress.parse("127.0.0.1:0")),
                folder.resolve("log"));
        engine = ProgressEngine.create();
        device = Device.open();
        service = UromService.create(engine, device);
        var file = folder.resolve("services");
        ServiceFile.of(new ServiceFile.Entry(
                        "localhost", daemon.address().toString(), device.info().pciAddress(), List.of("all")))
                .write(file);
        Environment.set(ServiceFile.VARIABLE, file.toString());
    }

    @AfterEach
    void close() {
        Environment.restore(ServiceFile.VARIABLE, usualFile);
        Environment.restore(KEY_VARIABLE, usualKey);
        if (daemon != null) {
            service.close();
            device.close();
            engine.close();
            daemon.close();
        }
    }

    @Test
    void the_commands_of_an_authorized_host_are_executed() {
        Environment.set(KEY_VARIABLE, keys.file("known").toString());
        service.start();
        var plugin = GraphPlugin.find(service);
        try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
            worker.startAndWait(ServiceFixture.DEADLINE);
            try (var task = worker.commandTask(plugin)) {
                assertEquals(42, ServiceFixture.loopback(task, 42));
            }
        }
    }

    @Test
    void an_unauthorized_host_is_rejected() {
        Environment.set(KEY_VARIABLE, keys.file("unknown").toString());

        assertThrows(DocaException.class, service::start);
        Waiting.until(
                "the log tells",
                () -> TestDaemon.log(folder.resolve("log")).contains(") is not among the authorized hosts"));
    }
}
