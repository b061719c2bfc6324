// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.jurom.service.connections.Timers;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.status.RunningWorker;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Publishes the status of a service in a file. Changes in quick succession are written once. Readers always see
 * a whole file, because each is written under a temporary name and then renamed. This class is thread-safe.
 *
 * <p>A service of all users also writes a file for each user that has workers. It contains only these workers,
 * and only that user and root can read it.
 */
final class StatusFile {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final String UNFINISHED = ".status";

    private final Path directory;
    private final Credentials own;
    private final Timers timers;
    private final ServiceLog log;
    private final Supplier<ServiceStatus> current;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();
    private Optional<Consumer<ServiceStatus>> watcher = Optional.empty(); // this and the rest: guarded by writing
    private boolean closed;
    private boolean failed;
    /** The last content of the files of other users. */
    private final Map<Integer, String> told = new HashMap<>();

    StatusFile(Path directory, Credentials own, Timers timers, ServiceLog log, Supplier<ServiceStatus> current) {
        this.directory = directory;
        this.own = own;
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
                replace(ServiceStatus.FILE, own.userId(), status.toText());
                tellUsers(status);
                failed = false;
            }
        } catch (IOException e) {
            if (!failed) {
                log.warning("The status of the service cannot be written to " + directory + ": " + e);
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

    private void tellUsers(ServiceStatus status) throws IOException {
        var users = status.workers().stream()
                .map(RunningWorker::userId)
                .filter(user -> user != own.userId())
                .collect(Collectors.toSet());
        for (var user : users) {
            var text = status.of(user).toText();
            if (!text.equals(told.get(user))) {
                replace(ServiceStatus.fileOf(user), user, text);
                told.put(user, text);
            }
        }
        for (var user : Set.copyOf(told.keySet())) {
            if (!users.contains(user)) {
                Files.deleteIfExists(directory.resolve(ServiceStatus.fileOf(user)));
                told.remove(user);
            }
        }
    }

    private void replace(String name, int user, String text) throws IOException {
        var unfinished = directory.resolve(UNFINISHED);
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
            if (user != own.userId()) {
                Files.setAttribute(unfinished, "unix:uid", user);
            }
            Files.move(unfinished, directory.resolve(name), ATOMIC_MOVE);
        } finally {
            deleteUnfinished();
        }
    }

    /** Deletes the file of a publication that failed. */
    private void deleteUnfinished() {
        try {
            Files.deleteIfExists(directory.resolve(UNFINISHED));
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
