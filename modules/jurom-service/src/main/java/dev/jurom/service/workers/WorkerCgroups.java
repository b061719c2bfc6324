// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.identity.Cgroups;
import dev.jurom.service.settings.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * A cgroup for each worker below the service's, which limits all memory of the worker ({@code RLIMIT_DATA} counts
 * neither shared mappings nor memfds) and its tasks, which are processes and threads. One for each user limits the
 * tasks of all workers of that user. This class is thread-safe.
 */
public final class WorkerCgroups {

    private static final String MEMORY = "memory";
    private static final String TASKS = "pids";
    private static final String TASKS_FILE = "pids.max";
    private static final String PROCESSES = "cgroup.procs";
    private static final String CHILDREN = "cgroup.subtree_control";

    /** A directory below which workers have cgroups: the service's own in one hierarchy. */
    private record Hierarchy(Path parent, Optional<String> memoryFile, boolean limitsTasks, boolean unified) {

        private Path above(int user) {
            return limitsTasks ? parent.resolve("urom-user-" + Integer.toUnsignedString(user)) : parent;
        }
    }

    private final List<Hierarchy> hierarchies; // the first one limits memory
    private final WorkerSettings settings;
    private final ReentrantLock lock = new ReentrantLock(); // held while cgroups of users are made and removed

    private WorkerCgroups(List<Hierarchy> hierarchies, WorkerSettings settings) {
        this.hierarchies = hierarchies;
        this.settings = settings;
    }

    /**
     * Prepares the service's own cgroup for child cgroups.
     *
     * @param settings the limits of each worker
     * @return the parent of the workers' cgroups
     * @throws IOException if that is not possible; the message names the reason
     */
    public static WorkerCgroups of(WorkerSettings settings) throws IOException {
        var unified = Cgroups.own(Cgroups.UNIFIED);
        if (unified.isPresent() && controllers(unified.get()).contains(MEMORY)) {
            requireWritable(unified.get());
            var usable = Stream.of(MEMORY, TASKS)
                    .filter(controllers(unified.get())::contains)
                    .toList();
            delegate(unified.get(), usable);
            var only = new Hierarchy(unified.get(), Optional.of("memory.max"), usable.contains(TASKS), true);
            return new WorkerCgroups(List.of(only), settings);
        }
        var parent = Cgroups.own(MEMORY)
                .orElseThrow(() -> new IOException("no hierarchy of cgroups with the memory controller is mounted"));
        requireWritable(parent);
        var memory = new Hierarchy(parent, Optional.of("memory.limit_in_bytes"), false, false);
        return new WorkerCgroups(
                Stream.concat(
                                Stream.of(memory),
                                Cgroups.own(TASKS)
                                        .filter(Files::isWritable)
                                        .map(own -> new Hierarchy(own, Optional.empty(), true, false))
                                        .stream())
                        .toList(),
                settings);
    }

    private static List<String> controllers(Path unified) throws IOException {
        var file = unified.resolve("cgroup.controllers");
        return Files.isReadable(file) ? List.of(Files.readString(file).strip().split(" ")) : List.of();
    }

    private static void requireWritable(Path parent) throws IOException {
        if (!Files.isWritable(parent)) {
            throw new IOException(
                    "the service cannot write to its cgroup " + parent + " (systemd: Delegate=memory pids)");
        }
    }

    /** Moves this process to a leaf, because the unified hierarchy allows processes only in leaves. */
    private static void delegate(Path own, List<String> controllers) throws IOException {
        var leaf = own.resolve("service");
        var process = Long.toString(ProcessHandle.current().pid());
        if (!Files.isDirectory(leaf)) {
            Files.createDirectory(leaf);
        }
        Files.writeString(leaf.resolve(PROCESSES), process);
        try {
            enable(own, controllers);
        } catch (IOException e) {
            Files.writeString(own.resolve(PROCESSES), process);
            Files.deleteIfExists(leaf);
            throw new IOException(
                    "there are other processes in the service's cgroup " + own + ": " + e.getMessage(), e);
        }
    }

    private static void enable(Path cgroup, List<String> controllers) throws IOException {
        Files.writeString(cgroup.resolve(CHILDREN), "+" + String.join(" +", controllers));
    }

    /** {@return whether the tasks of workers are limited} */
    public boolean limitTasks() {
        return hierarchies.stream().anyMatch(Hierarchy::limitsTasks);
    }

    private static String name(SpawnedWorker worker) {
        return "urom-" + worker.socket().getFileName();
    }

    /** Creates the cgroups of a worker, one in each hierarchy, which the worker joins by itself. */
    List<Path> make(SpawnedWorker worker) throws IOException {
        lock.lock();
        try {
            var made = new ArrayList<Path>();
            for (var hierarchy : hierarchies) {
                made.add(make(hierarchy, worker));
            }
            return made;
        } catch (IOException e) {
            remove(worker);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private Path make(Hierarchy hierarchy, SpawnedWorker worker) throws IOException {
        var above = hierarchy.above(worker.domain().userId());
        if (hierarchy.limitsTasks()) {
            Files.createDirectories(above);
            limitTasks(above, settings.tasksPerUser());
            if (hierarchy.unified()) {
                enable(above, List.of(MEMORY, TASKS));
            }
        }
        var directory = Files.createDirectory(above.resolve(name(worker)));
        if (hierarchy.memoryFile().isPresent()) {
            Files.writeString(directory.resolve(hierarchy.memoryFile().get()), Long.toString(settings.memory()));
        }
        if (hierarchy.limitsTasks()) {
            limitTasks(directory, settings.tasks());
        }
        return directory;
    }

    private static void limitTasks(Path cgroup, int tasks) throws IOException {
        Files.writeString(cgroup.resolve(TASKS_FILE), tasks == 0 ? "max" : Integer.toString(tasks));
    }

    /** Returns the cgroup that limits the memory of a worker. */
    Path memory(SpawnedWorker worker) {
        var hierarchy = hierarchies.getFirst();
        return hierarchy.above(worker.domain().userId()).resolve(name(worker));
    }

    /** Removes the cgroups of a worker that has ended, and that of its user if it was the last. */
    void remove(SpawnedWorker worker) throws IOException {
        lock.lock();
        try {
            for (var hierarchy : hierarchies) {
                var above = hierarchy.above(worker.domain().userId());
                Files.deleteIfExists(above.resolve(name(worker)));
                if (hierarchy.limitsTasks() && !hasChildren(above)) {
                    Files.deleteIfExists(above);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean hasChildren(Path cgroup) throws IOException {
        if (!Files.isDirectory(cgroup)) {
            return false;
        }
        try (var entries = Files.newDirectoryStream(cgroup, Files::isDirectory)) {
            return entries.iterator().hasNext();
        }
    }
}
