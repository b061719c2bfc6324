// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;

/**
 * Answers one deferred command, exactly once: a second answer throws {@link IllegalStateException}.
 * An answer is dropped if its host has disconnected or the worker ends.
 *
 * <p>Instances are thread-safe, also for virtual threads. No method blocks.
 */
public interface DeferredResponse {

    /**
     * Answers with bytes.
     *
     * @param answer the bytes, which are copied
     */
    void reply(MemorySegment answer);

    /**
     * Answers with a record. If it cannot be packed, the command is still unanswered.
     *
     * @param <T> the type of the record
     * @param answer the record
     * @param codec the codec that the host unpacks the answer with
     * @throws dev.jurom.plugin.CodecException if the record cannot be packed into 64 KiB
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
}
