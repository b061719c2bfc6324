// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Codec;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.internal.FailureText;
import dev.jurom.worker.Command;
import dev.jurom.worker.DeferredResponse;
import dev.jurom.worker.ImportedMemory;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The current command of a plugin and its answer. One object serves all commands of a plugin, one
 * after another, so that a command allocates nothing. Confined to the worker's thread.
 */
public final class Exchange implements Command, Responder {

    /** The result of a command that is answered later. */
    public static final long DEFERRED = Long.MIN_VALUE;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private enum State {
        IDLE,
        UNANSWERED,
        ANSWERED
    }

    private final WorkerPlugin plugin;
    private final AnswerQueue queue;
    private final ImportedMemories memories;
    private final Map<Long, Runnable> cancellations = new ConcurrentHashMap<>();
    private MemorySegment input = MemorySegment.NULL;
    private MemorySegment room = MemorySegment.NULL;
    private MemorySegment payload = MemorySegment.NULL; // the view that was made last
    private State state = State.IDLE;
    private long host;
    private long result;
    private @Nullable Deferral deferral; // of the current command

    /**
     * Creates an exchange without memory.
     *
     * @param plugin executes the commands
     * @param queue takes deferred answers
     * @param source opens memory of hosts
     */
    public Exchange(WorkerPlugin plugin, AnswerQueue queue, MemorySource source) {
        this.plugin = plugin;
        this.queue = queue;
        this.memories = new ImportedMemories(source);
    }

    /**
     * Sets the memory of payloads and answers.
     *
     * @param payloads contains the payload of each command at its start; only the current thread may
     *        access it
     * @param answers receives the answer of each command at its start
     */
    public void setMemory(MemorySegment payloads, MemorySegment answers) {
        input = payloads.asReadOnly();
        room = answers;
        payload = input;
    }

    /**
     * Executes a command, whose payload the caller has provided. Throws nothing.
     *
     * @param sender the host
     * @param length the number of bytes of the payload
     * @return the length of the answer, {@link #DEFERRED}, or for a failure the complement of its
     *         error, multiplied by 2^32, plus the length of its text
     */
    public long run(long sender, long length) {
        try {
            host = sender;
            if (payload.byteSize() != length) {
                payload = input.asSlice(0, length);
            }
            state = State.UNANSWERED;
            plugin.command(this, this);
            if (state == State.UNANSWERED) {
                fail(
                        DocaError.UNEXPECTED,
                        plugin.getClass().getName() + " returned without an answer: call reply, fail or defer");
            }
            return result;
        } catch (Throwable e) {
            return failed(e);
        } finally {
            state = State.IDLE;
            deferral = null; // it may be collected
        }
    }

    /**
     * Reports to the plugin that a host has disconnected, and closes the memory of the host.
     *
     * @param departed the host
     */
    public void hostLeft(long departed) {
        try {
            plugin.hostLeft(departed);
        } finally {
            memories.close(host -> host == departed);
        }
    }

    /**
     * Runs the action that the plugin has set for the cancellation of a deferred command, if it is unanswered.
     *
     * @param deferred the number of the deferral
     */
    public void cancel(long deferred) {
        var action = cancellations.remove(deferred);
        if (action != null) {
            action.run();
        }
    }

    /** Closes the plugin, and the memory of all hosts. */
    public void close() {
        try {
            plugin.close();
        } finally {
            memories.close(host -> true);
        }
    }

    private long failed(Throwable cause) {
        try {
            var error = error(cause);
            var text = text(cause);
            Failures.log(plugin, cause);
            if (deferral != null) {
                deferral.failUnanswered(error, text);
                return DEFERRED;
            }
            state = State.UNANSWERED;
            fail(error, text);
            return result;
        } catch (Throwable e) { // such as no memory for the text
            return failure(error(cause), 0);
        }
    }

    private static String text(Throwable cause) {
        return cause instanceof CodecException ? String.valueOf(cause.getMessage()) : cause.toString();
    }

    private static DocaError error(Throwable cause) {
        return switch (cause) {
            case CodecException e -> DocaError.INVALID_VALUE;
            case DocaException e -> e.error();
            case OutOfMemoryError e -> DocaError.NO_MEMORY;
            default -> DocaError.UNEXPECTED;
        };
    }

    private static long failure(DocaError error, long length) {
        return ~((long) error.code() << 32 | length);
    }

    @Override
    public MemorySegment payload() {
        requireCurrent();
        return payload;
    }

    @Override
    public long host() {
        requireCurrent();
        return host;
    }

    @Override
    public <T> T read(Codec<T> codec) {
        return codec.unpack(payload());
    }

    @Override
    public void expectDuration(Duration duration) {
        requireCurrent();
        var seconds = requireDuration(duration).plusNanos(NANOS_PER_SECOND - 1).toSeconds();
        queue.busy((int) Math.min(seconds, Integer.MAX_VALUE));
    }

    /** Requires that a duration is not negative, and returns it. */
    static Duration requireDuration(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "The duration of a command is " + duration + ": it must not be negative");
        }
        return duration;
    }

    @Override
    public ImportedMemory importMemory(MemorySegment export) {
        return memories.open(host(), export.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public MemorySegment room() {
        requireCurrent();
        return room;
    }

    @Override
    public void reply(long length) {
        requireUnanswered();
        if (length < 0 || length > room.byteSize()) {
            throw new IllegalArgumentException(
                    "An answer of " + length + " bytes does not fit into the " + room.byteSize() + " of the room");
        }
        answer(length);
    }

    @Override
    public <T> void reply(T answer, Codec<T> codec) {
        requireUnanswered();
        answer(codec.pack(answer, room));
    }

    @Override
    public void fail(DocaError error, String why) {
        requireUnanswered();
        requireFailure(error);
        var text = FailureText.encode(why);
        MemorySegment.copy(MemorySegment.ofArray(text), 0, room, 0, text.length);
        answer(failure(error, text.length));
    }

    @Override
    public <T> void replyFrom(Executor executor, Computation<T> computation, Codec<T> codec) {
        requireUnanswered();
        Objects.requireNonNull(computation);
        Objects.requireNonNull(codec);
        var copy = new CopiedCommand(payload.toArray(ValueLayout.JAVA_BYTE), host, deadline());
        var deferred = deferUnanswered();
        deferred.onCancel(copy::cancel);
        try {
            executor.execute(() -> reply(deferred, copy, computation, codec));
        } catch (RejectedExecutionException e) {
            deferred.failUnanswered(DocaError.AGAIN, "The executor of the plugin has rejected the command: " + e);
        }
    }

    private <T> void reply(Deferral deferred, CopiedCommand copy, Computation<T> computation, Codec<T> codec) {
        try {
            deferred.reply(computation.answer(copy), codec);
        } catch (Throwable e) { // other languages throw checked exceptions here
            Failures.log(plugin, e);
            deferred.failUnanswered(error(e), text(e));
        }
    }

    @Override
    public DeferredResponse defer() {
        return deferUnanswered();
    }

    private Deferral deferUnanswered() {
        requireUnanswered();
        var id = queue.defer();
        if (id == 0) {
            throw new OutOfMemoryError("no memory for a deferred answer");
        }
        var deferred = new Deferral(queue, id, cancellations);
        deferral = deferred;
        answer(DEFERRED);
        return deferred;
    }

    @Override
    public void onCancel(Runnable action) {
        requireCurrent();
        if (deferral == null) {
            throw new IllegalStateException("Only a deferred command can be cancelled: call defer first");
        }
        deferral.onCancel(action);
    }

    @Override
    public boolean isWanted() {
        requireCurrent();
        return queue.isWanted();
    }

    @Override
    public Optional<Instant> deadline() {
        requireCurrent();
        var deadline = queue.deadline();
        return deadline == 0 ? Optional.empty() : Optional.of(Instant.now().plusNanos(deadline - System.nanoTime()));
    }

    private void answer(long encoded) {
        result = encoded;
        state = State.ANSWERED;
    }

    private void requireCurrent() {
        if (state == State.IDLE) {
            throw new IllegalStateException(
                    "The call of command has returned: copy the data that is needed later, and use"
                            + " defer to answer later");
        }
    }

    private void requireUnanswered() {
        requireCurrent();
        if (state == State.ANSWERED) {
            throw new IllegalStateException("The command has been answered or deferred: answer each command once");
        }
    }

    /** Requires that an error is not SUCCESS, and returns it. */
    static DocaError requireFailure(DocaError error) {
        if (error.isSuccess()) {
            throw new IllegalArgumentException("A failure cannot have the status SUCCESS: use reply");
        }
        return error;
    }
}
