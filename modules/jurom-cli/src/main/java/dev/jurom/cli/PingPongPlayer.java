// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.CommandTask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * One rank of the ping-pong between two workers of a domain. Rank 0 sends first, and rank 1 sends
 * back the bytes that it received. Both ranks check them against the expected message.
 */
final class PingPongPlayer implements AutoCloseable {

    private static final long LONGEST_ROUND_TRIP_NS = 600_000_000_000L;

    private final SandboxPlugin sandbox;
    private final int rank;
    private final MemorySegment message; // the longest message; shorter ones are prefixes of it
    private final MemorySegment room; // receives messages that are not part of the notification
    private final long sendHandle;
    private final long receiveHandle;
    private final Duration timeout;
    private final CommandTask send;
    private final CommandTask receive;
    private long round;

    /** Gives the worker access to the region of the message and to the region that receives it. */
    PingPongPlayer(SandboxPlugin sandbox, int rank, HostRegion sent, HostRegion received, Duration timeout) {
        this.sandbox = sandbox;
        this.rank = rank;
        this.message = sent.memory();
        this.room = received.memory();
        this.sendHandle = sandbox.map(sent, timeout);
        this.receiveHandle = sandbox.map(received, timeout);
        this.timeout = timeout;
        this.send = sandbox.task();
        this.receive = sandbox.task();
    }

    /** Runs some rounds; returns the times of the round trips in nanoseconds if this is rank 0. */
    Histogram play(int size, boolean inline, int rounds) {
        var text = message.asSlice(0, size);
        var times = new Histogram(LONGEST_ROUND_TRIP_NS, 3);
        for (var i = 0; i < rounds; i++, round++) {
            var start = System.nanoTime();
            beginReceive(size, inline);
            if (rank == 0) {
                beginSend(text, inline);
                await(send);
                await(receive);
                times.recordValue(System.nanoTime() - start);
                check(text, inline);
            } else {
                await(receive);
                check(text, inline);
                beginSend(text, inline);
                await(send);
            }
        }
        return times;
    }

    /**
     * Returns the tag of the current round and direction; tags are unique so that a late message is
     * detected.
     */
    private long tag(int from) {
        return round << 1 | from;
    }

    private void beginReceive(int size, boolean inline) {
        if (inline) {
            sandbox.fillReceive(receive, tag(1 - rank), SandboxPlugin.WHOLE_TAG, size);
        } else {
            room.fill((byte) 0);
            sandbox.fillReceive(receive, tag(1 - rank), SandboxPlugin.WHOLE_TAG, room.asSlice(0, size), receiveHandle);
        }
        receive.submit();
    }

    private void beginSend(MemorySegment text, boolean inline) {
        if (inline) {
            sandbox.fillSend(send, 1 - rank, tag(rank), text);
        } else {
            sandbox.fillSend(send, 1 - rank, tag(rank), text, sendHandle);
        }
        send.submit();
    }

    private void await(CommandTask task) {
        if (!sandbox.worker().engine().progressUntil(task::isCompleted, timeout)) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    "doca_task_submit",
                    task.toString(),
                    "The other rank was silent for " + timeout + ".");
        }
        SandboxPlugin.answer(task);
    }

    private void check(MemorySegment text, boolean inline) {
        var received = (Received) SandboxPlugin.answer(receive);
        var arrived = inline ? received.payload() : room.asSlice(0, received.count());
        var wrong = arrived.mismatch(text);
        if (wrong >= 0) {
            throw new IllegalStateException("Rank " + rank + " received " + received.count()
                    + " bytes in round " + round + " that differ from the message of "
                    + text.byteSize() + " bytes at byte " + wrong
                    + (wrong < arrived.byteSize() ? ": it is " + arrived.get(ValueLayout.JAVA_BYTE, wrong) : ""));
        }
    }

    @Override
    public void close() {
        send.close();
        receive.close();
    }
}
