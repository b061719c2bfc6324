// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.fixture.ProcessSockets;
import dev.jurom.fixture.ServiceFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Executes a command through an embedded service, and prints the sockets by which it and its worker are
 * reachable.
 */
final class OfflineProgram {

    private OfflineProgram() {}

    public static void main(String[] arguments) throws IOException {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            ServiceFixture.loopback(task, 1);
            print("host", ProcessHandle.current().pid());
            print("worker", ServiceFixture.workerProcesses().getFirst().pid());
        }
    }

    private static void print(String who, long process) throws IOException {
        var maps = Files.readString(Path.of("/proc", Long.toString(process), "maps"));
        System.out.printf(
                "%s: sockets %b, internet %d, abstract %d, shared files %b, UCX %b%n",
                who,
                !ProcessSockets.all(process).isEmpty(),
                ProcessSockets.internet(process).size(),
                ProcessSockets.abstractUnix(process).size(),
                maps.contains("/dev/shm"),
                maps.contains("libucp") || maps.contains("libucs"));
    }
}
