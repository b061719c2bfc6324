// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;

/**
 * A task that appends the data of one list of buffers to another. Stands for
 * {@code struct doca_dma_task_memcpy}.
 *
 * <p>{@link #setSource} stands for {@code doca_dma_task_memcpy_set_src}, {@link #setDestination}
 * stands for {@code doca_dma_task_memcpy_set_dst}; {@link #source()} is in place of
 * {@code doca_dma_task_memcpy_get_src}, {@link #destination()} is in place of
 * {@code doca_dma_task_memcpy_get_dst}.
 */
public final class DmaCopyTask extends MemoryTask<DmaCopyTask> {

    DmaCopyTask(DmaContext dma, NativeTask task, Buffer source, Buffer destination) {
        super(dma, task, source, destination);
    }

    @Override
    void useSource(MemorySegment buffer) {
        doca_h.doca_dma_task_memcpy_set_src(object(), buffer);
    }

    @Override
    void useDestination(MemorySegment buffer) {
        doca_h.doca_dma_task_memcpy_set_dst(object(), buffer);
    }

    @Override
    DmaCopyTask self() {
        return this;
    }

    @Override
    public String toString() {
        return "DMA copy task";
    }
}
