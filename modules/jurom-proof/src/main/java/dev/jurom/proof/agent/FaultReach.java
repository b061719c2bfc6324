// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.agent;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultParameter;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.faults.FaultTable.Happening;
import dev.jurom.proof.faults.FaultTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What woven classes call when they reach a fault point, each kind its own method; the last argument
 * is the point's number. Any thread may. Before {@link #begin} nothing happens.
 */
public final class FaultReach {

    /** What the points of a JVM need; none of it changes. */
    private record Session(FaultTable table, Map<Integer, FaultPoint> points, int process,
            OwnSignals signals) {
    }

    private static final AtomicLong JUMPED = new AtomicLong(); // nanoseconds
    private static volatile Session session;

    private FaultReach() {
    }

    /** From now on what a table says happens at points. */
    static void begin(FaultTable table, List<FaultPoint> points) {
        var numbered = new HashMap<Integer, FaultPoint>();
        points.forEach(point -> numbered.put(point.number(), point));
        session = new Session(table, Map.copyOf(numbered), (int) ProcessHandle.current().pid(),
                new OwnSignals());
    }

    /** Does what any point can; the rest is the caller's. */
    private static Optional<Happening> reach(int number) {
        var current = session;
        if (current == null) {
            return Optional.empty();
        }
        var point = current.points.get(number);
        var happening = current.table.reach(number, point.actions(), FaultRole.DAEMON,
                current.process);
        happening.ifPresent(what -> {
            switch (what.action()) {
                case DELAY -> delay(what.argument());
                case KILL -> current.signals.kill();
                case STOP -> current.signals.stop();
                default -> { }
            }
        });
        return happening;
    }

    private static void delay(long nanoseconds) {
        var begin = System.nanoTime();
        for (var left = nanoseconds; left > 0; left = nanoseconds - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(left);
        }
    }

    private static Optional<Happening> reachOrFail(int number) throws IOException {
        var happening = reach(number);
        if (happening.isPresent() && happening.get().action() == FaultAction.FAIL) {
            throw new IOException("it failed with "
                    + FaultParameter.ERRNO.text(happening.get().argument()) + " at the fault point "
                    + session.points.get(number));
        }
        return happening;
    }

    /** A step of a protocol. */
    public static void state(int point) {
        reach(point);
    }

    /** A step of a protocol, with what ends its connection. */
    public static void connection(Runnable abort, int point) {
        reach(point).filter(what -> what.action() == FaultAction.DROP)
                .ifPresent(what -> abort.run());
    }

    /** A system call. */
    public static void call(int point) throws IOException {
        reachOrFail(point);
    }

    /** A clock that is about to be read. */
    public static void clock(int point) {
        reach(point).ifPresent(what -> JUMPED.addAndGet(what.argument()));
    }

    /** The clock of all woven classes. */
    public static long nanoTime() {
        return System.nanoTime() + JUMPED.get();
    }

    /** How many of so many bytes are moved: one at least, for none would mean the end. */
    private static int limit(int length, int point) throws IOException {
        return reachOrFail(point).filter(what -> what.action() == FaultAction.SHORT)
                .map(what -> (int) Math.min(length, Math.max(1, what.argument()))).orElse(length);
    }

    /** A read that may come up short. */
    public static int transfer(InputStream input, byte[] bytes, int from, int length, int point)
            throws IOException {
        return input.read(bytes, from, limit(length, point));
    }

    /** A write of all: when it comes up short, the rest follows by itself. */
    public static void transfer(OutputStream output, byte[] bytes, int point) throws IOException {
        var first = limit(bytes.length, point);
        output.write(bytes, 0, first);
        if (first < bytes.length) {
            output.flush();
            output.write(bytes, first, bytes.length - first);
        }
    }

    /** A write that may come up short. */
    public static int transfer(WritableByteChannel channel, ByteBuffer bytes, int point)
            throws IOException {
        var end = bytes.limit();
        bytes.limit(bytes.position() + limit(bytes.remaining(), point));
        try {
            return channel.write(bytes);
        } finally {
            bytes.limit(end);
        }
    }
}
