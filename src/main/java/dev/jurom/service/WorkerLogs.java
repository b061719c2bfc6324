// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.linux.Poller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all workers, which one thread writes. That is not the thread on which connections
 * wait: a worker that logs without end, or a slow disk, delays other logs alone. This class is
 * thread-safe.
 */
final class WorkerLogs implements AutoCloseable {

    /** For what a worker that has ended had written to be read. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    private static final int FILES = 2; // of each worker, the older one among them

    private final Path directory;
    private final int maxSize;
    private final ServiceLog log;
    private final Poller poller;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<WorkerLog> open = new HashSet<>();

    /**
     * Starts the thread.
     *
     * @param maxSize bytes of a file
     */
    WorkerLogs(Path directory, int maxSize, ServiceLog log) throws IOException {
        this.directory = directory;
        this.maxSize = maxSize;
        this.log = log;
        this.poller = new Poller("urom-daemon-logs");
    }

    /** A log for a worker that is about to be started, to be closed. */
    WorkerLog open() throws IOException {
        lock.lock();
        try {
            var worker = new WorkerLog(this);
            open.add(worker);
            return worker;
        } finally {
            lock.unlock();
        }
    }

    void closed(WorkerLog worker) {
        lock.lock();
        try {
            open.remove(worker);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Poller poller() {
        return poller;
    }

    /** A new file: what an earlier process with this id has logged is removed. */
    @Nullable LogFile file(long process) {
        var path = directory.resolve("urom_worker_" + process + "_dev.log");
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".1"));
            return new LogFile(path, maxSize, FILES);
        } catch (IOException e) {
            log.warning("Process " + process + " has no log: " + e);
            return null;
        }
    }

    /** Reads what is left, for a limited time, and ends the thread. */
    @Override
    public void close() {
        awaitEnds().forEach(WorkerLog::close);
        poller.close();
    }

    /** The logs that children of workers keep open. */
    private Set<WorkerLog> awaitEnds() {
        lock.lock();
        try {
            var left = PATIENCE.toNanos();
            while (!open.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller does not want to wait
        } finally {
            lock.unlock();
        }
        return stillOpen();
    }

    private Set<WorkerLog> stillOpen() {
        lock.lock();
        try {
            return Set.copyOf(open);
        } finally {
            lock.unlock();
        }
    }
}
