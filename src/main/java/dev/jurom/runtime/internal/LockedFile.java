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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock on a file or a directory, held until {@link #close} or the exit of the process. It belongs to its
 * open file, not to the process: another object for the same file, even in another class loader,
 * neither shares nor releases it. This class is thread-safe.
 *
 * <p>The lock of a file stands for {@code F_OFD_SETLK}, and conflicts with locks of a {@link FileChannel}. That
 * of a directory stands for {@code flock(2)}, which programs that clean temporary files respect: systemd-tmpfiles
 * skips a locked directory with everything below it.
 */
public final class LockedFile implements AutoCloseable {

    private static final posix_h.open OPEN = posix_h.open.makeInvoker();
    private static final posix_h.fcntl FCNTL = posix_h.fcntl.makeInvoker(posix_h.C_POINTER);
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int NONE = -1;

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
        return await(file, timeout, () -> tryLock(file, shared));
    }

    /**
     * Locks an existing directory. Blocks until the lock is free, for at most the timeout; not interruptible: the
     * interrupt status is preserved.
     *
     * @param directory the directory
     * @param shared whether other processes may hold a shared lock at the same time
     * @param timeout the maximum time to wait
     * @return the lock
     * @throws IOException if the directory cannot be opened, or the lock is not free in time
     */
    public static LockedFile lockDirectory(Path directory, boolean shared, Duration timeout) throws IOException {
        return await(directory, timeout, () -> tryLockDirectory(directory, shared));
    }

    private interface Attempt {
        Optional<LockedFile> make() throws IOException;
    }

    private static LockedFile await(Path file, Duration timeout, Attempt attempt) throws IOException {
        var start = System.nanoTime();
        var lock = attempt.make();
        while (lock.isEmpty()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new IOException(file + " is still locked by another process after " + timeout.toMillis() + " ms");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = attempt.make();
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
        FileChannel.open(
                        file,
                        Set.of(CREATE, WRITE, NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                .close();
        return lockedBy(required(file, open(file.toString(), posix_h.O_RDWR())), shared);
    }

    /**
     * Locks a file alone, unless it does not exist or the lock is held elsewhere. Does not block.
     *
     * @param file the file
     * @return the lock; empty if there is no such file, or its lock is held elsewhere
     * @throws IOException if the file cannot be opened
     */
    public static Optional<LockedFile> tryLockExisting(Path file) throws IOException {
        return Files.isRegularFile(file, NOFOLLOW_LINKS)
                ? lockedBy(required(file, open(file.toString(), posix_h.O_RDWR())), false)
                : Optional.empty();
    }

    private static Optional<LockedFile> lockedBy(int descriptor, boolean shared) {
        try (var arena = Arena.ofConfined()) {
            var whole = flock.allocate(arena);
            flock.l_type(whole, (short) (shared ? posix_h.F_RDLCK() : posix_h.F_WRLCK()));
            return held(descriptor, FCNTL.apply(descriptor, posix_h.F_OFD_SETLK(), whole));
        }
    }

    /**
     * Locks an existing directory, unless the lock is held elsewhere. Does not block.
     *
     * @param directory the directory
     * @param shared whether other processes may hold a shared lock at the same time
     * @return the lock; empty if it is held elsewhere
     * @throws IOException if the directory cannot be opened
     */
    public static Optional<LockedFile> tryLockDirectory(Path directory, boolean shared) throws IOException {
        // The dot makes the kernel require a directory. The flag O_DIRECTORY differs between architectures.
        var descriptor = required(directory, open(directory + "/.", 0));
        return held(
                descriptor,
                posix_h.flock(descriptor, (shared ? posix_h.LOCK_SH() : posix_h.LOCK_EX()) | posix_h.LOCK_NB()));
    }

    private static Optional<LockedFile> held(int descriptor, int result) {
        if (result == 0) {
            return Optional.of(new LockedFile(descriptor));
        }
        posix_h.close(descriptor);
        return Optional.empty();
    }

    private static int open(String path, int flags) {
        try (var arena = Arena.ofConfined()) {
            return OPEN.apply(arena.allocateFrom(path), flags | posix_h.O_CLOEXEC());
        }
    }

    private static int required(Path file, int descriptor) throws IOException {
        if (descriptor == NONE) {
            throw new IOException(file + " cannot be opened: it was removed just now, or this"
                    + " process has no file descriptor left");
        }
        return descriptor;
    }

    /** Releases the lock. Has no effect if it is released. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            posix_h.close(descriptor);
        }
    }
}
