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
 * Hands out buffers anywhere in any started memory map. Stands for
 * {@code struct doca_buf_inventory}; {@link #close()} stands for
 * {@code doca_buf_inventory_destroy}.
 */
public final class BufferInventory extends BufferSource {

    private BufferInventory(MemorySegment handle) {
        super(handle);
    }

    /**
     * Makes an inventory, stopped. Stands for {@code doca_buf_inventory_create}.
     *
     * @param capacity how many buffers can be open at a time: at least 1
     * @return the inventory
     * @throws IllegalArgumentException if the capacity is less
     * @throws DocaException if the library cannot make it
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

    /** {@inheritDoc} Stands for {@code doca_buf_inventory_stop}. */
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
     * Hands out a buffer whose data section is empty: all of it can be written to. Stands for
     * {@code doca_buf_inventory_buf_get_by_addr}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset where the buffer begins in the map's memory
     * @param length how many bytes it has: at least 1
     * @return the buffer
     * @throws IndexOutOfBoundsException if the map does not have these bytes
     * @throws DocaException with {@code NO_MEMORY} if all buffers are open, {@code NOT_PERMITTED}
     *         if this or the map is not started
     */
    public Buffer buffer(MemoryMap map, long offset, long length) {
        return buffer(map, offset, length, 0, 0);
    }

    /**
     * Hands out a buffer that is all data: it can be read from. Stands for
     * {@code doca_buf_inventory_buf_get_by_data}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset where the buffer begins in the map's memory
     * @param length how many bytes it has: at least 1
     * @return the buffer
     * @throws IndexOutOfBoundsException if the map does not have these bytes
     * @throws DocaException with {@code NO_MEMORY} if all buffers are open, {@code NOT_PERMITTED}
     *         if this or the map is not started
     */
    public Buffer dataBuffer(MemoryMap map, long offset, long length) {
        return buffer(map, offset, length, 0, length);
    }

    /**
     * Hands out a buffer. Stands for {@code doca_buf_inventory_buf_get_by_args}.
     *
     * @param map a started map; it must stay open as long as the buffer
     * @param offset where the buffer begins in the map's memory
     * @param length how many bytes it has: at least 1
     * @param dataOffset where its data section begins in the buffer
     * @param dataLength how many bytes its data section has
     * @return the buffer
     * @throws IndexOutOfBoundsException if the map does not have these bytes, or the buffer not
     *         those of the data section
     * @throws DocaException with {@code NO_MEMORY} if all buffers are open, {@code NOT_PERMITTED}
     *         if this or the map is not started
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
     * Hands out a second buffer over the same bytes, with the same data section. Stands for
     * {@code doca_buf_inventory_buf_dup}.
     *
     * @param original an open buffer
     * @return a buffer that is in no list
     * @throws DocaException with {@code NO_MEMORY} if all buffers are open, {@code NOT_PERMITTED}
     *         if this is not started, or the other is not the first of its list
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
     * Adds buffers to this inventory, which is started. Stands for
     * {@code doca_buf_inventory_expand}.
     *
     * @param more how many more: at least 1
     * @return this
     * @throws IllegalArgumentException if the number is less
     * @throws DocaException with {@code BAD_STATE} if this is not started
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
