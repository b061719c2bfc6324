// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.threads.Timers;
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
import org.jspecify.annotations.Nullable;

/**
 * Publishes the status of a service in a file. Changes in quick succession are written once. Readers always see
 * a whole file, because each is written under a temporary name and then renamed. This class is thread-safe.
 *
 * <p>Other users receive their part of the status at a socket. A file with that part would have to belong to its
 * reader, who could then enlarge it.
 */
final class StatusFile {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String UNFINISHED = ".status";

    private final Supplier<Path> directory;
    private final Timers timers;
    private final ServiceLog log;
    private final Supplier<ServiceStatus> current;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable ServiceStatus latest;
    private Optional<Consumer<ServiceStatus>> watcher = Optional.empty(); // this and the next two: guarded by writing
    private boolean closed;
    private boolean failed;

    StatusFile(Supplier<Path> directory, Timers timers, ServiceLog log, Supplier<ServiceStatus> current) {
        this.directory = directory;
        this.timers = timers;
        this.log = log;
        this.current = current;
    }

    /** Schedules a write after a change. Does not block. */
    void changed() {
        if (scheduled.compareAndSet(false, true)) {
            timers.runAfter(PAUSE, this::write);
        }
    }

    /** Writes the current status. If that fails, the service continues and logs one warning. */
    void write() {
        writing.lock();
        try {
            scheduled.set(false); // first: a later change schedules another write
            if (!closed) {
                var status = current.get();
                watcher.ifPresent(it -> it.accept(status));
                latest = status;
                replace(status.toText());
                failed = false;
            }
        } catch (IOException e) {
            if (!failed) {
                log.warning("The status of the service cannot be written to " + directory.get() + ": " + e);
            }
            failed = true;
        } finally {
            writing.unlock();
        }
    }

    /** Sets a consumer that receives the current status and then each new one. */
    void watch(Consumer<ServiceStatus> consumer) {
        writing.lock();
        try {
            watcher = Optional.of(consumer);
        } finally {
            writing.unlock();
        }
        write();
    }

    /** Returns the last status as text with the workers of one user alone; empty if that user has no workers. */
    String textFor(int user) {
        var last = latest;
        var own = last == null ? null : last.of(user);
        return own == null || own.workers().isEmpty() ? "" : own.toText();
    }

    private void replace(String text) throws IOException {
        var target = directory.get();
        var unfinished = target.resolve(UNFINISHED);
        Files.deleteIfExists(unfinished); // left behind if an earlier deletion failed
        try {
            try (var channel = FileChannel.open(
                    unfinished,
                    Set.of(CREATE_NEW, WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            Files.move(unfinished, target.resolve(ServiceStatus.FILE), ATOMIC_MOVE);
        } finally {
            deleteUnfinished();
        }
    }

    /** Deletes the file of a publication that failed. */
    private void deleteUnfinished() {
        try {
            Files.deleteIfExists(directory.get().resolve(UNFINISHED));
        } catch (IOException e) {
            // The next publication or close() tries again.
        }
    }

    /** Stops publishing: the caller deletes the directory next. */
    void close() {
        writing.lock();
        try {
            closed = true;
            deleteUnfinished();
        } finally {
            writing.unlock();
        }
    }
}
