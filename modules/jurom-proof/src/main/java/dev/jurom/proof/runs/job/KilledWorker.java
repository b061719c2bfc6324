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
 * A host that speaks with the service frame by frame, when all others have gone: it has a worker
 * twice, gives it back once, and asks for it once more while it dies. The worker leaves a child
 * behind that holds what it had open, as a plugin's helper would.
 */
final class KilledWorker {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 50_000;
    private static final String CHILD = "libchild_of_worker.so"; // beside the program of C hosts
    private static final String CHILD_LIVES = "child-of-worker"; // as long as this file does
    private static final String VARIABLE = "JUROM_CHILD_OF_WORKER";
    private static final long HELLO = 1;
    private static final long FIRST = 2;
    private static final long SECOND = 3;
    private static final long AGAIN = 4;

    private final RawConnection service;
    private final long id;
    private final List<String> wrong = new ArrayList<>();

    private KilledWorker(RawConnection service, long id) {
        this.service = service;
        this.id = id;
    }

    /** What does not hold, as sentences. */
    static List<String> find(Crew crew, Path programs, long id) {
        var child = crew.directory().resolve(CHILD_LIVES);
        try (var service =
                RawConnection.open(UnixDomainSocketAddress.of(crew.directory().resolve(RunService.SOCKET)))) {
            Files.createFile(child);
            var host = new KilledWorker(service, id);
            host.run(List.of("LD_PRELOAD=" + programs.resolve(CHILD), VARIABLE + "=" + child));
            return host.wrong;
        } catch (IOException e) {
            return List.of("a worker could not be killed and asked for again: " + e.getMessage());
        } finally {
            child.toFile().delete();
        }
    }

    private void run(List<String> environment) throws IOException {
        say(new Frame.Hello(HELLO, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
        var graph = hear(Frame.Welcome.class).plugins().stream()
                .filter(plugin -> plugin.name().equals(GraphPlugin.NAME))
                .findFirst()
                .map(PluginInfo::id)
                .orElseThrow(() -> new IOException("there is no plugin"));
        spawn(FIRST, graph, environment);
        var process = hear(Frame.Spawned.class).processId();
        spawn(SECOND, graph, List.of());
        hear(Frame.Spawned.class);
        say(new Frame.Release(SECOND, id));
        hear(Frame.Released.class);
        Signal.KILL.send(process);
        awaitDying(process);
        spawn(AGAIN, graph, List.of());
        hearOfBoth();
        say(new Frame.Release(AGAIN, id));
    }

    private void spawn(long request, long plugins, List<String> environment) {
        say(new Frame.Spawn(request, id, plugins, OptionalInt.empty(), Optional.empty(), environment));
    }

    private void say(Frame frame) {
        service.say(FrameEncoder.encode(frame));
    }

    private <T extends Frame> T hear(Class<T> type) throws IOException {
        var frame = service.awaitFrame(PATIENCE)
                .orElseThrow(
                        () -> new IOException("the service says nothing where it should say " + type.getSimpleName()));
        if (!type.isInstance(frame)) {
            throw new IOException("the service says " + frame);
        }
        return type.cast(frame);
    }

    private static void awaitDying(int process) throws IOException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (!ProcessFacts.isEnding(process)) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("it does not die");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** In any order: the end of the first, and the start of another. */
    private void hearOfBoth() throws IOException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        var gone = false;
        var spawned = false;
        while (!(gone && spawned) && System.nanoTime() - end < 0) {
            switch (service.awaitFrame(Duration.ofNanos(end - System.nanoTime()))
                    .orElse(null)) {
                case Frame.WorkerGone it when it.requestId() == FIRST -> gone = true;
                case Frame.WorkerGone it ->
                    wrong.add("a host is told of the end of a worker that it"
                            + " has given back, or has asked for later");
                case Frame.Spawned it -> {
                    spawned = true;
                    if (!it.newProcess()) {
                        wrong.add("a worker that was killed is handed out");
                    }
                }
                case Frame.Failure it -> {
                    spawned = true;
                    wrong.add("a worker that was killed is handed out: " + it.text());
                }
                case null -> {}
                case Frame other -> throw new IOException("the service says " + other);
            }
        }
        if (!gone) {
            wrong.add("a host is not told that its worker has ended");
        }
        if (!spawned) {
            wrong.add("a worker that was killed is not started again");
        }
    }
}
