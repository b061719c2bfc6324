// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/**
 * Writes counters to a file that other processes read. Any thread of this process may count, and no
 * other process does. The memory is valid as long as this object is reachable, and the file exists
 * until it is deleted. This class is thread-safe.
 */
public final class CounterWriter {

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle VALUE = LONG.varHandle();
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private volatile MemorySegment memory;

    private CounterWriter(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Creates a file that only its owner can read. Its blocks are allocated when this method
     * returns: a later store on a full disk would terminate the process.
     *
     * @param path the path of the file, which must not exist
     * @param kind the kind of this process
     * @return the writer; readers see the file once it has a label
     * @throws IOException if the file cannot be created
     */
    public static CounterWriter create(Path path, CounterKind kind) throws IOException {
        return begin(map(path, ByteBuffer.allocate(CounterLayout.SIZE)), kind);
    }

    private static MemorySegment map(Path path, ByteBuffer content) throws IOException {
        try (var channel = FileChannel.open(
                path,
                Set.of(CREATE_NEW, READ, WRITE, NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, CounterLayout.SIZE, Arena.ofAuto());
        }
    }

    /**
     * Counts in another file from now on, which begins with the present values, because the previous one has been
     * removed. Counts of other threads at the same time may be lost.
     *
     * @param path the path of the file, which must not exist
     * @throws IOException if the file cannot be created
     */
    public void continueIn(Path path) throws IOException {
        memory = map(path, ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE)));
    }

    /**
     * Creates a writer whose counters are not readable by other processes.
     *
     * @param kind the kind of this process
     * @return the writer
     */
    public static CounterWriter unread(CounterKind kind) {
        return begin(Arena.ofAuto().allocate(CounterLayout.SIZE, Long.BYTES), kind);
    }

    private static CounterWriter begin(MemorySegment memory, CounterKind kind) {
        var process = ProcessHandle.current().pid();
        memory.set(INT, CounterLayout.VERSION_AT, CounterLayout.VERSION);
        memory.set(INT, CounterLayout.KIND_AT, kind.code());
        memory.set(LONG, CounterLayout.SIZE_AT, CounterLayout.SIZE);
        memory.set(LONG, CounterLayout.PROCESS_AT, process);
        memory.set(LONG, CounterLayout.PROCESS_START_AT, RunningProcess.startOf(process));
        memory.set(LONG, CounterLayout.BEGAN_AT, now());
        memory.set(LONG, CounterLayout.TICKS_AT, NANOS_PER_SECOND);
        return new CounterWriter(memory);
    }

    private static long now() {
        var now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }

    /**
     * Sets the label, which makes the file visible to readers.
     *
     * @param label a description for users, truncated to 127 bytes
     */
    public void label(String label) {
        put(label, CounterLayout.LABEL_AT, CounterLayout.LABEL_SIZE);
        VALUE.setRelease(memory, 0L, CounterLayout.MAGIC);
    }

    /**
     * Adds to a counter.
     *
     * @param counter a counter of this kind of process
     * @param count the amount to add, possibly negative
     */
    public void add(Counter counter, long count) {
        VALUE.getAndAdd(memory, at(counter), count);
    }

    /**
     * Sets a gauge.
     *
     * @param counter a counter of this kind of process
     * @param value the new value
     */
    public void set(Counter counter, long value) {
        VALUE.setOpaque(memory, at(counter), value);
    }

    private static long at(Counter counter) {
        return CounterLayout.VALUES_AT + counter.index() * (long) Long.BYTES;
    }

    /**
     * Counts an error.
     *
     * @param error the error
     */
    public synchronized void error(ServiceError error) {
        var at = CounterLayout.ERRORS_AT + error.ordinal() * (long) CounterLayout.ERROR_SIZE;
        var count = memory.get(LONG, at);
        if (count == 0) {
            put(error.phrase(), at + CounterLayout.TEXT_AT, CounterLayout.TEXT_SIZE);
            memory.set(LONG, at + CounterLayout.FIRST_AT, now());
        }
        memory.set(LONG, at + CounterLayout.LAST_AT, now());
        VALUE.setRelease(memory, at, count + 1);
    }

    private void put(String text, long at, int size) {
        var bytes = cut(text, size);
        memory.asSlice(at, size).fill((byte) 0);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    /** Returns the text as UTF-8, truncated so that a zero fits after it. */
    private static byte[] cut(String text, int size) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length < size ? bytes : Arrays.copyOf(bytes, size - 1);
    }
}
