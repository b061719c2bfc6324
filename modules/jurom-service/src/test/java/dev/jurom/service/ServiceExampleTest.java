// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.Device;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.urom.ServiceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the Javadoc of the package. */
class ServiceExampleTest {

    private final String usualFile = Environment.get(ServiceFile.VARIABLE);

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        Environment.restore(ServiceFile.VARIABLE, usualFile);
    }

    @Test
    void a_host_finds_the_service_by_its_file() throws Exception {
        var pciAddress = Device.list().getFirst().pciAddress();
        var prefix = SoftwareInstallation.current().prefix();
        var plugins = List.of(prefix.resolve("lib/urom_plugins"));
        var serviceFile = folder.resolve("services");
        var logs = folder.resolve("logs");
        Environment.set(ServiceFile.VARIABLE, serviceFile.toString());

        // @start region="serve"
        var configuration = DaemonConfiguration.builder(prefix.resolve("bin/urom_worker"), plugins)
                .logs(LogSettings.DEFAULT.withDirectory(logs).withLevels(LogLevel.INFO, LogLevel.WARNING))
                .build();
        try (var daemon = UromDaemon.open(configuration)) {
            var address = daemon.address().toString(); // unix:PATH
            ServiceFile.of(new ServiceFile.Entry("localhost", address, pciAddress, List.of("all")))
                    .write(serviceFile);
            serveHosts();
        }
        // @end

        try (var files = Files.list(logs)) {
            assertTrue(files.count() > 0, "no log");
        }
    }

    private static void serveHosts() throws InterruptedException {
        try (var urom = Urom.open(UromConfiguration.DEFAULT);
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            assertEquals(42, worker.call(GraphPlugin.LOOPBACK, 42L));
        }
    }
}
