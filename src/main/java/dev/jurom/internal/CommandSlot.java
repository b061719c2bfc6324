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

    /** Why the library did not take the command; null if it did. */
    @Nullable RuntimeException refusal;

    /** For who blocks until the answer comes. */
    final CallReply callReply;

    private final AtomicReference<Reply> reply = new AtomicReference<>();
    private @Nullable Offload<?, ?> offload;

    CommandSlot(DrivenWorker worker, EngineDriver driver, CommandTask task, int place) {
        this.worker = worker;
        this.task = task;
        this.place = place;
        this.payload = task.payload();
        this.callReply = new CallReply(driver);
    }

    /** Whether the last command was of that kind, too: then it knows its plugin. */
    boolean isFor(Offload<?, ?> kind) {
        return offload == kind;
    }

    /** Sets the kind of command, and the plugin that it goes to. */
    void setKind(Offload<?, ?> kind, long pluginId) {
        offload = kind;
        plugin = pluginId;
    }

    /** Has somebody wait for what the offload makes of the answer. */
    void expect(Reply waiting) {
        reply.setRelease(waiting);
    }

    /** What waits for the answer; null if there is no command. Any thread may look. */
    @Nullable Reply expected() {
        return reply.getAcquire();
    }

    /** Fails the command, and makes this free. */
    void fail(Throwable reason) {
        settle(null, reason);
    }

    /** Makes this free of a command that nobody waits for. */
    void abandon() {
        var waiting = reply.getPlain();
        reply.setRelease(null);
        if (waiting != callReply || callReply.leave()) {
            worker.give(this);
        }
    }

    /** Answers the command, which was successful, and makes this free. */
    void answer() {
        Object answer;
        try {
            answer = unpack();
        } catch (Throwable e) { // other languages throw what is checked here
            settle(null, e);
            return;
        }
        settle(answer, null);
    }

    private @Nullable Object unpack() {
        if (offload == null) {
            throw new IllegalStateException("There was no command for this answer");
        }
        return offload.unpack(task.response());
    }

    @SuppressWarnings("unchecked") // the offload makes what the future is for
    private void settle(@Nullable Object answer, @Nullable Throwable reason) {
        var waiting = reply.getPlain();
        reply.setRelease(null);
        if (waiting == callReply) {
            if (!callReply.settle(answer, reason)) {
                worker.give(this); // the caller has left
            }
            return;
        }
        worker.give(this); // first: who hears of the answer may submit at once
        var future = (DrivenFuture<Object>) waiting;
        if (reason == null) {
            future.complete(answer);
        } else {
            future.completeExceptionally(reason);
        }
    }
}
