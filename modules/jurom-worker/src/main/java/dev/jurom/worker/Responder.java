// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;

/**
 * Answers one command, exactly once. Valid during {@link WorkerPlugin#command}, on the worker's
 * thread. All methods throw {@link IllegalStateException} after that call, and those that answer or
 * defer also after an answer or a deferral.
 */
public interface Responder {

    /**
     * Returns the memory for the answer, to be passed to {@link #reply(long)}. Its contents are
     * unspecified. An answer that exceeds the maximum message size of the service fails the command
     * with {@code TOO_BIG}.
     *
     * @return at least 64 KiB, and at least as many bytes as the payload has
     */
    MemorySegment room();

    /**
     * Answers with the first bytes of {@link #room()}.
     *
     * @param length the number of bytes
     * @throws IllegalArgumentException if the room has fewer
     */
    void reply(long length);

    /**
     * Answers with a record.
     *
     * @param <T> the type of the record
     * @param answer the record
     * @param codec the codec that the host unpacks the answer with
     * @throws dev.jurom.plugin.CodecException if the record cannot be packed
     */
    <T> void reply(T answer, Codec<T> codec);

    /**
     * Answers with a failure.
     *
     * @param error the error, not {@link DocaError#SUCCESS}
     * @param why the cause, for the message of the host's exception
     * @throws IllegalArgumentException if the error is {@link DocaError#SUCCESS}
     */
    void fail(DocaError error, String why);

    /**
     * Computes an answer on another thread. The command is deferred, and the worker executes further commands
     * meanwhile.
     *
     * @param <T> the type of the answer
     */
    @FunctionalInterface
    interface Computation<T> {

        /**
         * Computes an answer.
         *
         * @param command a copy of the command, which stays valid. Its {@link Command#isWanted()} is false once the
         *        host has cancelled the command or its deadline has passed, {@link Command#expectDuration} has no
         *        effect, because the worker does not wait, and {@link Command#importMemory} throws
         *        {@link IllegalStateException}
         * @return the answer
         * @throws Exception if the command fails, with an error as for an exception of
         *         {@link WorkerPlugin#command}
         */
        T answer(Command command) throws Exception;
    }

    /**
     * Defers the answer and computes it on another thread, from a copy of the command. If the executor rejects the
     * computation, the command fails with {@code AGAIN}. Does not block, unless the executor does. At most as many
     * computations wait as hosts have commands in flight.
     *
     * @param <T> the type of the answer
     * @param executor runs the computation, which may take as long as the hosts wait; the plugin shuts it down
     * @param computation computes the answer
     * @param codec the codec that the host unpacks the answer with
     */
    <T> void replyFrom(Executor executor, Computation<T> computation, Codec<T> codec);

    /**
     * Defers the answer until after {@link WorkerPlugin#command}.
     *
     * @return answers this command, from any thread. If it becomes unreachable before it has answered, the command
     *         fails with {@code UNEXPECTED} after the next garbage collection
     */
    DeferredResponse defer();

    /**
     * Sets the action that runs if the host cancels the deferred command: its caller has timed out, was interrupted
     * or has cancelled the future. It runs at most once, on the worker's thread between other methods of the plugin,
     * and not after the command has been answered. The command still has to be answered. An exception of the action
     * is logged. On the vendor's DOCA, the action never runs.
     *
     * @param action stops the work, and may answer the command, for example with {@link DocaError#SKIPPED}
     * @throws IllegalStateException if the command has not been deferred
     */
    void onCancel(Runnable action);
}
