// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import dev.jurom.linux.ProcessTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What a daemon, a worker or a host has counted, as it was at one time. The file is another's, and
 * may hold anything: it is read once, and checked before it is believed. Whoever writes it does not
 * notice.
 */
public final class CounterFile {

    private static final long MOST_TICKS = 1L << 40;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final Path path;
    private final CounterKind kind;
    private final ByteBuffer bytes;

    private CounterFile(Path path, CounterKind kind, ByteBuffer bytes) {
        this.path = path;
        this.kind = kind;
        this.bytes = bytes;
    }

    /**
     * Reads a file.
     *
     * @param path where it is
     * @return what is in it
     * @throws NoSuchFileException if it is not there, or nobody has begun to count
     * @throws IOException if it cannot be read, or is no such file; the message is a sentence that
     *         names it
     */
    public static CounterFile read(Path path) throws IOException {
        var bytes = content(path);
        require(bytes.getLong(0) == CounterLayout.MAGIC, path, "it does not begin as one does");
        var version = bytes.getInt(CounterLayout.VERSION_AT);
        require(version == CounterLayout.VERSION, path, "its layout is version "
                + Integer.toUnsignedString(version) + ", and this program knows version "
                + CounterLayout.VERSION + ": use the urom command of the same release");
        require(bytes.getLong(CounterLayout.SIZE_AT) == CounterLayout.SIZE, path,
                "it names another size than it has");
        var kind = CounterKind.of(bytes.getInt(CounterLayout.KIND_AT));
        require(kind.isPresent(), path, "nobody knows who counts there");
        require(bytes.getLong(CounterLayout.PROCESS_AT) > 0, path, "it names no process");
        var ticks = bytes.getLong(CounterLayout.TICKS_AT);
        require(ticks > 0 && ticks < MOST_TICKS, path, "its clock cannot be");
        return new CounterFile(path, kind.get(), bytes);
    }

    /** All of it, and no byte twice. Only a file that is one is opened: a pipe would hold us up. */
    private static ByteBuffer content(Path path) throws IOException {
        var attributes = Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
        require(attributes.isRegularFile(), path, "it is no file");
        var bytes = ByteBuffer.allocate(CounterLayout.SIZE + 1).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = FileChannel.open(path, Set.of(READ, NOFOLLOW_LINKS))) {
            while (bytes.hasRemaining() && channel.read(bytes) > 0) {
                continue;
            }
        }
        if (bytes.getLong(0) == 0) {
            throw new NoSuchFileException(path.toString(), null, "nobody counts there yet");
        }
        require(bytes.position() == CounterLayout.SIZE, path, bytes.position() < CounterLayout.SIZE
                ? "it is too short" : "it is too long");
        return bytes;
    }

    private static void require(boolean condition, Path path, String why) throws IOException {
        if (!condition) {
            throw new IOException(path + " is no file of counters: " + why);
        }
    }

    /**
     * Where it is.
     *
     * @return as it was read
     */
    public Path path() {
        return path;
    }

    /**
     * Who counts.
     *
     * @return what it says it is
     */
    public CounterKind kind() {
        return kind;
    }

    /**
     * The process that counts.
     *
     * @return its id, above 0
     */
    public long process() {
        return bytes.getLong(CounterLayout.PROCESS_AT);
    }

    /**
     * Whether the process that counts is still there.
     *
     * @return false if it has ended, also if another has its id now
     */
    public boolean isAlive() {
        var start = ProcessTimes.start(process());
        return start != 0 && start == bytes.getLong(CounterLayout.PROCESS_START_AT);
    }

    /**
     * Since when it is counted.
     *
     * @return a time that the file names
     */
    public Instant began() {
        return instant(bytes.getLong(CounterLayout.BEGAN_AT));
    }

    /**
     * The worker's id.
     *
     * @return as unsigned; 0 for others than workers
     */
    public long number() {
        return bytes.getLong(CounterLayout.NUMBER_AT);
    }

    /**
     * Which one it is, for people: a daemon's addresses, a worker's plugins, a host's program.
     *
     * @return printable characters
     */
    public String label() {
        return text(CounterLayout.LABEL_AT, CounterLayout.LABEL_SIZE);
    }

    /**
     * A value.
     *
     * @param counter of this kind of file
     * @return the value, as unsigned
     * @throws IllegalArgumentException if others count that
     */
    public long value(Counter counter) {
        if (counter.kind() != kind) {
            throw new IllegalArgumentException("A " + kind + " does not count " + counter);
        }
        return bytes.getLong(CounterLayout.VALUES_AT + counter.place() * Long.BYTES);
    }

    /**
     * How many commands have begun and not ended.
     *
     * @return 0 for a daemon
     */
    public long inFlight() {
        return switch (kind) {
            case DAEMON -> 0;
            case WORKER -> value(Counter.WORKER_IN_FLIGHT);
            case HOST -> value(Counter.HOST_COMMANDS) - value(Counter.HOST_COMPLETIONS)
                    - value(Counter.HOST_NOT_SENT);
        };
    }

    /**
     * How long commands took: in a worker from their arrival to their answer, in a host from their
     * submission to their completion.
     *
     * @return of those that were timed
     */
    public LatencyHistogram latency() {
        var counts = new long[CounterLayout.BUCKETS];
        bytes.slice(CounterLayout.HISTOGRAM_AT, CounterLayout.BUCKETS * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(counts);
        return new LatencyHistogram(
                Arrays.stream(counts).map(count -> Math.max(0, count)).toArray(),
                bytes.getLong(CounterLayout.TICKS_AT));
    }

    /**
     * What went wrong.
     *
     * @return each error once, in the order in which they came first
     */
    public List<DistinctError> errors() {
        var errors = new ArrayList<DistinctError>();
        for (var i = 0; i < CounterLayout.ERRORS; i++) {
            var at = CounterLayout.ERRORS_AT + i * CounterLayout.ERROR_SIZE;
            if (bytes.getLong(at) != 0) {
                errors.add(new DistinctError(text(at + CounterLayout.TEXT_AT,
                        CounterLayout.TEXT_SIZE), bytes.getLong(at),
                        instant(bytes.getLong(at + CounterLayout.FIRST_AT)),
                        instant(bytes.getLong(at + CounterLayout.LAST_AT))));
            }
        }
        return List.copyOf(errors);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, (long) NANOS_PER_SECOND),
                Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /** Nothing of it steers a terminal, or looks like another line. */
    private String text(int at, int size) {
        var length = 0;
        while (length < size && bytes.get(at + length) != 0) {
            length++;
        }
        return new String(bytes.array(), at, length, StandardCharsets.UTF_8).codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.LINE_SEPARATOR
                        || Character.getType(c) == Character.PARAGRAPH_SEPARATOR ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Override
    public String toString() {
        return "counters of " + kind + " process " + process();
    }
}
