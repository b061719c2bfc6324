// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultParameter;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.service.connections.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The methods that woven classes call at fault points, one for each kind of point. The last argument is the
 * number of the point. The first call opens the fault table. This class is thread-safe.
 */
public final class FaultHooks {

    private static final int NO_TABLE = 78; // EX_CONFIG
    private static final int SIGKILL = 9;
    private static final int SIGSTOP = 19;
    private static final AtomicLong JUMPED = new AtomicLong(); // nanoseconds

    private FaultHooks() {}

    /** The state that is initialized once per JVM. */
    private static final class Session {

        private static final FaultTable TABLE = open();
        private static final int PROCESS = (int) ProcessHandle.current().pid();
        /** {@code raise(3)}, which is required because the JDK cannot send a signal to its own process. */
        private static final MethodHandle RAISE = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().find("raise").orElseThrow(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        static {
            // The first call takes milliseconds. It must not delay a STOP, since SIGCONT may follow the event soon.
            raise(0);
        }

        /** Opens the table. Exits the JVM if this fails, since no fault could be injected. */
        private static FaultTable open() {
            try {
                return FaultTable.open(Path.of(System.getenv().getOrDefault(FaultTable.VARIABLE, "")));
            } catch (IOException e) {
                System.err.println("faults: cannot open the fault table named by " + FaultTable.VARIABLE
                        + ", which classes with fault points require: " + e.getMessage());
                Runtime.getRuntime().halt(NO_TABLE);
                throw new AssertionError("the JVM has exited", e);
            }
        }

        private static void raise(int signal) {
            try {
                if ((int) RAISE.invokeExact(signal) != 0) {
                    throw new IllegalStateException("raise(3) failed for signal " + signal);
                }
            } catch (Throwable e) {
                throw new IllegalStateException("cannot call raise(3)", e);
            }
        }
    }

    private static FaultPoint point(int number) {
        return FaultPoints.woven().get(number - FaultPoints.FIRST_WOVEN);
    }

    /** Performs an action that all kinds of points support. The caller performs other actions. */
    private static Optional<FaultEvent> reach(int number) {
        var event = Session.TABLE.reach(point(number), Session.PROCESS);
        event.ifPresent(injected -> {
            switch (injected.action()) {
                case DELAY -> delay(injected.argument());
                case KILL -> Session.raise(SIGKILL);
                case STOP -> Session.raise(SIGSTOP);
                default -> {}
            }
        });
        return event;
    }

    /**
     * Delays the current thread. Sleeps instead of parking, which could consume an unpark permit of the woven
     * code. Not interruptible: the interrupt status is preserved.
     */
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

    private static Optional<FaultEvent> reachOrFail(int number) throws IOException {
        var event = reach(number);
        if (event.isPresent() && event.get().action() == FaultAction.FAIL) {
            throw new IOException("failed with "
                    + FaultParameter.ERRNO.text(event.get().argument()) + " at the fault point " + point(number));
        }
        return event;
    }

    /** Reaches a step of a protocol. */
    public static void state(int point) {
        reach(point);
    }

    /** Reaches a step of a protocol with a connection. */
    public static void connection(Connection connection, int point) {
        reach(point)
                .filter(injected -> injected.action() == FaultAction.DROP)
                .ifPresent(injected -> connection.abort());
    }

    /**
     * Reaches a system call.
     *
     * @throws IOException if the call fails
     */
    public static void call(int point) throws IOException {
        reachOrFail(point);
    }

    /** Reaches a reading of the clock. */
    public static void clock(int point) {
        reach(point).ifPresent(injected -> JUMPED.addAndGet(injected.argument()));
    }

    /** Returns the time of the clock of all woven classes, including injected jumps. */
    public static long nanoTime() {
        return System.nanoTime() + JUMPED.get();
    }

    /** Returns the number of bytes to transfer, at least one, since zero would mean end of stream. */
    private static int limit(int length, int point) throws IOException {
        return reachOrFail(point)
                .filter(injected -> injected.action() == FaultAction.SHORT)
                .map(injected -> (int) Math.min(length, Math.max(1, injected.argument())))
                .orElse(length);
    }

    /** Reads bytes, possibly fewer than requested. */
    public static int transfer(InputStream input, byte[] bytes, int from, int length, int point) throws IOException {
        return input.read(bytes, from, limit(length, point));
    }

    /** Writes all bytes, possibly in two parts. */
    public static void transfer(OutputStream output, byte[] bytes, int point) throws IOException {
        var first = limit(bytes.length, point);
        output.write(bytes, 0, first);
        if (first < bytes.length) {
            output.flush();
            output.write(bytes, first, bytes.length - first);
        }
    }

    /** Writes bytes, possibly fewer than requested. */
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
