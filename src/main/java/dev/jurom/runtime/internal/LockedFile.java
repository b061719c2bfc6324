// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.jurom.abi.posix.flock;
import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock on a file, held until {@link #close} or the exit of the process. Stands for
 * {@code F_OFD_SETLK}. It conflicts with locks of a {@link FileChannel}. Unlike those, which belong
 * to the process, it belongs to its open file: another object for the same file, even in another
 * class loader, neither shares nor releases it. This class is thread-safe.
 */
public final class LockedFile implements AutoCloseable {

    private static final posix_h.open OPEN = posix_h.open.makeInvoker();
    private static final posix_h.fcntl FCNTL = posix_h.fcntl.makeInvoker(posix_h.C_POINTER);
    private static final long PAUSE_NANOS = 1_000_000;

    private final int descriptor;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LockedFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Locks a file, which is created if it does not exist. Blocks until the lock is free, for at
     * most the timeout; not interruptible: the interrupt status is preserved.
     *
     * @param file the file, not a symbolic link
     * @param shared whether other processes may hold a shared lock at the same time
     * @param timeout the maximum time to wait
     * @return the lock
     * @throws IOException if the file cannot be opened, or the lock is not free in time
     */
    public static LockedFile lock(Path file, boolean shared, Duration timeout) throws IOException {
        var start = System.nanoTime();
        var lock = tryLock(file, shared);
        while (lock.isEmpty()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new IOException(file + " is still locked by another process after " + timeout.toMillis() + " ms");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = tryLock(file, shared);
        }
        return lock.get();
    }

    /**
     * Locks a file, which is created if it does not exist, unless the lock is held elsewhere. Does
     * not block.
     *
     * @param file the file, not a symbolic link
     * @param shared whether other processes may hold a shared lock at the same time
     * @return the lock; empty if it is held elsewhere
     * @throws IOException if the file cannot be opened
     */
    public static Optional<LockedFile> tryLock(Path file, boolean shared) throws IOException {
        var descriptor = open(file);
        try (var arena = Arena.ofConfined()) {
            var whole = flock.allocate(arena);
            flock.l_type(whole, (short) (shared ? posix_h.F_RDLCK() : posix_h.F_WRLCK()));
            if (FCNTL.apply(descriptor, posix_h.F_OFD_SETLK(), whole) == 0) {
                return Optional.of(new LockedFile(descriptor));
            }
        }
        posix_h.close(descriptor);
        return Optional.empty();
    }

    private static int open(Path file) throws IOException {
        FileChannel.open(
                        file,
                        Set.of(CREATE, WRITE, NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                .close();
        try (var arena = Arena.ofConfined()) {
            var descriptor = OPEN.apply(arena.allocateFrom(file.toString()), posix_h.O_RDWR() | posix_h.O_CLOEXEC());
            if (descriptor < 0) {
                throw new IOException(file + " cannot be opened: it was removed just now, or this"
                        + " process has no file descriptor left");
            }
            return descriptor;
        }
    }

    /** Releases the lock. Has no effect if it is released. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            posix_h.close(descriptor);
        }
    }
}
