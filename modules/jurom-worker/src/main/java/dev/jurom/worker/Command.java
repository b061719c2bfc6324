// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;

/**
 * A command that a host has sent. Valid during {@link WorkerPlugin#command}, on the worker's thread.
 */
public interface Command {

    /**
     * Returns the bytes of the command, which an untrusted host has chosen.
     *
     * @return a read-only view of the worker's memory; after the call of {@link WorkerPlugin#command},
     *         the same memory contains another command. Other threads cannot access it
     * @throws IllegalStateException after that call
     */
    MemorySegment payload();

    /**
     * Returns the host that has sent the command.
     *
     * @return a number that no other host of this worker has or had
     * @throws IllegalStateException after the call of {@link WorkerPlugin#command}
     */
    long host();

    /**
     * Unpacks the command. Inline parts of the result are views of the payload.
     *
     * @param <T> the type of the record
     * @param codec the codec that the host has packed the command with
     * @return the record
     * @throws dev.jurom.plugin.CodecException if the payload is not a message of the codec
     * @throws IllegalStateException after the call of {@link WorkerPlugin#command}
     */
    <T> T read(Codec<T> codec);
}
