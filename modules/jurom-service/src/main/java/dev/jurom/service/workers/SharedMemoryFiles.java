// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.processes.Launcher;
import dev.jurom.service.processes.ProcessEnd;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Removes the files that UCX in a killed worker has left behind in {@code /dev/shm}. Their names are random
 * and do not identify the process, so a process with the rights of the worker's user removes all files of
 * that user that no process has open or mapped. This class is thread-safe.
 */
final class SharedMemoryFiles {

    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String NAMES = "ucx_shm_posix_*";
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final Launcher launcher;
    private final ReentrantLock lock = new ReentrantLock();
    /** Users whose files were in use when files were last removed: by a live worker, or a killed one's peers. */
    private final Set<Integer> inUse = ConcurrentHashMap.newKeySet();

    SharedMemoryFiles(Launcher launcher) {
        this.launcher = launcher;
    }

    /** Removes the files of a user. Blocks for at most 5 s, and while other files are being removed. */
    void sweep(int userId) throws IOException, InterruptedException {
        lock.lock();
        try {
            if (exist(userId)) {
                run(userId);
                if (exist(userId)) {
                    inUse.add(userId);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether files of a user were in use and may now be free, because a host has disconnected: true once after
     * each {@link #sweep}, so that hosts cannot cause many at a time.
     */
    boolean retries(int userId) {
        return inUse.remove(userId);
    }

    private static boolean exist(int userId) throws IOException {
        if (!Files.isDirectory(FOLDER)) {
            return false;
        }
        try (var files = Files.newDirectoryStream(FOLDER, NAMES)) {
            for (var file : files) {
                if (ownerOf(file) == userId) {
                    return true;
                }
            }
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static int ownerOf(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return -1; // another process has just removed it
        }
    }

    private void run(int userId) throws IOException, InterruptedException {
        var end = new CompletableFuture<ProcessEnd>();
        var process = launcher.sweep(userId, end::complete);
        try {
            end.get(DEADLINE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            process.kill();
        } catch (ExecutionException e) {
            throw new AssertionError("a process always ends normally", e);
        }
    }
}
