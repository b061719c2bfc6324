// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that reads one buffer or list of buffers and writes another.
 *
 * <p>While it is in flight, its buffers cannot be changed or closed, and the caller must not access
 * their memory. The memory must stay valid until the task completes. If the arena of the memory is
 * closed earlier, {@link ProgressEngine#progress()} throws an exception once, and the task ends
 * with {@code IO_FAILED} without accessing the memory. Its context stops, as after every
 * {@code IO_FAILED}.
 *
 * @param <T> the type of this task
 */
public abstract sealed class MemoryTask<T extends MemoryTask<T>> extends Task
        permits DmaCopyTask, ShaHashTask, ShaPartialHashTask {

    private Buffer source;
    private Buffer destination;
    private @Nullable Consumer<? super T> listener;

    /** Registers a native task that reads {@code source} and writes {@code destination}. */
    MemoryTask(Context context, NativeTask task, Buffer source, Buffer destination) {
        super(context, task);
        this.source = source;
        this.destination = destination;
    }

    /**
     * Returns the source.
     *
     * @return the first buffer of the list that this task reads
     */
    public final Buffer source() {
        return source;
    }

    /**
     * Returns the destination.
     *
     * @return the first buffer of the list that this task appends to
     */
    public final Buffer destination() {
        return destination;
    }

    /**
     * Sets the source for the next submit.
     *
     * @param buffer the first buffer of a list
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     */
    public final T setSource(Buffer buffer) {
        requireIdle();
        useSource(buffer.handle());
        source = buffer;
        return self();
    }

    /**
     * Sets the destination for the next submit.
     *
     * @param buffer the first buffer of a list
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     * @throws DocaException with {@code BAD_STATE} if this is a partial hash between two parts
     */
    public final T setDestination(Buffer buffer) {
        requireIdle();
        useDestination(buffer.handle());
        destination = buffer;
        return self();
    }

    /**
     * Sets the listener that is called when this task completes, inside {@code progress()}.
     *
     * @param newListener replaces the previous one; it may submit or close this task
     * @return this
     * @throws IllegalStateException if this task is closed
     */
    public final T onCompletion(Consumer<? super T> newListener) {
        requireUsable();
        listener = newListener;
        return self();
    }

    /** Sets the source of the native task. */
    abstract void useSource(MemorySegment buffer);

    /** Sets the destination of the native task. */
    abstract void useDestination(MemorySegment buffer);

    /** Returns this task. */
    abstract T self();

    @Override
    protected final void completed() {
        if (listener != null) {
            listener.accept(self());
        }
    }

    @Override
    final void beforeSubmit() {
        source.requireReady();
        destination.requireReady();
    }

    @Override
    protected final void begun() {
        source.beginUse();
        destination.beginUse();
        context().engine().began(this, new ProgressEngine.MemoryUse(this::requireMemory, this::detachMemory));
    }

    @Override
    final int ended(int code) {
        source.endUse();
        destination.endUse();
        return context().engine().ended(this, code);
    }

    private void requireMemory() {
        source.requireMemory();
        destination.requireMemory();
    }

    /**
     * Empties the buffers whose memory was freed: the library reads both lists when it executes the
     * task, and then copies nothing.
     */
    private void detachMemory() {
        if (source.isMemoryFreed()) {
            source.empty();
        }
        if (destination.isMemoryFreed()) {
            destination.fill();
        }
    }
}
