// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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

    /**
     * Announces that the call of {@link WorkerPlugin#command} may take up to this long from now. Without
     * it, the service kills the worker if the call takes longer than its {@code --hang-timeout}, by default
     * 60 seconds, because it cannot tell a long command from an endless loop. The service limits the time
     * by its {@code --busy-timeout}, by default one hour.
     *
     * @param duration the time from now, rounded up to seconds; zero revokes an announcement
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException after the call of {@link WorkerPlugin#command}
     */
    void expectDuration(Duration duration);

    /**
     * Returns whether the host still waits for the answer. A plugin that computes for long calls this method between
     * parts, and then fails the command, for example with {@link dev.jurom.core.DocaError#SKIPPED}.
     *
     * @return false once the host has cancelled the command or the deadline has passed. Of a host on another machine, a
     *         cancellation is not detected during the call of {@link WorkerPlugin#command}, but the deadline is. The
     *         end of a host is not detected during the call. On the vendor's DOCA always true
     * @throws IllegalStateException after that call
     */
    boolean isWanted();

    /**
     * Returns when the host stops waiting for the answer. The worker does not start a command whose deadline has
     * passed.
     *
     * @return the time, by the clock of the worker's machine; empty if the host has set no timeout for this command,
     *         and on the vendor's DOCA
     * @throws IllegalStateException after the call of {@link WorkerPlugin#command}
     */
    Optional<Instant> deadline();

    /**
     * Opens memory that the host has exported with {@link dev.jurom.core.MemoryMap#exportPci}, to read and
     * write it during this command and later.
     *
     * @param export the bytes of the export, from the command
     * @return the memory, which the plugin closes; it is also closed when the host disconnects
     * @throws dev.jurom.core.DocaException with {@code INVALID_VALUE} if the bytes are not an export,
     *         {@code NOT_FOUND} if the host has stopped the memory map, {@code NOT_PERMITTED} if the kernel
     *         denies the access
     * @throws IllegalStateException after the call of {@link WorkerPlugin#command}
     */
    ImportedMemory importMemory(MemorySegment export);
}
