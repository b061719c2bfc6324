// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.BoundedWait;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.threads.ServiceThreads;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.StreamSupport;

/**
 * The logs of all workers. A separate thread writes them instead of the poller of connections, so that a worker
 * with endless output, or a slow disk, delays only logs. This class is thread-safe.
 */
public final class WorkerLogs implements AutoCloseable {

    /** Maximum time for reading the remaining output of a worker that has exited. */
    public static final Duration DRAIN_TIMEOUT = Duration.ofMillis(500);

    private static final int FILES = 2; // of each worker, including the older one
    /** Number of logs of exited workers that are kept for each user. */
    public static final int KEPT = 16;
    /** Number of logs of earlier services that are kept, of all users together. */
    private static final int MAX_EARLIER = 256;

    private static final String NAMES = "urom_worker_*_dev.log";

    private final Path directory;
    private final int maxSize;
    private final ServiceLog log;
    private final BiConsumer<Duration, Runnable> timer;
    private final Poller poller;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<WorkerLog> open = new HashSet<>(); // this and the next: guarded by lock
    /** The files of workers that have exited, by user, the oldest first. */
    private final Map<Integer, Deque<Path>> closed = new HashMap<>();
    /** The budgets of users who have had workers. */
    private final Map<Integer, LogBudget> budgets = new HashMap<>();

    /**
     * Starts the thread that reads the output of workers.
     *
     * @param directory the existing directory of the files
     * @param maxSize maximum number of bytes of a file
     * @param log receives failures to write
     * @param threads creates the thread
     * @param timer runs a task after a time
     * @throws IOException if the process has no file descriptor left
     */
    public WorkerLogs(
            Path directory, int maxSize, ServiceLog log, ServiceThreads threads, BiConsumer<Duration, Runnable> timer)
            throws IOException {
        this.directory = directory;
        this.maxSize = maxSize;
        this.log = log;
        this.timer = timer;
        this.poller = new Poller(threads.factory("urom-daemon-logs"));
    }

    /** Removes the oldest logs of earlier services. Not called when a configuration is only checked. */
    public void removeEarlier() {
        try (var files = Files.newDirectoryStream(directory, NAMES)) {
            StreamSupport.stream(files.spliterator(), false)
                    .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified())
                            .reversed())
                    .skip(MAX_EARLIER)
                    .forEach(WorkerLogs::remove);
        } catch (IOException | DirectoryIteratorException e) {
            log.warning("The logs of earlier workers in " + directory + " cannot be listed and are not removed: " + e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(older(file));
        } catch (IOException e) {
            // The operator can remove the file.
        }
    }

    private static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    /**
     * Creates a log for a worker that is about to be started.
     *
     * @param userId the numeric id of the worker's user
     * @return the log, which the caller closes when the process has exited
     * @throws IOException if the pipe cannot be created
     */
    public WorkerLog open(int userId) throws IOException {
        lock.lock();
        try {
            var worker = new WorkerLog(this, userId, budgets.computeIfAbsent(userId, id -> new LogBudget()));
            open.add(worker);
            return worker;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the file of a worker that has exited, and removes the oldest of its user. */
    void closed(WorkerLog worker) {
        var file = worker.file(); // before this lock, to keep the lock order: the worker's is the outer lock
        lock.lock();
        try {
            if (open.remove(worker)) {
                file.ifPresent(path -> keep(worker.userId(), path));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void keep(int userId, Path file) {
        var files = closed.computeIfAbsent(userId, id -> new ArrayDeque<>());
        files.add(file);
        if (files.size() > KEPT) {
            remove(files.remove());
        }
    }

    Poller poller() {
        return poller;
    }

    /** Runs a task, which must not block, after a time, unless the service ends before. */
    void after(Duration time, Runnable task) {
        timer.accept(time, task);
    }

    /** Creates a new file, which replaces that of an earlier process with this id. */
    LogFile file(long process) throws IOException {
        var path = path(process);
        forget(path);
        Files.deleteIfExists(path);
        Files.deleteIfExists(older(path));
        return new LogFile(path, maxSize, FILES);
    }

    /** Reports that lines of a worker are lost. */
    void reportLost(long process, IOException reason) {
        log.caused(
                PeerCause.WORKER_LOG,
                "all workers",
                LogLevel.WARNING,
                "Lines of the worker with process id " + process + " are lost, because its log cannot be written: "
                        + reason);
    }

    /** Continues in new files where the current ones have been moved. */
    public void reopen() {
        current().forEach(WorkerLog::reopen);
    }

    /** Returns the path of the log of a process. */
    Path path(long process) {
        return directory.resolve(NAMES.replace("*", Long.toString(process)));
    }

    private void forget(Path file) {
        lock.lock();
        try {
            closed.values().forEach(files -> files.remove(file));
        } finally {
            lock.unlock();
        }
    }

    private Set<WorkerLog> current() {
        lock.lock();
        try {
            return Set.copyOf(open);
        } finally {
            lock.unlock();
        }
    }

    /** Reads the remaining output, for a limited time, and ends the thread. */
    @Override
    public void close() {
        awaitEnds();
        current().forEach(WorkerLog::close);
        poller.close();
    }

    /** Waits until all logs are closed, for a limited time, because children of workers may keep them open. */
    private void awaitEnds() {
        lock.lock();
        try {
            BoundedWait.within(DRAIN_TIMEOUT, time -> {
                for (var left = time; !open.isEmpty() && left > 0; ) {
                    left = changed.awaitNanos(left);
                }
                return open.isEmpty();
            });
        } finally {
            lock.unlock();
        }
    }
}
