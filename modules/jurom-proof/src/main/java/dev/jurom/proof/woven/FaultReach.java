// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultKind;
import dev.jurom.proof.faults.FaultParameter;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.proof.faults.FaultTable.Happening;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What woven classes call when they reach a fault point, each kind its own method; the last argument
 * is the point's number. Any thread may. The first that does opens the table.
 */
public final class FaultReach {

    private static final AtomicLong JUMPED = new AtomicLong(); // nanoseconds
    private static final Map<FaultKind, Set<FaultAction>> ACTIONS = actions();

    private FaultReach() {}

    /** What the points of this JVM need; none of it changes. */
    private static final class Session {

        private static final int NO_TABLE = 78; // EX_CONFIG
        private static final FaultTable TABLE = open();
        private static final FaultRole[] ROLES = FaultPoints.woven().stream()
                .map(point -> point.roles().iterator().next())
                .toArray(FaultRole[]::new);
        private static final int PROCESS = (int) ProcessHandle.current().pid();
        /** Made beforehand: who sees in the table that this process stops may continue it soon. */
        private static final OwnSignals SIGNALS = new OwnSignals();

        /** Ends the JVM if there is no table: at its points nothing would happen. */
        private static FaultTable open() {
            var file = System.getenv(FaultTable.VARIABLE);
            try {
                if (file == null || file.isEmpty()) {
                    throw new IOException("it names no file");
                }
                return FaultTable.open(Path.of(file));
            } catch (IOException e) {
                System.err.println("faults: these classes have fault points, and " + FaultTable.VARIABLE
                        + " must name a table of faults: " + e.getMessage());
                Runtime.getRuntime().halt(NO_TABLE);
                throw new AssertionError("the JVM has ended", e);
            }
        }
    }

    /** A JVM has no crash that leaves nothing behind. */
    private static Map<FaultKind, Set<FaultAction>> actions() {
        var all = new EnumMap<FaultKind, Set<FaultAction>>(FaultKind.class);
        for (var kind : FaultKind.values()) {
            var actions = kind.actions();
            actions.remove(FaultAction.SEGV);
            all.put(kind, actions);
        }
        return all;
    }

    /** Does what any point can; the rest is the caller's. */
    private static Optional<Happening> reach(FaultKind kind, int number) {
        var happening = Session.TABLE.reach(
                number, ACTIONS.get(kind), Session.ROLES[number - FaultPoints.FIRST_WOVEN], Session.PROCESS);
        happening.ifPresent(what -> {
            switch (what.action()) {
                case DELAY -> delay(what.argument());
                case KILL -> Session.SIGNALS.kill();
                case STOP -> Session.SIGNALS.stop();
                default -> {}
            }
        });
        return happening;
    }

    /** Not by parking, which would take what another thread gives this one to go on by. */
    private static void delay(long nanoseconds) {
        var begin = System.nanoTime();
        var interrupted = false;
        for (var left = nanoseconds; left > 0; left = nanoseconds - (System.nanoTime() - begin)) {
            try {
                Thread.sleep(Duration.ofNanos(left));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<Happening> reachOrFail(FaultKind kind, int number) throws IOException {
        var happening = reach(kind, number);
        if (happening.isPresent() && happening.get().action() == FaultAction.FAIL) {
            throw new IOException("it failed with "
                    + FaultParameter.ERRNO.text(happening.get().argument()) + " at the fault point "
                    + name(number));
        }
        return happening;
    }

    private static String name(int number) {
        return FaultPoints.woven().get(number - FaultPoints.FIRST_WOVEN).name();
    }

    /** A step of a protocol. */
    public static void state(int point) {
        reach(FaultKind.STATE, point);
    }

    /** A step of a protocol, with what ends its connection. */
    public static void connection(Runnable abort, int point) {
        reach(FaultKind.CONNECTION, point)
                .filter(what -> what.action() == FaultAction.DROP)
                .ifPresent(what -> abort.run());
    }

    /** A system call. */
    public static void call(int point) throws IOException {
        reachOrFail(FaultKind.CALL, point);
    }

    /** A clock that is about to be read. */
    public static void clock(int point) {
        reach(FaultKind.CLOCK, point).ifPresent(what -> JUMPED.addAndGet(what.argument()));
    }

    /** The clock of all woven classes. */
    public static long nanoTime() {
        return System.nanoTime() + JUMPED.get();
    }

    /** How many of so many bytes are moved: one at least, for none would mean the end. */
    private static int limit(int length, int point) throws IOException {
        return reachOrFail(FaultKind.TRANSFER, point)
                .filter(what -> what.action() == FaultAction.SHORT)
                .map(what -> (int) Math.min(length, Math.max(1, what.argument())))
                .orElse(length);
    }

    /** A read that may come up short. */
    public static int transfer(InputStream input, byte[] bytes, int from, int length, int point) throws IOException {
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
    public static int transfer(WritableByteChannel channel, ByteBuffer bytes, int point) throws IOException {
        var end = bytes.limit();
        bytes.limit(bytes.position() + limit(bytes.remaining(), point));
        try {
            return channel.write(bytes);
        } finally {
            bytes.limit(end);
        }
    }
}
