// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

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
 * A lock on a file, held until {@link #close} or the end of the process. Stands for
 * {@code F_OFD_SETLK}. It conflicts with the locks of a {@link FileChannel}. Those belong to the
 * process, but this lock belongs to its open file: another object for the same file neither shares
 * nor releases it, even in another class loader. This class is thread-safe.
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
     * Locks a file, and creates it if it does not exist. Blocks until the lock is free, or the
     * timeout ends. Not interruptible: the interrupt status is preserved.
     *
     * @param file the file, not a symbolic link
     * @param shared whether others can have a shared lock meanwhile
     * @param timeout the longest wait
     * @return the lock
     * @throws IOException if the file cannot be opened, or another has the lock at the end
     */
    public static LockedFile lock(Path file, boolean shared, Duration timeout) throws IOException {
        var start = System.nanoTime();
        var lock = tryLock(file, shared);
        while (lock.isEmpty()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new IOException(file + " is locked by another process that does not go on");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = tryLock(file, shared);
        }
        return lock.get();
    }

    /**
     * Locks a file, and creates it if it does not exist, unless another has the lock. Never blocks.
     *
     * @param file the file, not a symbolic link
     * @param shared whether others can have a shared lock meanwhile
     * @return the lock; empty if another has it
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
                        + " process has no descriptor left");
            }
            return descriptor;
        }
    }

    /** Releases the lock. No effect if it is released. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            posix_h.close(descriptor);
        }
    }
}
