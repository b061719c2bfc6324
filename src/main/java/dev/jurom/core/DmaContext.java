// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_data;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.Count;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies memory. Stands for {@code struct doca_dma}; {@link #close()} stands for
 * {@code doca_dma_destroy}.
 */
public final class DmaContext extends Context {

    private DmaContext(ProgressEngine engine, Device device) {
        super(() -> createNative(device), engine, device);
    }

    private static NativeContext createNative(Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_dma_create(device.handle(), result), "doca_dma_create", device);
            var dma = result.get(ValueLayout.ADDRESS, 0);
            return new NativeContext(dma, doca_h.doca_dma_as_ctx(dma), "doca_dma_destroy", doca_h::doca_dma_destroy);
        }
    }

    /**
     * Makes a DMA context, not started yet. Stands for {@code doca_dma_create},
     * {@code doca_dma_as_ctx}, {@code doca_pe_connect_ctx} and
     * {@code doca_dma_task_memcpy_set_conf}.
     *
     * @param engine what progresses it
     * @param device what copies
     * @param tasks how many copy tasks can be open: 1 to {@link #maxTasks}
     * @return an idle context
     * @throws IllegalArgumentException if the number is out of range
     * @throws DocaException if the device cannot copy
     */
    public static DmaContext create(ProgressEngine engine, Device device, int tasks) {
        var dma = new DmaContext(engine, device);
        try {
            Count.requireWithin("The number of copy tasks", tasks, 1, dma.maxTasks());
            check(
                    doca_h.doca_dma_task_memcpy_set_conf(
                            dma.object(), CompletionArray.TASK_CALLBACK, CompletionArray.TASK_CALLBACK, tasks),
                    "doca_dma_task_memcpy_set_conf",
                    dma);
        } catch (RuntimeException e) {
            dma.close();
            throw e;
        }
        return dma;
    }

    /**
     * Whether a device can copy. Stands for {@code doca_dma_cap_task_memcpy_is_supported}.
     *
     * @param device any open device
     * @return true if it can
     */
    public static boolean isSupported(Device device) {
        return doca_h.doca_dma_cap_task_memcpy_is_supported(device.nativeInfo()) == 0;
    }

    /**
     * How many buffers a list can have. Stands for
     * {@code doca_dma_cap_task_memcpy_get_max_buf_list_len}.
     *
     * @param device any open device
     * @return at least 1
     */
    public static int maxListLength(Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    doca_h.doca_dma_cap_task_memcpy_get_max_buf_list_len(device.nativeInfo(), result),
                    "doca_dma_cap_task_memcpy_get_max_buf_list_len",
                    device);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * How many bytes one task can copy. Stands for
     * {@code doca_dma_cap_task_memcpy_get_max_buf_size}.
     *
     * @param device any open device
     * @return at least 1
     */
    public static long maxBufferSize(Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(
                    doca_h.doca_dma_cap_task_memcpy_get_max_buf_size(device.nativeInfo(), result),
                    "doca_dma_cap_task_memcpy_get_max_buf_size",
                    device);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * How many tasks this context can have. Stands for {@code doca_dma_cap_get_max_num_tasks}.
     *
     * @return at least 1
     */
    public int maxTasks() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(doca_h.doca_dma_cap_get_max_num_tasks(object(), result), "doca_dma_cap_get_max_num_tasks", this);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Makes a task that copies. Stands for {@code doca_dma_task_memcpy_alloc_init} and
     * {@code doca_dma_task_memcpy_as_task}.
     *
     * @param source what to read: the data sections of a list
     * @param destination what to write: it is appended in the tail rooms of a list
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public DmaCopyTask copyTask(Buffer source, Buffer destination) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_dma_task_memcpy_alloc_init(
                            object(), source.handle(), destination.handle(), doca_data.allocate(arena), result),
                    "doca_dma_task_memcpy_alloc_init",
                    this);
            var copy = result.get(ValueLayout.ADDRESS, 0);
            return new DmaCopyTask(
                    this,
                    new Task.NativeTask(
                            copy, doca_h.doca_dma_task_memcpy_as_task(copy), "doca_task_free", DmaContext::free),
                    source,
                    destination);
        }
    }

    private static int free(MemorySegment copy) {
        doca_h.doca_task_free(doca_h.doca_dma_task_memcpy_as_task(copy));
        return 0;
    }

    @Override
    public String toString() {
        return "DMA context";
    }
}
