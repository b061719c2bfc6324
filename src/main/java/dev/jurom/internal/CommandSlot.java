// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.plugin.Offload;
import dev.jurom.urom.CommandTask;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A native command task of a worker, on its way: taken and filled by the thread that submits,
 * queued, submitted and completed by whichever drives the engine, and given back. Its fields belong
 * to the thread that has it; the queue hands them over. What it is expected to answer can be seen
 * by all, for deadlines.
 */
final class CommandSlot {

    final DrivenWorker worker;
    final CommandTask task;
    final MemorySegment payload;
    final int place; // among the worker's slots

    /** How many bytes of the payload are sent, and to which plugin. */
    long length;
    long plugin;

    /** The one that was queued before. */
    @Nullable CommandSlot next;

    private final AtomicReference<DrivenFuture<Object>> future = new AtomicReference<>();
    private @Nullable Offload<?, ?> offload;

    CommandSlot(DrivenWorker worker, CommandTask task, int place) {
        this.worker = worker;
        this.task = task;
        this.place = place;
        this.payload = task.payload();
    }

    /** Has a future wait for what an offload makes of the answer. */
    @SuppressWarnings("unchecked") // the offload makes what the future is for
    <R> void expect(DrivenFuture<R> answer, Offload<?, ? extends R> kind) {
        offload = kind;
        future.setRelease((DrivenFuture<Object>) answer);
    }

    /** What waits for the answer; null if there is no command. Any thread may look. */
    @Nullable DrivenFuture<?> expected() {
        return future.getAcquire();
    }

    /** Fails the command, and makes this free. */
    void fail(Throwable reason) {
        var waiting = end();
        worker.give(this);
        waiting.completeExceptionally(reason);
    }

    /** Makes this free of a command that nobody waits for. */
    void abandon() {
        end();
        worker.give(this);
    }

    /** Answers the command, which was successful, and makes this free. */
    void answer() {
        var waiting = end();
        Object answer;
        try {
            answer = unpack();
        } catch (RuntimeException | Error e) {
            worker.give(this);
            waiting.completeExceptionally(e);
            return;
        }
        worker.give(this); // first: who hears of the answer may submit at once
        waiting.complete(answer);
    }

    private Object unpack() {
        if (offload == null) {
            throw new IllegalStateException("There was no command for this answer");
        }
        return offload.unpack(task.response());
    }

    private DrivenFuture<Object> end() {
        var waiting = future.getPlain();
        future.setRelease(null);
        return waiting;
    }
}
