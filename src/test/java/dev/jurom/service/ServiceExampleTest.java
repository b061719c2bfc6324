// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.Device;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page of the package shows. */
class ServiceExampleTest {

    private static final String KEY_VARIABLE = "DOCA_UROM_KEY_FILE";

    private final String usualFile = Environment.get(ServiceFile.VARIABLE);
    private final String usualKey = Environment.get(KEY_VARIABLE);

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        Environment.restore(ServiceFile.VARIABLE, usualFile);
        Environment.restore(KEY_VARIABLE, usualKey);
    }

    @Test
    void a_host_finds_the_service_by_its_file_and_key() throws IOException {
        var pciAddress = Device.list().getFirst().pciAddress();
        var prefix = SoftwareInstallation.current().prefix();
        var plugins = List.of(prefix.resolve("lib/urom_plugins"));
        var serviceFile = folder.resolve("services");
        var logs = folder.resolve("logs");
        var key = Files.writeString(folder.resolve("key"), "not to be guessed");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Environment.set(ServiceFile.VARIABLE, serviceFile.toString());
        Environment.set(KEY_VARIABLE, key.toString());

        // @start region="serve"
        var configuration = DaemonConfiguration.local(prefix.resolve("bin/urom_worker"), plugins)
                .withKeyFile(key)
                .withLogs(Optional.of(logs), LogLevel.INFO, LogLevel.WARNING);
        try (var daemon = UromDaemon.start(configuration)) {
            var address = "localhost:" + daemon.address().getPort();
            ServiceFile.of(new ServiceFile.Entry("localhost", address, pciAddress, List.of("all")))
                    .write(serviceFile);
            serveHosts();
        }
        // @end

        try (var files = Files.list(logs)) {
            assertTrue(files.count() > 0, "no log");
        }
    }

    private static void serveHosts() {
        try (var urom = Urom.open(UromConfiguration.DEFAULT);
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            assertEquals(42, worker.call(GraphPlugin.LOOPBACK, 42L));
        }
    }
}
