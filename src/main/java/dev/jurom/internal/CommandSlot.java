// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.plugin.Offload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command of a worker that one thread at a time uses, its owner: free, then of the thread that
 * packs and submits, then of the engine thread when that receives the command. The owner is
 * recorded by the very step that takes the slot. While the command has
 * {@linkplain SharedEngine#users users}, only the engine thread may change the owner. Other fields
 * belong to the owner unless they are volatile.
 */
public final class CommandSlot {

    /** In place of a parked thread: the engine thread has received the command. */
    static final Object RECEIVED = new Object();

    /** In place of a parked thread: that thread waits no more. */
    static final Object LEFT = new Object();

    final int index; // among the worker's slots
    final long command; // a struct jurom_command
    final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
    final AtomicReference<@Nullable Object> parked = new AtomicReference<>();
    int takes; // how often it was taken; the owner writes it, a sweep reads it
    volatile @Nullable PendingAnswer<?> pending;
    volatile boolean undelivered; // received, and the executor did not take it
    volatile @Nullable Consumer<CommandSlot> later; // packs and submits a command that was queued
    boolean takenForGood; // the engine thread's own
    int seenTakes; // the engine thread's own, by a sweep
    private final MemorySegment payload;
    private final Arena arena;
    private @Nullable Offload<?, ?> offload;
    private Class<?> type = Void.class; // of the command
    private long plugin;
    private MemorySegment response = MemorySegment.NULL; // the view that was made last

    CommandSlot(int index, long command, Arena arena) {
        this.index = index;
        this.command = command;
        this.arena = arena;
        this.payload = SharedEngine.payload(command, arena);
    }

    /**
     * Returns where a command is packed.
     *
     * @return all of the payload
     */
    public MemorySegment payload() {
        return payload;
    }

    /**
     * Returns whether the last command in this slot was of a kind, so that its plugin is known.
     *
     * @param kind a kind of command
     * @return true if {@link #setKind} need not be called
     */
    public boolean isFor(Offload<?, ?> kind) {
        return offload == kind;
    }

    /**
     * Sets the kind of command.
     *
     * @param kind the kind
     * @param pluginId the id of its plugin
     */
    public void setKind(Offload<?, ?> kind, long pluginId) {
        plugin = pluginId;
        offload = kind;
    }

    /**
     * Prepares the packed command for submission.
     *
     * @param length bytes of the payload that are sent
     * @param packed the command, whose type names it in a failure
     */
    public void prepare(long length, @Nullable Object packed) {
        var packedType = packed == null ? Void.class : packed.getClass();
        if (type != packedType) { // a store would cost a card mark for each command
            type = packedType;
        }
        SharedEngine.prepare(command, plugin, length);
    }

    /**
     * Adds the command of another slot to the batch that ends with this one.
     *
     * @param next the slot
     */
    public void link(CommandSlot next) {
        SharedEngine.link(command, next.command);
    }

    /**
     * Records the command, which is done, if a recording wants it.
     *
     * @param event the event, which has begun
     * @param worker the worker's id
     */
    public void record(CommandEvent event, long worker) {
        event.end();
        if (event.shouldCommit()) {
            event.worker = worker;
            event.plugin = plugin;
            event.payload = SharedEngine.length(command);
            event.response = response().byteSize();
            event.status = error().name();
            event.commit();
        }
    }

    private DocaError error() {
        return DocaError.of(SharedEngine.status(command));
    }

    /**
     * Returns whether the command was successful.
     *
     * @return false if there is a failure
     */
    public boolean isSuccess() {
        return SharedEngine.status(command) == 0;
    }

    /**
     * Returns what the plugin answered.
     *
     * @return a view that is valid until this slot is free again
     */
    public MemorySegment response() {
        var address = SharedEngine.response(command);
        var length = SharedEngine.responseLength(command);
        if (response.address() != address || response.byteSize() != length) {
            response = MemorySegment.ofAddress(address).reinterpret(length, arena, null);
        }
        return response;
    }

    /**
     * Returns how the command ended, with a copy of the response.
     *
     * @return an object that is valid for good
     */
    public CommandEnd end() {
        var answered = response();
        return new CommandEnd(
                error(),
                SharedEngine.isRefused(command),
                offload == null ? "" : offload.plugin(),
                type.getSimpleName(),
                SharedEngine.length(command),
                onHeap(answered.byteSize()).copyFrom(answered));
    }

    /**
     * Returns memory of the heap that is aligned as a payload or a response is.
     *
     * @param bytes its size
     * @return zeros
     */
    public static MemorySegment onHeap(long bytes) {
        var words = Math.toIntExact((bytes + Long.BYTES - 1) / Long.BYTES);
        return MemorySegment.ofArray(new long[words]).asSlice(0, bytes);
    }
}
