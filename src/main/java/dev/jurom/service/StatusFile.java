// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The file by which a service tells its user of itself. Many changes in a short time are written
 * once. Whoever reads sees a whole file: each appears under its name when it is written. Any thread
 * may use it.
 */
final class StatusFile {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String UNFINISHED = ".status";

    private final Path directory;
    private final Timers timers;
    private final ServiceLog log;
    private final Supplier<ServiceStatus> current;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();
    private Optional<Consumer<ServiceStatus>> watcher = Optional.empty(); // this and the rest: by the lock
    private boolean closed;
    private boolean failed;

    StatusFile(Path directory, Timers timers, ServiceLog log, Supplier<ServiceStatus> current) {
        this.directory = directory;
        this.timers = timers;
        this.log = log;
        this.current = current;
    }

    /** Something has changed: it is written soon. Does not wait. */
    void changed() {
        if (scheduled.compareAndSet(false, true)) {
            timers.runAfter(PAUSE, this::write);
        }
    }

    /** Writes what is so now. A service goes on without: its user is told in the log, once. */
    void write() {
        writing.lock();
        try {
            scheduled.set(false); // what changes from here on is written the next time
            if (!closed) {
                var status = current.get();
                watcher.ifPresent(it -> it.accept(status));
                replace(StatusText.of(status));
                failed = false;
            }
        } catch (IOException e) {
            if (!failed) {
                log.warning("The status of the service cannot be written to " + directory
                        + ": " + e);
            }
            failed = true;
        } finally {
            writing.unlock();
        }
    }

    /** Has a consumer receive each status from now on, the present one first. */
    void watch(Consumer<ServiceStatus> consumer) {
        writing.lock();
        try {
            watcher = Optional.of(consumer);
        } finally {
            writing.unlock();
        }
        write();
    }

    private void replace(String text) throws IOException {
        var unfinished = directory.resolve(UNFINISHED);
        Files.deleteIfExists(unfinished); // of an attempt that failed
        try (var channel = FileChannel.open(unfinished, Set.of(CREATE_NEW, WRITE),
                PosixFilePermissions.asFileAttribute(
                        PosixFilePermissions.fromString("rw-------")))) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        Files.move(unfinished, directory.resolve(ServiceStatus.FILE), ATOMIC_MOVE);
    }

    /** Writes no more: the directory is about to go. */
    void close() {
        writing.lock();
        try {
            closed = true;
        } finally {
            writing.unlock();
        }
    }
}
