// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.Count;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A source of buffers at any position in any started memory map. Stands for
 * {@code struct doca_buf_inventory}; {@link #close()} stands for
 * {@code doca_buf_inventory_destroy}.
 */
public final class BufferInventory extends BufferSource {

    private BufferInventory(MemorySegment handle) {
        super(handle);
    }

    /**
     * Creates a stopped inventory. Stands for {@code doca_buf_inventory_create}.
     *
     * @param capacity the maximum number of open buffers, at least 1
     * @return the inventory, which the calling thread owns
     * @throws IllegalArgumentException if {@code capacity} is less than 1
     * @throws DocaException if the library cannot create it
     */
    public static BufferInventory create(int capacity) {
        Count.requireWithin("The number of buffers", capacity, 1, Integer.MAX_VALUE);
        DocaRuntime.current();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_buf_inventory_create(capacity, result),
                    "doca_buf_inventory_create",
                    "buffer inventory of " + capacity);
            return new BufferInventory(result.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_start}. */
    @Override
    public BufferInventory start() {
        check(doca_h.doca_buf_inventory_start(handle()), "doca_buf_inventory_start", this);
        return this;
    }

    /**
     * {@inheritDoc} Open buffers remain valid; earlier versions of the vendor's library do not stop
     * while there are any. Stands for {@code doca_buf_inventory_stop}.
     */
    @Override
    public void stop() {
        check(
                doca_h.doca_buf_inventory_stop(handle()),
                "doca_buf_inventory_stop",
                this,
                DocaError.IN_USE,
                "Close its buffers first.");
    }

    /**
     * Allocates a buffer with an empty data section, as the destination of a task. Stands for
     * {@code doca_buf_inventory_buf_get_by_addr}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset the offset of the buffer in the memory of the map, in bytes
     * @param length the size of the buffer in bytes, at least 1
     * @return the buffer
     * @throws IndexOutOfBoundsException if the range is not within the memory of the map
     * @throws DocaException with {@code NO_MEMORY} if the maximum number of buffers is open,
     *         {@code NOT_PERMITTED} if this inventory or the map is not started
     */
    public Buffer buffer(MemoryMap map, long offset, long length) {
        return buffer(map, offset, length, 0, 0);
    }

    /**
     * Allocates a buffer whose data section covers all of it, as the source of a task. Stands for
     * {@code doca_buf_inventory_buf_get_by_data}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset the offset of the buffer in the memory of the map, in bytes
     * @param length the size of the buffer in bytes, at least 1
     * @return the buffer
     * @throws IndexOutOfBoundsException if the range is not within the memory of the map
     * @throws DocaException with {@code NO_MEMORY} if the maximum number of buffers is open,
     *         {@code NOT_PERMITTED} if this inventory or the map is not started
     */
    public Buffer dataBuffer(MemoryMap map, long offset, long length) {
        return buffer(map, offset, length, 0, length);
    }

    /**
     * Allocates a buffer with a given data section. Stands for
     * {@code doca_buf_inventory_buf_get_by_args}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset the offset of the buffer in the memory of the map, in bytes
     * @param length the size of the buffer in bytes, at least 1
     * @param dataOffset the offset of the data section in the buffer, in bytes
     * @param dataLength the length of the data section in bytes
     * @return the buffer
     * @throws IndexOutOfBoundsException if the buffer is not within the memory of the map, or the
     *         data section is not within the buffer
     * @throws DocaException with {@code NO_MEMORY} if the maximum number of buffers is open,
     *         {@code NOT_PERMITTED} if this inventory or the map is not started
     */
    public Buffer buffer(MemoryMap map, long offset, long length, long dataOffset, long dataLength) {
        var inventory = handle();
        NativeRange.requireDataWithin(dataOffset, dataLength, length);
        var head = MemorySegment.ofAddress(map.address(offset, length));
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_buf_inventory_buf_get_by_args(
                            inventory,
                            map.handle(),
                            head,
                            length,
                            MemorySegment.ofAddress(head.address() + dataOffset),
                            dataLength,
                            result),
                    "doca_buf_inventory_buf_get_by_args",
                    this,
                    DocaError.NO_MEMORY,
                    "Close buffers that are no longer needed, or expand the inventory.");
            return new Buffer(result.get(ValueLayout.ADDRESS, 0), this, map);
        }
    }

    /**
     * Allocates a second buffer over the same bytes, with the same data section. Stands for
     * {@code doca_buf_inventory_buf_dup}.
     *
     * @param original an open buffer
     * @return a buffer that is in no list
     * @throws DocaException with {@code NO_MEMORY} if the maximum number of buffers is open,
     *         {@code BAD_STATE} if this inventory is not started, {@code NOT_PERMITTED} if
     *         {@code original} is not the first buffer of its list
     */
    public Buffer duplicate(Buffer original) {
        var inventory = handle();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_buf_inventory_buf_dup(inventory, original.handle(), result),
                    "doca_buf_inventory_buf_dup",
                    this);
            return new Buffer(result.get(ValueLayout.ADDRESS, 0), this, original.map());
        }
    }

    /**
     * Raises the capacity of this started inventory. Stands for {@code doca_buf_inventory_expand}.
     *
     * @param more the number of buffers to add, at least 1
     * @return this
     * @throws IllegalArgumentException if {@code more} is less than 1
     * @throws DocaException with {@code BAD_STATE} if this inventory is not started
     */
    public BufferInventory expand(int more) {
        Count.requireWithin("The number of more buffers", more, 1, Integer.MAX_VALUE);
        check(doca_h.doca_buf_inventory_expand(handle(), more), "doca_buf_inventory_expand", this);
        return this;
    }

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_get_num_elements}. */
    @Override
    public int capacity() {
        var inventory = handle();
        return number(result -> doca_h.doca_buf_inventory_get_num_elements(inventory, result));
    }

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_get_num_free_elements}. */
    @Override
    public int free() {
        var inventory = handle();
        return number(result -> doca_h.doca_buf_inventory_get_num_free_elements(inventory, result));
    }

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_set_user_data}. */
    @Override
    public BufferInventory setUserData(long data) {
        try (var arena = Arena.ofConfined()) {
            check(
                    doca_h.doca_buf_inventory_set_user_data(handle(), union(arena, data)),
                    "doca_buf_inventory_set_user_data",
                    this);
        }
        return this;
    }

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_get_user_data}. */
    @Override
    public long userData() {
        var inventory = handle();
        return union(result -> doca_h.doca_buf_inventory_get_user_data(inventory, result));
    }

    @Override
    void destroy() {
        check(doca_h.doca_buf_inventory_destroy(handle()), "doca_buf_inventory_destroy", this);
    }

    @Override
    public String toString() {
        return "buffer inventory";
    }
}
