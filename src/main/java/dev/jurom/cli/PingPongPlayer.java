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
 * One side of a game of ping-pong between two workers of a domain. The side of rank 0 serves; the
 * other returns what it has received. Both know what it must be.
 */
final class PingPongPlayer implements AutoCloseable {

    private static final long LONGEST_ROUND_TRIP_NS = 600_000_000_000L;

    private final SandboxPlugin sandbox;
    private final int rank;
    private final MemorySegment text; // as it is to be sent, and to arrive
    private final MemorySegment room; // where it arrives; null: with the notification
    private final long sendHandle; // 0: inline
    private final long receiveHandle;
    private final CommandTask send;
    private final CommandTask receive;

    private PingPongPlayer(SandboxPlugin sandbox, int rank, MemorySegment text, MemorySegment room,
            long sendHandle, long receiveHandle) {
        this.sandbox = sandbox;
        this.rank = rank;
        this.text = text;
        this.room = room;
        this.sendHandle = sendHandle;
        this.receiveHandle = receiveHandle;
        this.send = sandbox.task();
        this.receive = sandbox.task();
    }

    /** A player whose messages travel in commands and notifications. */
    static PingPongPlayer inline(SandboxPlugin sandbox, int rank, MemorySegment text) {
        return new PingPongPlayer(sandbox, rank, text, null, 0, 0);
    }

    /** A player whose worker reads the message from one region and writes it to another. */
    static PingPongPlayer mapped(SandboxPlugin sandbox, int rank, HostRegion sent,
            HostRegion received, Duration timeout) {
        return new PingPongPlayer(sandbox, rank, sent.memory(), received.memory(),
                sandbox.map(sent, timeout), sandbox.map(received, timeout));
    }

    /** Plays; gives the times of the round trips in nanoseconds if this is rank 0. */
    Histogram play(int rounds, Duration timeout) {
        var times = new Histogram(LONGEST_ROUND_TRIP_NS, 3);
        for (var round = 0; round < rounds; round++) {
            var start = System.nanoTime();
            beginReceive(round);
            if (rank == 0) {
                beginSend(round);
                await(send, timeout);
                await(receive, timeout);
                times.recordValue(System.nanoTime() - start);
                check(round);
            } else {
                await(receive, timeout);
                check(round);
                beginSend(round);
                await(send, timeout);
            }
        }
        return times;
    }

    /** Each round has a tag of its own in each direction: what is late would not go unnoticed. */
    private static long tag(int round, int from) {
        return (long) round << 1 | from;
    }

    private void beginReceive(int round) {
        var tag = tag(round, 1 - rank);
        if (room == null) {
            sandbox.fillReceive(receive, tag, SandboxPlugin.WHOLE_TAG, text.byteSize());
        } else {
            room.fill((byte) 0);
            sandbox.fillReceive(receive, tag, SandboxPlugin.WHOLE_TAG, room, receiveHandle);
        }
        receive.submit();
    }

    private void beginSend(int round) {
        var tag = tag(round, rank);
        if (sendHandle == 0) {
            sandbox.fillSend(send, 1 - rank, tag, text);
        } else {
            sandbox.fillSend(send, 1 - rank, tag, text, sendHandle);
        }
        send.submit();
    }

    private void await(CommandTask task, Duration timeout) {
        if (!sandbox.worker().engine().progressUntil(task::isCompleted, timeout)) {
            throw new DocaException(DocaError.TIME_OUT, "doca_task_submit", task.toString(),
                    "The other rank was silent for " + timeout + ".");
        }
        SandboxPlugin.answer(task);
    }

    private void check(int round) {
        var received = (Received) SandboxPlugin.answer(receive);
        var arrived = room == null ? received.payload() : room.asSlice(0, received.count());
        var wrong = arrived.mismatch(text);
        if (wrong >= 0) {
            throw new IllegalStateException("Rank " + rank + " received " + received.count()
                    + " bytes in round " + round + " that differ from the message of "
                    + text.byteSize() + " bytes at byte " + wrong + (wrong < arrived.byteSize()
                    ? ": it is " + arrived.get(ValueLayout.JAVA_BYTE, wrong) : "")
                    + ". Start both ranks with the same message and size");
        }
    }

    @Override
    public void close() {
        for (var task : new CommandTask[] {send, receive}) {
            if (task.isInFlight()) {
                task.onCompletion(CommandTask::close);
            } else {
                task.close();
            }
        }
    }
}
