// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;

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
     * Defers the answer until after {@link WorkerPlugin#command}.
     *
     * @return answers this command, from any thread
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
