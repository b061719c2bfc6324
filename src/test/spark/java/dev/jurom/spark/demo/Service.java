// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The UROM service of this machine, as a process. Thread-safe. */
final class Service implements AutoCloseable {

    private final Path daemon;
    private final Path folder;
    private final int messageSize;
    private final List<String> prefix;
    private int starts;
    private Child child;
    private Duration cpuOfKilled = Duration.ZERO;

    /** Starts the service. A prefix of the command pins it to cores. */
    Service(Path daemon, Path folder, int messageSize, List<String> prefix) throws IOException, InterruptedException {
        this.daemon = daemon;
        this.folder = folder;
        this.messageSize = messageSize;
        this.prefix = prefix;
        child = start();
    }

    private Child start() throws IOException, InterruptedException {
        starts++;
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(
                daemon.toString(),
                "--listen",
                "unix:" + folder.resolve("urom.sock"),
                "--service-file",
                serviceFile().toString(),
                "--allow-root",
                "-m",
                Integer.toString(messageSize)));
        var started = Child.start(folder, "urom-daemon-" + starts, Map.of(), command);
        started.await(Pattern.compile("(urom\\.sock)"));
        return started;
    }

    Path serviceFile() {
        return folder.resolve("services");
    }

    /** Returns the CPU time of all workers since the start. */
    synchronized Duration cpuOfWorkers() {
        return cpuOfKilled.plus(child.cpuOfGrandchildren());
    }

    /** Returns the workers, which are children of the service's launcher. */
    private static List<ProcessHandle> workers(ProcessHandle service) {
        return service.children().flatMap(ProcessHandle::children).toList();
    }

    /** Stops the workers by SIGSTOP. */
    synchronized void stopWorkers() throws IOException, InterruptedException {
        for (var worker : workers(child.handle())) {
            new ProcessBuilder("kill", "-STOP", Long.toString(worker.pid()))
                    .start()
                    .waitFor();
        }
    }

    synchronized void killWorkers() {
        cpuOfKilled = cpuOfWorkers();
        workers(child.handle()).forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills the service and its workers, and starts another service. */
    synchronized void killAndRestart() throws IOException, InterruptedException {
        cpuOfKilled = cpuOfWorkers();
        var killed = child.handle();
        var workers = workers(killed);
        killed.destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
        killed.onExit().join();
        child = start();
    }

    @Override
    public synchronized void close() {
        child.close();
    }
}
