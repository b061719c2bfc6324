// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.Codec;
import dev.jurom.plugin.internal.FailureText;
import dev.jurom.worker.DeferredResponse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The answer to one deferred command. */
final class Deferral implements DeferredResponse {

    private static final int ROOM = 1 << 16; // bytes of a packed record

    private final AnswerQueue queue;
    private final long id;
    private final Map<Long, Runnable> cancellations; // actions of unanswered deferrals
    private final AtomicBoolean answered = new AtomicBoolean();

    Deferral(AnswerQueue queue, long id, Map<Long, Runnable> cancellations) {
        this.queue = queue;
        this.id = id;
        this.cancellations = cancellations;
    }

    /** Sets the action for a cancellation. */
    void onCancel(Runnable action) {
        cancellations.put(id, action);
        if (answered.get()) {
            cancellations.remove(id, action);
        }
    }

    @Override
    public void reply(MemorySegment answer) {
        answer(DocaError.SUCCESS, answer.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public <T> void reply(T answer, Codec<T> codec) {
        var bytes = new byte[ROOM];
        var length = codec.pack(answer, MemorySegment.ofArray(bytes));
        answer(DocaError.SUCCESS, bytes, (int) length);
    }

    @Override
    public void fail(DocaError error, String why) {
        answer(Exchange.requireFailure(error), FailureText.encode(why));
    }

    /** Fails the command unless it has been answered. */
    void failUnanswered(DocaError error, String why) {
        if (answered.compareAndSet(false, true)) {
            var bytes = FailureText.encode(why);
            cancellations.remove(id);
            queue.answer(id, error.code(), bytes, bytes.length);
        }
    }

    private void answer(DocaError error, byte[] bytes) {
        answer(error, bytes, bytes.length);
    }

    private void answer(DocaError error, byte[] bytes, int length) {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("The command has been answered: answer each command once");
        }
        cancellations.remove(id); // before the answer, after which another deferral may have the same id
        queue.answer(id, error.code(), bytes, length);
    }
}
