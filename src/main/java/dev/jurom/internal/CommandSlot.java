// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.SlotStates.NONE;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.plugin.Offload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A command of a worker, which one thread uses at a time: the thread with its ticket ({@link SlotStates}), or
 * the engine thread when it receives the command. Fields belong to that thread unless they are volatile.
 */
public final class CommandSlot implements Receiver.Response, Receiver.Sent {

    /** Commands that the engine thread receives. */
    interface LeftCommands {

        /** Cancels the command of a slot if its use, of which this is a state, is not over. */
        void cancel(long command, long state);

        /** Awaits the command of a slot: {@link Sent#await}. */
        boolean await(CommandSlot slot, long state, long nanoseconds, boolean maySleep);
    }

    final long command; // a struct jurom_command
    volatile @Nullable Receiver receiver; // null if a thread waits for the response in C

    @Nullable
    Thread owner; // recorded after the slot was taken, cleared before it is released

    volatile long lost = NONE; // the ticket whose release has failed
    long undelivered = NONE; // confined to the engine thread: the ticket whose receiver is called again
    private final MemorySegment payload;
    private final LeftCommands left;
    private final Arena arena;
    private @Nullable Offload<?, ?> offload;
    private Class<?> type = Void.class; // the type of the command
    private long plugin;
    private MemorySegment response = MemorySegment.NULL; // the view that was made last

    CommandSlot(long command, Arena arena, LeftCommands left) {
        this.command = command;
        this.left = left;
        this.arena = arena;
        this.payload = SharedEngine.payload(command, arena);
    }

    /**
     * Returns the memory in which a command is packed.
     *
     * @return the whole payload
     */
    public MemorySegment payload() {
        return payload;
    }

    /**
     * Returns whether the last command in this slot was of a kind, so that the id of its plugin is set.
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
     * @param length the number of bytes of the payload that are sent
     * @param packed the type of the command, which names it in a failure
     */
    public void prepare(long length, Class<?> packed) {
        if (type != packed) { // a store would cost a card mark for each command
            type = packed;
        }
        SharedEngine.prepare(command, plugin, length);
    }

    /** Limits the time in which the worker may start the prepared command. No effect if there is no deadline. */
    void setDeadline(@Nullable Deadline deadline) {
        if (deadline != null) {
            setTimeout(deadline.remaining());
        }
    }

    /** Limits the time in which the worker may start the prepared command, in nanoseconds. */
    void setTimeout(long nanoseconds) {
        SharedEngine.setTimeout(command, Math.max(1, nanoseconds)); // 0 would be no limit
    }

    @Override
    public long state() {
        return SharedEngine.state(command);
    }

    @Override
    public void cancel(long state) {
        left.cancel(command, state);
    }

    @Override
    public boolean await(long state, long nanoseconds, boolean maySleep) {
        return left.await(this, state, nanoseconds, maySleep);
    }

    /**
     * Returns the plugin of the command.
     *
     * @return its id
     */
    public long plugin() {
        return plugin;
    }

    /**
     * Returns the length of the packed command.
     *
     * @return the number of bytes of the payload that are sent
     */
    public long length() {
        return SharedEngine.length(command);
    }

    /**
     * Adds the command of another slot to the batch that ends with this one.
     *
     * @param next the slot
     */
    public void link(CommandSlot next) {
        SharedEngine.link(command, next.command);
    }

    /** Clears its thread and its receiver, before it is released. */
    void clear() {
        owner = null;
        if (receiver != null) {
            receiver = null;
        }
    }

    /**
     * Returns the status of the command, which is done.
     *
     * @return {@code SUCCESS}, or the failure
     */
    public DocaError error() {
        return DocaError.of(SharedEngine.status(command));
    }

    /**
     * Returns whether the command was successful.
     *
     * @return false if there is a failure
     */
    @Override
    public boolean isSuccess() {
        return SharedEngine.status(command) == 0;
    }

    /**
     * Returns the response of the plugin.
     *
     * @return a view that is valid until this slot is free again
     */
    @Override
    public MemorySegment response() {
        var address = SharedEngine.response(command);
        var length = SharedEngine.responseLength(command);
        if (response.address() != address || response.byteSize() != length) {
            response = MemorySegment.ofAddress(address).reinterpret(length, arena, null);
        }
        return response;
    }

    /**
     * Returns the size of the response.
     *
     * @return bytes
     */
    public long responseLength() {
        return SharedEngine.responseLength(command);
    }

    /**
     * Records the command, which is done.
     *
     * @param event the event of the command
     * @param isWanted false if no thread and no future waits for the response
     */
    @Override
    public void record(CommandEvent event, boolean isWanted) {
        event.end(isWanted ? error().name() : CommandEvent.ABANDONED, responseLength());
    }

    /**
     * Returns the outcome of the command, with a copy of the response.
     *
     * @return an object that is not affected by later commands in this slot
     */
    @Override
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
     * Allocates memory on the heap, with the alignment of payloads and responses.
     *
     * @param bytes its size
     * @return memory that is filled with zeros
     */
    public static MemorySegment onHeap(long bytes) {
        var words = Math.toIntExact((bytes + Long.BYTES - 1) / Long.BYTES);
        return MemorySegment.ofArray(new long[words]).asSlice(0, bytes);
    }
}
