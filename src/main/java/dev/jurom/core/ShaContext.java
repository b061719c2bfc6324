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
 * A context that hashes memory. Stands for {@code struct doca_sha}; {@link #close()} stands for
 * {@code doca_sha_destroy}.
 */
public final class ShaContext extends Context {

    private ShaContext(ProgressEngine engine, Device device) {
        super(() -> createNative(device), engine, device);
    }

    private static NativeContext createNative(Device device) {
        ShaLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_sha_create(device.handle(), result), "doca_sha_create", device);
            var sha = result.get(ValueLayout.ADDRESS, 0);
            return new NativeContext(sha, doca_h.doca_sha_as_ctx(sha), "doca_sha_destroy", doca_h::doca_sha_destroy);
        }
    }

    /**
     * Creates an idle SHA context without tasks. Set at least one of the numbers of tasks before
     * starting it. Stands for {@code doca_sha_create}, {@code doca_sha_as_ctx} and
     * {@code doca_pe_connect_ctx}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param device the device that hashes
     * @return an idle context
     * @throws DocaException if the device cannot hash
     */
    public static ShaContext create(ProgressEngine engine, Device device) {
        return new ShaContext(engine, device);
    }

    /**
     * Sets the maximum number of open hash tasks. Stands for {@code doca_sha_task_hash_set_conf}.
     *
     * @param tasks the maximum, a power of two from 1 to {@link #maxTasks}
     * @return this
     * @throws IllegalArgumentException if {@code tasks} is not such a number
     * @throws DocaException with {@code BAD_STATE} if this context is not idle
     */
    public ShaContext setHashTasks(int tasks) {
        check(
                doca_h.doca_sha_task_hash_set_conf(
                        object(),
                        CompletionArray.TASK_CALLBACK,
                        CompletionArray.TASK_CALLBACK,
                        logarithm("hash tasks", tasks)),
                "doca_sha_task_hash_set_conf",
                this);
        return this;
    }

    /**
     * Sets the maximum number of open partial hash tasks. Stands for
     * {@code doca_sha_task_partial_hash_set_conf}.
     *
     * @param tasks the maximum, a power of two from 1 to {@link #maxTasks}
     * @return this
     * @throws IllegalArgumentException if {@code tasks} is not such a number
     * @throws DocaException with {@code BAD_STATE} if this context is not idle
     */
    public ShaContext setPartialHashTasks(int tasks) {
        check(
                doca_h.doca_sha_task_partial_hash_set_conf(
                        object(),
                        CompletionArray.TASK_CALLBACK,
                        CompletionArray.TASK_CALLBACK,
                        logarithm("partial hash tasks", tasks)),
                "doca_sha_task_partial_hash_set_conf",
                this);
        return this;
    }

    /** Returns the binary logarithm of a number of tasks, as C takes it. */
    private byte logarithm(String what, int tasks) {
        Count.requirePowerOfTwo("The number of " + what, tasks, maxTasks());
        return (byte) Integer.numberOfTrailingZeros(tasks);
    }

    /**
     * Returns whether a device can hash data with one task. Stands for
     * {@code doca_sha_cap_task_hash_get_supported}.
     *
     * @param device an open device
     * @param algorithm the hash function
     * @return true if it can
     */
    public static boolean isHashSupported(Device device, ShaAlgorithm algorithm) {
        ShaLibrary.load();
        return doca_h.doca_sha_cap_task_hash_get_supported(device.nativeInfo(), algorithm.ordinal()) == 0;
    }

    /**
     * Returns whether a device can hash data in parts. Stands for
     * {@code doca_sha_cap_task_partial_hash_get_supported}.
     *
     * @param device an open device
     * @param algorithm the hash function
     * @return true if it can
     */
    public static boolean isPartialHashSupported(Device device, ShaAlgorithm algorithm) {
        ShaLibrary.load();
        return doca_h.doca_sha_cap_task_partial_hash_get_supported(device.nativeInfo(), algorithm.ordinal()) == 0;
    }

    /**
     * Returns the maximum number of buffers in a list, 64 on the software DOCA, which accepts more.
     * Stands for {@code doca_sha_cap_get_max_list_buf_num_elem}.
     *
     * @param device an open device
     * @return at least 1
     */
    public static int maxListLength(Device device) {
        ShaLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    doca_h.doca_sha_cap_get_max_list_buf_num_elem(device.nativeInfo(), result),
                    "doca_sha_cap_get_max_list_buf_num_elem",
                    device);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns the maximum number of bytes that one task can hash, 2 MiB on the software DOCA, which
     * accepts more. Stands for {@code doca_sha_cap_get_max_src_buf_size}.
     *
     * @param device an open device
     * @return at least 1
     */
    public static long maxSourceSize(Device device) {
        ShaLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(
                    doca_h.doca_sha_cap_get_max_src_buf_size(device.nativeInfo(), result),
                    "doca_sha_cap_get_max_src_buf_size",
                    device);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Returns the tail room that a destination needs. Stands for
     * {@code doca_sha_cap_get_min_dst_buf_size}.
     *
     * @param device an open device
     * @param algorithm the hash function
     * @return the length of a hash in bytes
     */
    public static int minDestinationSize(Device device, ShaAlgorithm algorithm) {
        ShaLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    doca_h.doca_sha_cap_get_min_dst_buf_size(device.nativeInfo(), algorithm.ordinal(), result),
                    "doca_sha_cap_get_min_dst_buf_size",
                    device);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns the block length. The length of each part of a partial hash, except the last, must be
     * a multiple of it. Stands for {@code doca_sha_cap_get_partial_hash_block_size}.
     *
     * @param device an open device
     * @param algorithm the hash function
     * @return the block length in bytes
     */
    public static int partialBlockSize(Device device, ShaAlgorithm algorithm) {
        ShaLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    doca_h.doca_sha_cap_get_partial_hash_block_size(device.nativeInfo(), algorithm.ordinal(), result),
                    "doca_sha_cap_get_partial_hash_block_size",
                    device);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns the maximum number of tasks of this context. Stands for
     * {@code doca_sha_cap_get_max_num_tasks}.
     *
     * @return at least 1
     */
    public int maxTasks() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(doca_h.doca_sha_cap_get_max_num_tasks(object(), result), "doca_sha_cap_get_max_num_tasks", this);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Creates a task that hashes data as a whole. Stands for {@code doca_sha_task_hash_alloc_init}
     * and {@code doca_sha_task_hash_as_task}.
     *
     * @param algorithm the hash function
     * @param source the list of buffers whose data sections to hash
     * @param destination the list of buffers to append the hash to
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this context is not running,
     *         {@code NO_MEMORY} if the maximum number of tasks is open
     */
    public ShaHashTask hashTask(ShaAlgorithm algorithm, Buffer source, Buffer destination) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_sha_task_hash_alloc_init(
                            object(),
                            algorithm.ordinal(),
                            source.handle(),
                            destination.handle(),
                            doca_data.allocate(arena),
                            result),
                    "doca_sha_task_hash_alloc_init",
                    this);
            var hash = result.get(ValueLayout.ADDRESS, 0);
            return new ShaHashTask(
                    this,
                    new Task.NativeTask(
                            hash,
                            doca_h.doca_sha_task_hash_as_task(hash),
                            "doca_task_free",
                            object -> free(doca_h.doca_sha_task_hash_as_task(object))),
                    source,
                    destination);
        }
    }

    /**
     * Creates a task that hashes data in parts, one for each submit. Stands for
     * {@code doca_sha_task_partial_hash_alloc_init} and {@code doca_sha_task_partial_hash_as_task}.
     *
     * @param algorithm the hash function
     * @param source the list of buffers whose data sections are the first part
     * @param destination the list of buffers to append the hash to, after the last part
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this context is not running,
     *         {@code NO_MEMORY} if the maximum number of tasks is open
     */
    public ShaPartialHashTask partialHashTask(ShaAlgorithm algorithm, Buffer source, Buffer destination) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_sha_task_partial_hash_alloc_init(
                            object(),
                            algorithm.ordinal(),
                            source.handle(),
                            destination.handle(),
                            doca_data.allocate(arena),
                            result),
                    "doca_sha_task_partial_hash_alloc_init",
                    this);
            var hash = result.get(ValueLayout.ADDRESS, 0);
            return new ShaPartialHashTask(
                    this,
                    new Task.NativeTask(
                            hash,
                            doca_h.doca_sha_task_partial_hash_as_task(hash),
                            "doca_task_free",
                            object -> free(doca_h.doca_sha_task_partial_hash_as_task(object))),
                    source,
                    destination);
        }
    }

    private static int free(MemorySegment task) {
        doca_h.doca_task_free(task);
        return 0;
    }

    @Override
    public String toString() {
        return "SHA context";
    }
}
