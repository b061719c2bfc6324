// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that reads one buffer, or list of them, and writes another.
 *
 * <p>While it is in flight, its buffers cannot be changed or closed. The caller's memory must live
 * until it completes. If the memory's arena is closed before, {@link ProgressEngine#progress()}
 * throws once, and this task ends with {@code IO_FAILED} and does not touch the memory. Its context
 * stops, as after every failure of that kind.
 *
 * @param <T> which task this is
 */
public abstract sealed class MemoryTask<T extends MemoryTask<T>> extends Task
        permits DmaCopyTask, ShaHashTask, ShaPartialHashTask {

    private Buffer source;
    private Buffer destination;
    private @Nullable Consumer<? super T> listener;

    /** Registers a new native task that reads {@code source} and writes {@code destination}. */
    MemoryTask(Context context, NativeTask task, Buffer source, Buffer destination) {
        super(context, task);
        this.source = source;
        this.destination = destination;
    }

    /**
     * What this task reads.
     *
     * @return the first buffer of a list
     */
    public final Buffer source() {
        return source;
    }

    /**
     * What this task writes: it appends to the data section.
     *
     * @return the first buffer of a list
     */
    public final Buffer destination() {
        return destination;
    }

    /**
     * Reads another list at the next submit.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public final T setSource(Buffer buffer) {
        requireIdle();
        useSource(buffer.handle());
        source = buffer;
        return self();
    }

    /**
     * Appends to another list at the next submit.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public final T setDestination(Buffer buffer) {
        requireIdle();
        useDestination(buffer.handle());
        destination = buffer;
        return self();
    }

    /**
     * Has a listener run when this task completes, inside {@code progress()}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public final T onCompletion(Consumer<? super T> newListener) {
        requireUsable();
        listener = newListener;
        return self();
    }

    /** Tells the native task what to read. */
    abstract void useSource(MemorySegment buffer);

    /** Tells the native task what to write. */
    abstract void useDestination(MemorySegment buffer);

    /** This. */
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
        context().engine().began(this, new ProgressEngine.MemoryUse(this::requireMemory, this::leaveMemory));
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

    /** The library examines both lists when it carries this out: it finds nothing to do. */
    private void leaveMemory() {
        if (source.isMemoryGone()) {
            source.empty();
        }
        if (destination.isMemoryGone()) {
            destination.fill();
        }
    }
}
