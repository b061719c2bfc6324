// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.NativeTask;

/**
 * A task that reads one buffer, or list of them, and writes another.
 *
 * <p>While it is in flight, its buffers cannot be changed or closed. The caller's memory must live
 * until it completes: {@link ProgressEngine#progress()} throws, and touches nothing, when the
 * memory's arena was closed before.
 */
public abstract class MemoryTask extends Task {

    private Buffer source;
    private Buffer destination;

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

    /** Remembers the buffer that the native task reads from now on. */
    final void source(Buffer buffer) {
        source = buffer;
    }

    /** Remembers the buffer that the native task writes from now on. */
    final void destination(Buffer buffer) {
        destination = buffer;
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
        context().engine().began(this, this::requireMemory);
    }

    @Override
    final void ended() {
        context().engine().ended(this);
        source.endUse();
        destination.endUse();
    }

    private void requireMemory() {
        source.requireMemory();
        destination.requireMemory();
    }
}
