// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The memory-mapped file from which the processes of a run read the faults to inject, and in which they record the
 * injected faults. Words that change while the file is mapped are accessed atomically.
 *
 * <pre>
 *   0  header   u32 magic, version, rows, row size, events, event size; u64 next event
 *  64  rows     u32 action (written last; 0: none), u32 roles, i64 skip, i64 times,
 *               u64 argument, u64 second argument, u64 reached, u32 process (0: any)
 *  64 + 256 * 64
 *      events   u64 nanoseconds (written last), u32 point, u32 action, u32 process,
 *               u32 role, u64 argument
 *  64 + (256 + 4096) * 64
 *      workers  u64 process (written last), u64 id
 * </pre>
 *
 * <p>The file uses the machine's byte order. This class is thread-safe; closing it unmaps the file.
 */
public final class FaultTable implements AutoCloseable {

    /** The environment variable with the path of the file. */
    public static final String VARIABLE = "JUROM_FAULTS";

    private static final int ROWS = 256;
    private static final int EVENTS = 4096;
    private static final int MAGIC = 0x4654524A; // "JRTF"
    private static final int VERSION = 2;
    private static final int ENTRY_SIZE = 64; // bytes of the header, of a row and of an event
    private static final List<Integer> HEADER = List.of(MAGIC, VERSION, ROWS, ENTRY_SIZE, EVENTS, ENTRY_SIZE);
    private static final int WORKERS = 256;
    private static final int WORKER_SIZE = 16;
    private static final long NEXT_EVENT = 24;
    private static final long NEXT_WORKER = 32;
    private static final long FIRST_ROW = ENTRY_SIZE;
    private static final long FIRST_EVENT = FIRST_ROW + (long) ROWS * ENTRY_SIZE;
    private static final long FIRST_WORKER = FIRST_EVENT + (long) EVENTS * ENTRY_SIZE;
    private static final long SIZE = FIRST_WORKER + (long) WORKERS * WORKER_SIZE;

    private static final long ACTION = 0; // offsets in a row
    private static final long ROLES = 4;
    private static final long SKIP = 8;
    private static final long TIMES = 16;
    private static final long ARGUMENT = 24;
    private static final long ARGUMENT_2 = 32;
    private static final long REACHED = 40;
    private static final long PROCESS = 48;

    private static final long EVENT_TIME = 0; // offsets in an event
    private static final long EVENT_POINT = 8;
    private static final long EVENT_ACTION = 12;
    private static final long EVENT_PROCESS = 16;
    private static final long EVENT_ROLE = 20;
    private static final long EVENT_ARGUMENT = 24;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    private FaultTable(FileChannel file) throws IOException {
        try {
            memory = file.map(MapMode.READ_WRITE, 0, SIZE, arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Creates a table without faults.
     *
     * @param file the path of the new file, which must not exist
     */
    public static FaultTable create(Path file) throws IOException {
        var owners = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                owners)) {
            var table = new FaultTable(channel);
            for (var i = HEADER.size() - 1; i >= 0; i--) { // the magic number is written last
                INT.setRelease(table.memory, 4L * i, (int) HEADER.get(i));
            }
            return table;
        }
    }

    /** Maps an existing table. */
    public static FaultTable open(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() != SIZE) {
                throw new IOException("the file " + file + " is not a fault table: it has " + channel.size()
                        + " bytes instead of " + SIZE);
            }
            var table = new FaultTable(channel);
            for (var i = 0; i < HEADER.size(); i++) {
                if ((int) INT.getAcquire(table.memory, 4L * i) != HEADER.get(i)) {
                    table.close();
                    throw new IOException("the file " + file + " is not a fault table of this version");
                }
            }
            return table;
        }
    }

    private static long row(FaultPoint point) {
        return FIRST_ROW + (long) point.number() * ENTRY_SIZE;
    }

    /**
     * Arms a fault, replacing any other fault at its point.
     *
     * @param process the id of the only affected process, or 0 for all processes of the role
     */
    public void arm(Fault fault, int process) {
        disarm(fault.point());
        var row = row(fault.point());
        INT.set(memory, row + ROLES, fault.role().bit());
        LONG.set(memory, row + SKIP, fault.after());
        LONG.set(memory, row + TIMES, fault.times());
        LONG.set(memory, row + ARGUMENT, fault.argument(0));
        LONG.set(memory, row + ARGUMENT_2, fault.argument(1));
        INT.set(memory, row + PROCESS, process);
        INT.setRelease(memory, row + ACTION, fault.action().number());
    }

    /** Disarms the fault at a point. */
    public void disarm(FaultPoint point) {
        INT.setRelease(memory, row(point) + ACTION, 0);
    }

    /** Disarms all faults and deletes all events. */
    public void clear() {
        for (var point = 0; point < ROWS; point++) {
            INT.setRelease(memory, FIRST_ROW + (long) point * ENTRY_SIZE + ACTION, 0);
        }
        VarHandle.fullFence();
        memory.asSlice(FIRST_ROW).fill((byte) 0);
        LONG.setRelease(memory, NEXT_WORKER, 0L);
        LONG.setRelease(memory, NEXT_EVENT, 0L);
    }

    /**
     * Records that a process has reached a point in a Java class, which only one role can reach. If a fault
     * is to be injected, its event is recorded before this method returns.
     *
     * @return the event of the action to perform, if any
     */
    public Optional<FaultEvent> reach(FaultPoint point, int process) {
        var row = row(point);
        LONG.getAndAdd(memory, row + REACHED, 1L);
        var number = (int) INT.getAcquire(memory, row + ACTION);
        if (number == 0) {
            return Optional.empty(); // the usual case, in which commands must not be slowed down
        }
        var role = point.roles().iterator().next();
        var only = (int) INT.get(memory, row + PROCESS);
        if (((int) INT.get(memory, row + ROLES) & role.bit()) == 0
                || only != 0 && only != process
                || decrement(row + SKIP)
                || !decrementUnlessUnlimited(row + TIMES)) {
            return Optional.empty();
        }
        var event =
                new FaultEvent(System.nanoTime(), point.number(), FaultAction.ofNumber(number), process, role, (long)
                        LONG.get(memory, row + ARGUMENT));
        append(event);
        return Optional.of(event);
    }

    /** Decrements a counter unless it is 0. Returns whether it was decremented. */
    private boolean decrement(long at) {
        var left = (long) LONG.getVolatile(memory, at);
        while (left > 0 && !LONG.compareAndSet(memory, at, left, left - 1)) {
            left = (long) LONG.getVolatile(memory, at);
        }
        return left > 0;
    }

    private boolean decrementUnlessUnlimited(long at) {
        return (long) LONG.getVolatile(memory, at) < 0 || decrement(at);
    }

    private void append(FaultEvent event) {
        var number = (long) LONG.getAndAdd(memory, NEXT_EVENT, 1L);
        if (number < EVENTS) {
            var at = FIRST_EVENT + number * ENTRY_SIZE;
            INT.set(memory, at + EVENT_POINT, event.point());
            INT.set(memory, at + EVENT_ACTION, event.action().number());
            INT.set(memory, at + EVENT_PROCESS, event.process());
            INT.set(memory, at + EVENT_ROLE, event.role().bit());
            LONG.set(memory, at + EVENT_ARGUMENT, event.argument());
            LONG.setRelease(memory, at + EVENT_TIME, event.nanoseconds());
        }
    }

    /** Returns the number of times that processes have reached a point, with or without a fault. */
    public long reached(FaultPoint point) {
        return (long) LONG.getAcquire(memory, row(point) + REACHED);
    }

    /** Returns the number of injected faults, of which the first 4096 are recorded. */
    long eventCount() {
        return (long) LONG.getAcquire(memory, NEXT_EVENT);
    }

    /** Returns the recorded events in order. Excludes incomplete events of processes that were killed. */
    public List<FaultEvent> events() {
        var events = new ArrayList<FaultEvent>();
        var count = Math.min(eventCount(), EVENTS);
        for (var i = 0; i < count; i++) {
            var at = FIRST_EVENT + (long) i * ENTRY_SIZE;
            var nanoseconds = (long) LONG.getAcquire(memory, at + EVENT_TIME);
            if (nanoseconds != 0) { // written last
                events.add(new FaultEvent(
                        nanoseconds,
                        (int) INT.get(memory, at + EVENT_POINT),
                        FaultAction.ofNumber((int) INT.get(memory, at + EVENT_ACTION)),
                        (int) INT.get(memory, at + EVENT_PROCESS),
                        FaultRole.ofBit((int) INT.get(memory, at + EVENT_ROLE)),
                        (long) LONG.get(memory, at + EVENT_ARGUMENT)));
            }
        }
        return events;
    }

    /** Returns the ids of all workers of the run, by their process ids. The processes may have exited. */
    public Map<Long, Long> workers() {
        var workers = new HashMap<Long, Long>();
        var count = Math.min((long) LONG.getAcquire(memory, NEXT_WORKER), WORKERS);
        for (var i = 0; i < count; i++) {
            var at = FIRST_WORKER + (long) i * WORKER_SIZE;
            var process = (long) LONG.getAcquire(memory, at);
            if (process != 0) {
                workers.put(process, (long) LONG.get(memory, at + Long.BYTES));
            }
        }
        return workers;
    }

    @Override
    public void close() {
        arena.close();
    }
}
