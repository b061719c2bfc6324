// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.NativeTask;
import java.util.function.Consumer;

/**
 * Copies the data of one list of buffers behind the data of another. Stands for
 * {@code struct doca_dma_task_memcpy}.
 */
public final class DmaCopyTask extends MemoryTask {

    private Consumer<? super DmaCopyTask> listener;

    DmaCopyTask(DmaContext dma, NativeTask task, Buffer source, Buffer destination) {
        super(dma, task, source, destination);
    }

    /**
     * Reads another list at the next submit. Stands for {@code doca_dma_task_memcpy_set_src}.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public DmaCopyTask setSource(Buffer buffer) {
        requireIdle();
        doca_h.doca_dma_task_memcpy_set_src(object(), buffer.handle());
        source(buffer);
        return this;
    }

    /**
     * Writes another list at the next submit. Stands for {@code doca_dma_task_memcpy_set_dst}.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public DmaCopyTask setDestination(Buffer buffer) {
        requireIdle();
        doca_h.doca_dma_task_memcpy_set_dst(object(), buffer.handle());
        destination(buffer);
        return this;
    }

    /**
     * Has a listener run when this task completes, inside {@code progress()}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public DmaCopyTask onCompletion(Consumer<? super DmaCopyTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    @Override
    protected void completed() {
        if (listener != null) {
            listener.accept(this);
        }
    }

    @Override
    public String toString() {
        return "DMA copy task";
    }
}
