// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.LatencyHistogram;
import dev.jurom.runtime.internal.RegularFile;
import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of the counters of a daemon, a worker or a host. Another process writes them, and may
 * write any values: they are read once and validated. The writer does not notice the read.
 */
public final class CounterFile {

    private static final long MAX_TICKS = 1L << 40;
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final String DESCRIPTOR = "5"; // of a worker: LAUNCHED_COUNTERS in launcher.h

    /** In the order of enum plugin_callback in plugin.h. */
    private static final List<String> CALLBACKS =
            List.of("open", "close", "addr", "worker_cmd", "progress", "notif_pack", "arm", "host_left", "cancel");

    private final Path path;
    private final CounterKind kind;
    private final CountedWorker writer; // for a worker, as the service reports it; otherwise, as the file states it
    private final int owner;
    private final ByteBuffer bytes;

    private CounterFile(Path path, CounterKind kind, CountedWorker writer, int owner, ByteBuffer bytes) {
        this.path = path;
        this.kind = kind;
        this.writer = writer;
        this.owner = owner;
        this.bytes = bytes;
    }

    /**
     * Reads the file of a service or a host.
     *
     * @param path the path of the file
     * @return the counters
     * @throws NoSuchFileException if the file does not exist, or its process has not counted yet
     * @throws IOException if it cannot be read or is not a valid file; the message is a sentence
     *         that names it
     */
    public static CounterFile read(Path path) throws IOException {
        try (var file = RegularFile.at(path, NOFOLLOW_LINKS)) {
            var bytes = content(file, path);
            var kind = CounterKind.of(bytes.getInt(CounterLayout.KIND_AT));
            require(
                    kind.isPresent() && kind.get() != CounterKind.WORKER,
                    path,
                    "it does not belong to a service or a host");
            require(bytes.getLong(CounterLayout.PROCESS_AT) > 0, path, "it has no process id");
            return new CounterFile(
                    path,
                    kind.get(),
                    new CountedWorker(
                            0, bytes.getLong(CounterLayout.PROCESS_AT), bytes.getLong(CounterLayout.PROCESS_START_AT)),
                    file.owner(),
                    bytes);
        }
    }

    /**
     * Reads the memory of a worker. The worker can replace it by any file, so only a file of the
     * right size that belongs to the user of the service is opened, which no other user can create.
     *
     * @param worker a worker of a service
     * @param user the user id of the service
     * @return the counters, for the given worker whatever the memory contains
     * @throws NoSuchFileException if the worker has no memory, or has ended
     * @throws IOException if the memory cannot be read, or is not the memory that the service
     *         created; the message is a sentence that names it
     */
    public static CounterFile ofWorker(CountedWorker worker, int user) throws IOException {
        var path = Path.of("/proc", Long.toString(worker.process()), "fd", DESCRIPTOR);
        try (var file = RegularFile.at(path)) {
            require(
                    file.size() == CounterLayout.SIZE && file.owner() == user,
                    path,
                    "it is not the memory that the service created");
            var bytes = content(file, path);
            require(worker.isAlive(), path, "the worker has ended");
            return new CounterFile(path, CounterKind.WORKER, worker, file.owner(), bytes);
        } catch (AccessDeniedException e) {
            throw new IOException(
                    path + ": permission denied; only root with CAP_SYS_PTRACE can read workers of other users", e);
        }
    }

    /**
     * Reads the memory of a worker by the descriptor of its service. The worker may have ended.
     *
     * @param worker the worker
     * @param path the path of the service's descriptor
     * @return the counters
     * @throws NoSuchFileException if the worker has not counted yet
     * @throws IOException if the memory is not valid
     */
    public static CounterFile ofHeldWorker(CountedWorker worker, Path path) throws IOException {
        try (var file = RegularFile.at(path)) {
            return new CounterFile(path, CounterKind.WORKER, worker, file.owner(), content(file, path));
        }
    }

    /** Returns the whole content, reading each byte once. */
    private static ByteBuffer content(RegularFile file, Path path) throws IOException {
        var bytes = ByteBuffer.allocate(CounterLayout.SIZE + 1).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = file.open()) {
            while (bytes.hasRemaining() && channel.read(bytes) > 0) {
                continue;
            }
        }
        if (bytes.getLong(0) == 0) {
            throw new NoSuchFileException(path.toString(), null, "its process has not counted yet");
        }
        require(
                bytes.position() == CounterLayout.SIZE,
                path,
                bytes.position() < CounterLayout.SIZE ? "it is too short" : "it is too long");
        requireHeader(bytes, path);
        return bytes;
    }

    private static void requireHeader(ByteBuffer bytes, Path path) throws IOException {
        require(bytes.getLong(0) == CounterLayout.MAGIC, path, "it does not begin with the magic number");
        var version = bytes.getInt(CounterLayout.VERSION_AT);
        require(
                version == CounterLayout.VERSION,
                path,
                "its layout has version "
                        + Integer.toUnsignedString(version) + ", but this program supports version "
                        + CounterLayout.VERSION + ": use the urom command of the same release");
        require(bytes.getLong(CounterLayout.SIZE_AT) == CounterLayout.SIZE, path, "its header has a wrong size");
        var ticks = bytes.getLong(CounterLayout.TICKS_AT);
        require(ticks > 0 && ticks < MAX_TICKS, path, "its clock rate is out of range");
    }

    private static void require(boolean condition, Path path, String reason) throws IOException {
        if (!condition) {
            throw new IOException(path + " is not a valid counters file: " + reason);
        }
    }

    /**
     * Returns the path.
     *
     * @return the path that was read
     */
    public Path path() {
        return path;
    }

    /**
     * Returns the kind of the process that writes the counters.
     *
     * @return the kind, as the file states it
     */
    public CounterKind kind() {
        return kind;
    }

    /**
     * Returns the id of the process that writes the counters.
     *
     * @return the process id, at least 1
     */
    public long process() {
        return writer.process();
    }

    /**
     * Returns whether the process is running, according to the kernel; for a service or a host,
     * also whether it belongs to the owner of the file.
     *
     * @return false if the process has ended, also if its id was reused
     */
    boolean isAlive() {
        return RunningProcess.of(process())
                .filter(it ->
                        it.start() == writer.processStart() && (kind == CounterKind.WORKER || it.userId() == owner))
                .isPresent();
    }

    /**
     * Returns the time since when the process counts.
     *
     * @return the time that the file states
     */
    public Instant began() {
        return instant(bytes.getLong(CounterLayout.BEGAN_AT));
    }

    /**
     * Returns the id of the worker.
     *
     * @return the id, unsigned; 0 if this is not a worker
     */
    public long number() {
        return writer.number();
    }

    /**
     * Returns a description for users: the addresses of a daemon, the plugins of a worker, or the
     * program of a host.
     *
     * @return printable characters
     */
    public String label() {
        return text(CounterLayout.LABEL_AT, CounterLayout.LABEL_SIZE);
    }

    /**
     * Returns the value of a counter.
     *
     * @param counter a counter of this kind of process
     * @return the value, unsigned
     * @throws IllegalArgumentException if the counter belongs to another kind
     */
    public long value(Counter counter) {
        if (counter.kind() != kind) {
            throw new IllegalArgumentException(counter + " is not a counter of a " + kind);
        }
        return bytes.getLong(CounterLayout.VALUES_AT + counter.index() * Long.BYTES);
    }

    /**
     * Describes the plugin callback that a worker is executing. The worker may write any value: the
     * name of a callback is one of a fixed set, and the name of a plugin comes from the label.
     *
     * @return for example, {@code worker_cmd of graph}, or {@code no callback}
     */
    public String callback() {
        return runningCallback().orElse("no callback");
    }

    /**
     * Describes the plugin callback that a worker is executing.
     *
     * @return the callback as {@link #callback} describes it, or empty if there is none
     */
    public Optional<String> runningCallback() {
        var number = bytes.getLong(CounterLayout.CALLBACK_AT) - 1;
        var plugins = label().split(",");
        var plugin = number / CounterLayout.CALLBACKS;
        var callback = (int) (number % CounterLayout.CALLBACKS);
        if (kind != CounterKind.WORKER || number == -1) {
            return Optional.empty();
        }
        return Optional.of(
                number < 0 || plugin >= plugins.length || callback >= CALLBACKS.size()
                        ? "an unknown callback"
                        : CALLBACKS.get(callback) + " of " + plugins[(int) plugin]);
    }

    /**
     * Returns how long the running callback of a worker may take from now, as its plugin has announced.
     *
     * @return a time that is not positive without an announcement, or after the announced time
     */
    public Duration busyFor() {
        var end = kind == CounterKind.WORKER ? bytes.getLong(CounterLayout.BUSY_AT) : 0;
        return end == 0 ? Duration.ZERO : Duration.ofNanos(end - System.nanoTime()); // both are CLOCK_MONOTONIC
    }

    /**
     * Returns the number of commands in flight.
     *
     * @return the number; 0 for a daemon
     */
    public long inFlight() {
        return switch (kind) {
            case DAEMON -> 0;
            case WORKER -> value(Counter.WORKER_IN_FLIGHT);
            case HOST -> value(Counter.HOST_COMMANDS) - value(Counter.HOST_COMPLETIONS) - value(Counter.HOST_NOT_SENT);
        };
    }

    /**
     * Returns the latencies of commands: in a worker from arrival to answer, in a host from
     * submission to completion.
     *
     * @return the histogram of the commands that were timed
     */
    public LatencyHistogram latency() {
        var counts = new long[CounterLayout.BUCKETS];
        bytes.slice(CounterLayout.HISTOGRAM_AT, CounterLayout.BUCKETS * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(counts);
        return new LatencyHistogram(
                Arrays.stream(counts).map(count -> Math.max(0, count)).toArray(),
                bytes.getLong(CounterLayout.TICKS_AT));
    }

    /**
     * Returns the errors.
     *
     * @return distinct errors, in the order of their first occurrence
     */
    public List<DistinctError> errors() {
        var errors = new ArrayList<DistinctError>();
        for (var i = 0; i < CounterLayout.ERRORS; i++) {
            var at = CounterLayout.ERRORS_AT + i * CounterLayout.ERROR_SIZE;
            if (bytes.getLong(at) != 0) {
                errors.add(new DistinctError(
                        text(at + CounterLayout.TEXT_AT, CounterLayout.TEXT_SIZE),
                        bytes.getLong(at),
                        instant(bytes.getLong(at + CounterLayout.FIRST_AT)),
                        instant(bytes.getLong(at + CounterLayout.LAST_AT))));
            }
        }
        return List.copyOf(errors);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(nanos, (long) NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /** Returns a text without characters that could control a terminal or imitate another line. */
    private String text(int at, int size) {
        var length = 0;
        while (length < size && bytes.get(at + length) != 0) {
            length++;
        }
        return new String(bytes.array(), at, length, StandardCharsets.UTF_8)
                .codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.LINE_SEPARATOR
                                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR
                        ? '?'
                        : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Override
    public String toString() {
        return "counters of " + kind + " process " + process();
    }
}
