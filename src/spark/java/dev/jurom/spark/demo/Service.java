// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The UROM service of this machine, as a process. Thread-safe. */
final class Service implements AutoCloseable {

    private final Path daemon;
    private final Path folder;
    private final int messageSize;
    private int starts;
    private Child child;
    private Duration cpuOfKilled = Duration.ZERO;

    /** Starts the service. */
    Service(Path daemon, Path folder, int messageSize) throws IOException, InterruptedException {
        this.daemon = daemon;
        this.folder = folder;
        this.messageSize = messageSize;
        child = start();
    }

    private Child start() throws IOException, InterruptedException {
        starts++;
        var started = Child.start(
                folder,
                "urom-daemon-" + starts,
                Map.of(),
                List.of(
                        daemon.toString(),
                        "--listen",
                        "unix:" + folder.resolve("urom.sock"),
                        "--service-file",
                        serviceFile().toString(),
                        "--allow-root",
                        "-m",
                        Integer.toString(messageSize)));
        started.await(Pattern.compile("(urom\\.sock)"));
        return started;
    }

    Path serviceFile() {
        return folder.resolve("services");
    }

    /** Returns the CPU time of all workers since the start. */
    synchronized Duration cpuOfWorkers() {
        return cpuOfKilled.plus(child.cpuOfChildren());
    }

    synchronized long workers() {
        return child.handle().children().count();
    }

    synchronized void killWorkers() {
        cpuOfKilled = cpuOfWorkers();
        child.handle().children().forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills the service, which ends its workers, and starts another one. */
    synchronized void killAndRestart() throws IOException, InterruptedException {
        cpuOfKilled = cpuOfWorkers();
        var killed = child.handle();
        killed.destroyForcibly();
        killed.onExit().join();
        child = start();
    }

    @Override
    public synchronized void close() {
        child.close();
    }
}
