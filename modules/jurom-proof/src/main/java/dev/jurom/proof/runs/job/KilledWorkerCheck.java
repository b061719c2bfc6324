// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.load.RawConnection;
import dev.jurom.proof.runs.host.RunService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * A host that exchanges frames with the service after all others have exited: it acquires a worker twice,
 * releases it once, and requests it again while it dies. The worker leaves a child process that inherits its
 * descriptors, as a helper of a plugin would.
 */
final class KilledWorkerCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 50_000;
    private static final String CHILD = "libchild_of_worker.so"; // in the folder of the C hosts program
    private static final String CHILD_FILE = "child-of-worker"; // the child exits when this file is deleted
    private static final String VARIABLE = "JUROM_CHILD_OF_WORKER";
    private static final long HELLO = 1;
    private static final long FIRST = 2;
    private static final long SECOND = 3;
    private static final long AGAIN = 4;

    private final RawConnection service;
    private final long id;
    private final List<String> wrong = new ArrayList<>();

    private KilledWorkerCheck(RawConnection service, long id) {
        this.service = service;
        this.id = id;
    }

    /** Returns the violations. */
    static List<String> find(RunProcesses processes, Path programs, long id) {
        var child = processes.directory().resolve(CHILD_FILE);
        try (var service = RawConnection.open(
                UnixDomainSocketAddress.of(processes.directory().resolve(RunService.SOCKET)))) {
            Files.createFile(child);
            var host = new KilledWorkerCheck(service, id);
            host.run(List.of("LD_PRELOAD=" + programs.resolve(CHILD), VARIABLE + "=" + child));
            return host.wrong;
        } catch (IOException e) {
            return List.of("the check of a killed worker failed: " + e.getMessage());
        } finally {
            child.toFile().delete();
        }
    }

    private void run(List<String> environment) throws IOException {
        send(new Frame.Hello(HELLO, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
        var graph = receive(Frame.Welcome.class).plugins().stream()
                .filter(plugin -> plugin.name().equals(GraphPlugin.NAME))
                .findFirst()
                .map(PluginInfo::id)
                .orElseThrow(() -> new IOException("the plugin is missing"));
        spawn(FIRST, graph, environment);
        var process = receive(Frame.Spawned.class).processId();
        spawn(SECOND, graph, List.of());
        receive(Frame.Spawned.class);
        send(new Frame.Release(SECOND, id));
        receive(Frame.Released.class);
        Signal.KILL.send(process);
        awaitExit(process);
        spawn(AGAIN, graph, List.of());
        receiveExitAndStart();
        send(new Frame.Release(AGAIN, id));
    }

    private void spawn(long request, long plugins, List<String> environment) {
        send(new Frame.Spawn(request, id, plugins, OptionalInt.empty(), Optional.empty(), environment));
    }

    private void send(Frame frame) {
        service.send(FrameEncoder.encode(frame));
    }

    private <T extends Frame> T receive(Class<T> type) throws IOException {
        var frame = service.awaitFrame(PATIENCE)
                .orElseThrow(() -> new IOException("the service did not send " + type.getSimpleName()));
        if (!type.isInstance(frame)) {
            throw new IOException("unexpected frame from the service: " + frame);
        }
        return type.cast(frame);
    }

    private static void awaitExit(int process) throws IOException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (!ProcessInfo.isExiting(process)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("process " + process + " did not exit after SIGKILL");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits for the exit of the first worker and the start of another, in any order. */
    private void receiveExitAndStart() throws IOException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        var gone = false;
        var spawned = false;
        while (!(gone && spawned) && System.nanoTime() - end < 0) {
            switch (service.awaitFrame(Duration.ofNanos(end - System.nanoTime()))
                    .orElse(null)) {
                case Frame.WorkerGone it when it.requestId() == FIRST -> gone = true;
                case Frame.WorkerGone it ->
                    wrong.add("a host was notified of the exit of a worker that it had released or requested later");
                case Frame.Spawned it -> {
                    spawned = true;
                    if (!it.newProcess()) {
                        wrong.add("the service returned a killed worker");
                    }
                }
                case Frame.Failure it -> {
                    spawned = true;
                    wrong.add("the service returned a killed worker: " + it.text());
                }
                case null -> {}
                case Frame other -> throw new IOException("unexpected frame from the service: " + other);
            }
        }
        if (!gone) {
            wrong.add("a host was not notified of the exit of its worker");
        }
        if (!spawned) {
            wrong.add("a killed worker was not started again");
        }
    }
}
