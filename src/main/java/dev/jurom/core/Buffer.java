// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A range of the memory of a {@link MemoryMap}, part of which holds data. Stands for
 * {@code struct doca_buf}.
 *
 * <pre>
 *     head room | data section | tail room
 * </pre>
 *
 * <p>A task reads the data section of its source, and appends to the data section of its
 * destination, into the tail room. The library never touches the head room. Buffers that are
 * chained to a list act as one.
 *
 * <p>A buffer has a reference count, initially 1. {@link #close()} releases the initial reference;
 * {@link #retain()} and {@link #release()} acquire and release further ones. When the first buffer
 * of a list loses its last reference, the whole list is released.
 *
 * <p>A buffer, like its {@link BufferSource}, may be used only by the thread that created the
 * source. No method blocks.
 */
public final class Buffer implements AutoCloseable {

    private final MemorySegment handle;
    private final BufferSource source;
    private final MemoryMap map;
    private final BufferUse use;

    private @Nullable Buffer next;
    private @Nullable Buffer previous;
    private int references = 1;
    private boolean closed; // the initial reference was released
    private int tasks; // number of tasks in flight that use it

    Buffer(MemorySegment handle, BufferSource source, MemoryMap map) {
        this.handle = handle;
        this.source = source;
        this.map = map;
        try {
            this.use = new BufferUse("buffer of " + map, source, map);
        } catch (IllegalStateException e) {
            doca_h.doca_buf_dec_refcount(handle, MemorySegment.NULL);
            throw e;
        }
    }

    /**
     * Returns the size of this buffer. Stands for {@code doca_buf_get_len}.
     *
     * @return the size in bytes, at least 1
     */
    public long length() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_len(handle, result), "doca_buf_get_len");
    }

    /**
     * Returns the length of the data section. Stands for {@code doca_buf_get_data_len}.
     *
     * @return the length in bytes, 0 to {@link #length()}
     */
    public long dataLength() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_data_len(handle, result), "doca_buf_get_data_len");
    }

    /**
     * Returns the head room: the bytes before the data section. Stands for
     * {@code doca_buf_get_head}.
     *
     * @return a view of the memory, valid as long as the memory of the map
     * @throws IllegalStateException if this buffer is closed, or its memory belongs to another
     *         process
     */
    public MemorySegment head() {
        var head = headAddress();
        return map.view(head, dataAddress() - head);
    }

    /**
     * Returns the data section. Stands for {@code doca_buf_get_data} and
     * {@code doca_buf_get_data_len}.
     *
     * @return a view of the memory, valid as long as the memory of the map
     * @throws IllegalStateException if this buffer is closed, or its memory belongs to another
     *         process
     */
    public MemorySegment data() {
        return map.view(dataAddress(), dataLength());
    }

    /**
     * Returns the tail room: the bytes after the data section, where data is appended.
     *
     * @return a view of the memory, valid as long as the memory of the map
     * @throws IllegalStateException if this buffer is closed, or its memory belongs to another
     *         process
     */
    public MemorySegment tail() {
        var end = dataAddress() + dataLength();
        return map.view(end, headAddress() + length() - end);
    }

    private long headAddress() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_head(handle, result), "doca_buf_get_head");
    }

    private long dataAddress() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_data(handle, result), "doca_buf_get_data");
    }

    private long number(ToIntFunction<MemorySegment> call, String function) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(call.applyAsInt(result), function, this);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Sets the position and the length of the data section. The memory is not changed. Stands for
     * {@code doca_buf_set_data}.
     *
     * @param offset the offset of the data section in this buffer, in bytes
     * @param length the length of the data section in bytes
     * @return this
     * @throws IndexOutOfBoundsException if the range is not within this buffer
     * @throws IllegalStateException if a task in flight uses this buffer
     */
    public Buffer setData(long offset, long length) {
        requireIdle();
        NativeRange.requireDataWithin(offset, length, length());
        check(
                doca_h.doca_buf_set_data(handle, MemorySegment.ofAddress(headAddress() + offset), length),
                "doca_buf_set_data",
                this);
        return this;
    }

    /**
     * Copies bytes into the tail room and extends the data section over them. Stands for
     * {@code doca_buf_set_data_len}.
     *
     * @param bytes the bytes to append
     * @return this
     * @throws IndexOutOfBoundsException if the tail room is too small
     * @throws IllegalStateException if a task in flight uses this buffer
     */
    public Buffer append(MemorySegment bytes) {
        requireIdle();
        var room = tail();
        if (bytes.byteSize() > room.byteSize()) {
            throw new IndexOutOfBoundsException(bytes.byteSize() + " bytes cannot be appended to " + this
                    + ": its tail room has " + room.byteSize());
        }
        room.copyFrom(bytes);
        check(doca_h.doca_buf_set_data_len(handle, dataLength() + bytes.byteSize()), "doca_buf_set_data_len", this);
        return this;
    }

    /**
     * Sets the length of the data section to 0 and keeps its position. Stands for
     * {@code doca_buf_reset_data_len}.
     *
     * @return this
     * @throws IllegalStateException if a task in flight uses this buffer
     */
    public Buffer reset() {
        requireIdle();
        check(doca_h.doca_buf_reset_data_len(handle), "doca_buf_reset_data_len", this);
        return this;
    }

    /**
     * Appends another list to this one. Stands for {@code doca_buf_chain_list}, and in place of
     * {@code doca_buf_chain_list_tail}.
     *
     * @param other the first buffer of a list, with one reference; afterwards it belongs to this
     *         list
     * @return this
     * @throws IllegalStateException if either buffer is not the first of its list, or is used by a
     *         task in flight
     * @throws DocaException with {@code NOT_PERMITTED} if {@code other} has more than one reference
     */
    public Buffer chain(Buffer other) {
        requireIdle();
        other.requireIdle();
        requireFirst();
        other.requireFirst();
        check(
                doca_h.doca_buf_chain_list(handle, other.handle),
                "doca_buf_chain_list",
                this,
                DocaError.NOT_PERMITTED,
                "Release the other references to the second list first.");
        var last = last();
        last.next = other;
        other.previous = last;
        return this;
    }

    /**
     * Splits this list. Stands for {@code doca_buf_unchain_list}.
     *
     * @param other a buffer of this list other than the first; it becomes the first buffer of a
     *         second list
     * @return this
     * @throws IllegalStateException if this is not the first buffer of its list, or a task in
     *         flight uses it
     * @throws DocaException with {@code INVALID_VALUE} if {@code other} is not in this list
     */
    public Buffer unchain(Buffer other) {
        requireIdle();
        other.requireUsable();
        requireFirst();
        check(
                doca_h.doca_buf_unchain_list(handle, other.handle),
                "doca_buf_unchain_list",
                this,
                DocaError.INVALID_VALUE,
                "The buffer to unchain is not in this list.");
        if (other.previous != null) { // the library has checked that it is not the first
            other.previous.next = null;
            other.previous = null;
        }
        return this;
    }

    /**
     * Returns this buffer and those that follow it in its list. In place of
     * {@code doca_buf_get_next_in_list}, {@code doca_buf_get_last_in_list},
     * {@code doca_buf_is_last_in_list}, {@code doca_buf_is_in_list} and
     * {@code doca_buf_get_list_len}.
     *
     * @return a new list, in order
     */
    public List<Buffer> list() {
        requireUsable();
        var list = new ArrayList<Buffer>();
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            list.add(buffer);
        }
        return list;
    }

    private Buffer last() {
        var last = this;
        while (last.next != null) {
            last = last.next;
        }
        return last;
    }

    /**
     * Returns whether this is the first buffer of its list. In place of
     * {@code doca_buf_is_first_in_list}.
     *
     * @return true also for a buffer that is in no list
     */
    public boolean isFirst() {
        requireUsable();
        return previous == null;
    }

    /**
     * Acquires a reference. Stands for {@code doca_buf_inc_refcount}.
     *
     * @return this
     * @throws IllegalStateException if this is not the first buffer of its list
     */
    public Buffer retain() {
        requireUsable();
        requireFirst();
        check(doca_h.doca_buf_inc_refcount(handle, MemorySegment.NULL), "doca_buf_inc_refcount", this);
        references++;
        return this;
    }

    /**
     * Releases a reference; releasing the last one releases the whole list. Stands for
     * {@code doca_buf_dec_refcount}.
     *
     * @throws IllegalStateException if this is not the first buffer of its list, or a task in
     *         flight uses it
     */
    public void release() {
        requireIdle();
        requireFirst();
        check(doca_h.doca_buf_dec_refcount(handle, MemorySegment.NULL), "doca_buf_dec_refcount", this);
        if (references > 1) {
            references--;
        } else {
            list().forEach(Buffer::lostReference);
        }
    }

    /** Ends a buffer whose list has lost its last reference. */
    private void lostReference() {
        next = null;
        previous = null;
        references = 0;
        closed = true;
        use.close();
    }

    /**
     * Returns the number of references. In place of {@code doca_buf_get_refcount}.
     *
     * @return 0 once the last reference was released
     */
    public int references() {
        return references;
    }

    /**
     * Releases the initial reference of this buffer; if it is the last one, the whole list is
     * released. Has no effect if it was already released.
     *
     * @throws IllegalStateException if this is not the first buffer of its list, or a task in
     *         flight uses it
     */
    @Override
    public void close() {
        if (!closed) {
            release();
            closed = true;
        }
    }

    /**
     * Returns whether this buffer has references.
     *
     * @return false once the last reference was released
     */
    public boolean isOpen() {
        return references > 0;
    }

    /**
     * Returns the map whose memory this buffer is part of.
     *
     * @return the map, always the same
     */
    public MemoryMap map() {
        return map;
    }

    /** Returns the native buffer. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /** Checks that a task may start to use this list. */
    void requireReady() {
        requireUsable();
        requireFirst();
        requireMemory();
    }

    /** Checks that the memory of this list was not freed. */
    void requireMemory() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            buffer.map.requireMemory();
        }
    }

    /** Returns whether any memory of this list was freed. */
    boolean isMemoryFreed() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            if (!buffer.map.isMemoryAlive()) {
                return true;
            }
        }
        return false;
    }

    /** Removes all data from this list, which a task in flight reads and whose memory was freed. */
    void empty() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            doca_h.doca_buf_reset_data_len(buffer.handle);
        }
    }

    /**
     * Removes the tail room of this list, which a task in flight writes and whose memory was freed.
     */
    void fill() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            doca_h.doca_buf_set_data(buffer.handle, MemorySegment.ofAddress(buffer.headAddress()), buffer.length());
        }
    }

    /** Marks this list as used by a task in flight. */
    void beginUse() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            buffer.tasks++;
        }
    }

    /** Ends the use by a task in flight. */
    void endUse() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            buffer.tasks--;
        }
    }

    private void requireUsable() {
        source.requireOwner();
        if (references == 0) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void requireIdle() {
        requireUsable();
        if (tasks > 0) {
            throw new IllegalStateException(this + " is in use by a task in flight");
        }
    }

    private void requireFirst() {
        if (previous != null) {
            throw new IllegalStateException(this + " is not the first of its list: unchain it first");
        }
    }

    @Override
    public String toString() {
        return use.toString();
    }
}
