// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.EmbeddedService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Loads all libraries, starts an embedded service with a worker, and waits for a signal. */
public final class SignalProgram {

    private SignalProgram() {}

    /** Prints the directory of the service and {@code ready}; the shutdown hook prints {@code hook}. */
    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        var service = EmbeddedService.open();
        var memory = HostMemory.open(); // loads UCX
        try (var all = Files.newDirectoryStream(SoftwareInstallation.current().libraries(), "*.so*")) {
            all.forEach(library -> System.load(library.toString()));
        }
        var urom = Urom.open();
        var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        worker.call(GraphPlugin.LOOPBACK, 1L);
        System.out.println("directory " + service.serviceFile().getParent());
        for (var name : new String[] {
            "libucp.", "libssl.", "libdoca_dma.", "libdoca_sha.", "libdoca_urom.", "libjurom_channel_tls."
        }) {
            if (!Files.readString(Path.of("/proc/self/maps")).contains(name)) {
                System.out.println("lacks " + name);
            }
        }
        System.out.println("ready");
        new CountDownLatch(1).await();
        System.out.println(memory.address().length); // keeps the memory reachable
    }
}
