// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.Codec;
import dev.jurom.plugin.internal.FailureText;
import dev.jurom.worker.DeferredResponse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The answer to one deferred command. */
final class Deferral implements DeferredResponse {

    private static final int ROOM = 1 << 16; // bytes of a packed record
    private static final Cleaner CLEANER = Cleaner.create(
            Thread.ofPlatform().inheritInheritableThreadLocals(false).daemon().name("jurom-deferred")::unstarted);

    /**
     * The command without its answer, to which a {@link Deferral} that is collected leads no longer.
     *
     * @param cancellations the actions of unanswered deferrals
     */
    private record Unanswered(AnswerQueue queue, long id, Map<Long, Runnable> cancellations, AtomicBoolean answered)
            implements Runnable {

        /** Answers unless the command has been answered. */
        boolean answer(DocaError error, byte[] bytes, int length) {
            if (!answered.compareAndSet(false, true)) {
                return false;
            }
            cancellations.remove(id); // before the answer, after which another deferral may have the same id
            queue.answer(id, error.code(), bytes, length);
            return true;
        }

        void fail(DocaError error, String why) {
            var bytes = FailureText.encode(why);
            answer(error, bytes, bytes.length);
        }

        @Override
        public void run() {
            if (!answered.get()) {
                fail(
                        DocaError.UNEXPECTED,
                        "The plugin has discarded a deferred response without an answer: keep it until reply or fail");
            }
        }
    }

    private final Unanswered command;
    private final Cleaner.Cleanable whenCollected;

    Deferral(AnswerQueue queue, long id, Map<Long, Runnable> cancellations) {
        command = new Unanswered(queue, id, cancellations, new AtomicBoolean());
        whenCollected = CLEANER.register(this, command);
    }

    /** Sets the action for a cancellation. */
    void onCancel(Runnable action) {
        command.cancellations.put(command.id, action);
        if (command.answered.get()) {
            command.cancellations.remove(command.id, action);
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
        command.fail(error, why);
        whenCollected.clean();
    }

    private void answer(DocaError error, byte[] bytes) {
        answer(error, bytes, bytes.length);
    }

    private void answer(DocaError error, byte[] bytes, int length) {
        if (!command.answer(error, bytes, length)) {
            throw new IllegalStateException("The command has been answered: answer each command once");
        }
        whenCollected.clean();
    }
}
