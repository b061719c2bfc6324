// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.ping;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Interruption;
import dev.jurom.core.ContextState;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Sends commands that the worker returns unchanged, with one task. Use it only on the engine's
 * thread.
 */
final class Echo {

    /** Returned by {@link #send} if Ctrl-C ended the wait for the answer. */
    static final long INTERRUPTED = -1;
    /** Bytes of the shortest command: its kind and a number. */
    static final int HEAD = 16;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50); // between checks for Ctrl-C

    private static final Duration WARM_UP = Duration.ofMillis(500);
    private static final int WARM_UP_COMMANDS = 1000;
    private static final int WARM_UP_RATIO = 10; // unmeasured commands per measured one

    private final CommandTask task;
    private final ProgressEngine engine;
    private final int size;
    private final Duration timeout;
    private final Interruption interruption;

    Echo(CommandTask task, int size, Duration timeout, Interruption interruption) {
        this.task = task;
        this.engine = task.worker().engine();
        this.size = size;
        this.timeout = timeout;
        this.interruption = interruption;
    }

    /**
     * Sends commands so that the JVM compiles {@link #send}. Blocks for at most half a second.
     *
     * @param measured the number of commands to measure, which bounds the number of these commands
     */
    void warmUp(int measured) {
        var commands = Math.min(WARM_UP_COMMANDS, (long) WARM_UP_RATIO * measured);
        var end = System.nanoTime() + WARM_UP.toNanos();
        for (var i = 0; i < commands && System.nanoTime() - end < 0 && !interruption.isWanted(); i++) {
            send(i);
        }
    }

    /**
     * Sends a command with a number and waits for the answer, which must be the same.
     *
     * @return nanoseconds from before it was packed until after its answer was found
     * @throws CommandFailure if the worker has ended, or the answer is late or wrong
     */
    long send(long number) {
        requireWorker();
        fill(task.payload().asSlice(HEAD, size - HEAD), number);
        var start = System.nanoTime();
        GraphCodec.packLoopback(number, task.payload());
        task.setPayloadLength(size);
        task.submit();
        var inTime = engine.progressUntil(() -> task.isCompleted() || interruption.isWanted(), timeout);
        var nanos = System.nanoTime() - start;
        if (!inTime) {
            throw new CommandFailure(
                    ExitCode.LOST,
                    "Command " + number + " was not answered"
                            + " within " + timeout.toMillis() + " ms: the worker may be stopped;"
                            + " --timeout allows more");
        }
        if (!task.isCompleted()) {
            return INTERRUPTED;
        }
        task.requireSuccess();
        requireSame(number);
        return nanos;
    }

    private void requireWorker() {
        if (task.worker().state() != ContextState.RUNNING) {
            throw new CommandFailure(
                    ExitCode.LOST,
                    task.worker().exit().map(exit -> "The " + exit).orElse("The worker has exited") + "; start again");
        }
    }

    private void requireSame(long number) {
        var response = task.response();
        var same = response.byteSize() == size
                && GraphCodec.loopbackData(response) == number
                && MemorySegment.mismatch(response, HEAD, size, task.payload(), HEAD, size) < 0;
        if (!same) {
            throw new CommandFailure(
                    ExitCode.FOUND_WRONG, "Command " + number + " was answered with other bytes than it had");
        }
    }

    private static void fill(MemorySegment bytes, long number) {
        for (var i = 0L; i < bytes.byteSize(); i++) {
            bytes.set(JAVA_BYTE, i, (byte) (number + i));
        }
    }

    /** Waits until a time of {@link System#nanoTime}, or until Ctrl-C. */
    void pauseUntil(long time) {
        for (var left = time - System.nanoTime();
                left > 0 && !interruption.isWanted();
                left = time - System.nanoTime()) {
            engine.waitForEvent(Duration.ofNanos(Math.min(left, LONGEST_PAUSE.toNanos())));
            engine.progress();
        }
    }
}
