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
 * A context that copies memory. Stands for {@code struct doca_dma}; {@link #close()} stands for
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
     * Creates an idle DMA context. Stands for {@code doca_dma_create}, {@code doca_dma_as_ctx},
     * {@code doca_pe_connect_ctx} and {@code doca_dma_task_memcpy_set_conf}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param device the device that copies
     * @param tasks the maximum number of open copy tasks: 1 to {@link #maxTasks}
     * @return an idle context
     * @throws IllegalArgumentException if {@code tasks} is out of range
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
        } catch (RuntimeException | Error e) {
            dma.close();
            throw e;
        }
        return dma;
    }

    /**
     * Returns whether a device can copy. Stands for {@code doca_dma_cap_task_memcpy_is_supported}.
     *
     * @param device an open device
     * @return true if it can
     */
    public static boolean isSupported(Device device) {
        return doca_h.doca_dma_cap_task_memcpy_is_supported(device.nativeInfo()) == 0;
    }

    /**
     * Returns the maximum number of buffers in a list, 64 on the software DOCA, which accepts more.
     * Stands for {@code doca_dma_cap_task_memcpy_get_max_buf_list_len}.
     *
     * @param device an open device
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
     * Returns the maximum number of bytes that one task can copy, 2 MiB on the software DOCA, which
     * accepts more. Stands for {@code doca_dma_cap_task_memcpy_get_max_buf_size}.
     *
     * @param device an open device
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
     * Returns the maximum number of tasks of this context. Stands for
     * {@code doca_dma_cap_get_max_num_tasks}.
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
     * Creates a task that copies. Stands for {@code doca_dma_task_memcpy_alloc_init} and
     * {@code doca_dma_task_memcpy_as_task}.
     *
     * @param source the list of buffers whose data sections to read
     * @param destination the list of buffers to append to
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this context is not running,
     *         {@code NO_MEMORY} if the maximum number of tasks is open
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
