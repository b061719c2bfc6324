// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.plugin.Codec;
import dev.jurom.worker.Command;
import dev.jurom.worker.ImportedMemory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A command that stays valid, for a computation on another thread. Thread-safe. */
final class CopiedCommand implements Command {

    private final MemorySegment payload;
    private final long host;
    private final Optional<Instant> deadline;
    private volatile boolean cancelled;

    CopiedCommand(byte[] payload, long host, Optional<Instant> deadline) {
        this.payload = MemorySegment.ofArray(payload).asReadOnly();
        this.host = host;
        this.deadline = deadline;
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public MemorySegment payload() {
        return payload;
    }

    @Override
    public long host() {
        return host;
    }

    @Override
    public <T> T read(Codec<T> codec) {
        return codec.unpack(payload);
    }

    @Override
    public void expectDuration(Duration duration) {
        Exchange.requireDuration(duration); // the worker does not wait for the computation
    }

    @Override
    public boolean isWanted() {
        return !cancelled && deadline.map(Instant.now()::isBefore).orElse(true);
    }

    @Override
    public Optional<Instant> deadline() {
        return deadline;
    }

    @Override
    public ImportedMemory importMemory(MemorySegment export) {
        throw new IllegalStateException(
                "A computation on another thread cannot import memory: import it in the method command, before"
                        + " replyFrom");
    }
}
