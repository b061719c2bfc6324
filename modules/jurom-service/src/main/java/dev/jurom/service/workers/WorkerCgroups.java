// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.identity.Cgroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A cgroup for each worker below the service's, which limits all memory of the worker: {@code RLIMIT_DATA}
 * counts neither shared mappings nor memfds. This class is thread-safe.
 */
public final class WorkerCgroups {

    private static final String MEMORY = "memory";
    private static final String PROCESSES = "cgroup.procs";

    private final Path parent;
    private final String limitFile;
    private final long bytes;

    private WorkerCgroups(Path parent, String limitFile, long bytes) {
        this.parent = parent;
        this.limitFile = limitFile;
        this.bytes = bytes;
    }

    /**
     * Prepares the service's own cgroup for child cgroups.
     *
     * @param bytes maximum number of bytes of memory of each worker
     * @return the parent of the workers' cgroups
     * @throws IOException if that is not possible here; the message names the reason
     */
    public static WorkerCgroups of(long bytes) throws IOException {
        var unified = Cgroups.own(Cgroups.UNIFIED);
        if (unified.isPresent() && hasMemory(unified.get())) {
            requireWritable(unified.get());
            delegate(unified.get());
            return new WorkerCgroups(unified.get(), "memory.max", bytes);
        }
        var parent = Cgroups.own(MEMORY)
                .orElseThrow(() -> new IOException("no hierarchy of cgroups with the memory controller is mounted"));
        requireWritable(parent);
        return new WorkerCgroups(parent, "memory.limit_in_bytes", bytes);
    }

    private static boolean hasMemory(Path unified) throws IOException {
        var controllers = unified.resolve("cgroup.controllers");
        return Files.isReadable(controllers)
                && List.of(Files.readString(controllers).strip().split(" ")).contains(MEMORY);
    }

    private static void requireWritable(Path parent) throws IOException {
        if (!Files.isWritable(parent)) {
            throw new IOException("the service cannot write to its cgroup " + parent + " (systemd: Delegate=memory)");
        }
    }

    /** Moves this process to a leaf, because the unified hierarchy allows processes only in leaves. */
    private static void delegate(Path own) throws IOException {
        var leaf = own.resolve("service");
        var process = Long.toString(ProcessHandle.current().pid());
        if (!Files.isDirectory(leaf)) {
            Files.createDirectory(leaf);
        }
        Files.writeString(leaf.resolve(PROCESSES), process);
        try {
            Files.writeString(own.resolve("cgroup.subtree_control"), "+" + MEMORY);
        } catch (IOException e) {
            Files.writeString(own.resolve(PROCESSES), process);
            Files.deleteIfExists(leaf);
            throw new IOException(
                    "there are other processes in the service's cgroup " + own + ": " + e.getMessage(), e);
        }
    }

    private Path of(SpawnedWorker worker) {
        return parent.resolve("urom-" + worker.socket().getFileName());
    }

    /** Creates the cgroup of a worker, which the worker joins by itself. */
    Path make(SpawnedWorker worker) throws IOException {
        var directory = Files.createDirectory(of(worker));
        try {
            Files.writeString(directory.resolve(limitFile), Long.toString(bytes));
            return directory;
        } catch (IOException e) {
            Files.delete(directory);
            throw e;
        }
    }

    /** Removes the cgroup of a worker that has ended. */
    void remove(SpawnedWorker worker) throws IOException {
        Files.deleteIfExists(of(worker));
    }
}
