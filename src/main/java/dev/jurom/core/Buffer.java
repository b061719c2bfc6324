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
 * A part of a map's memory, of which a part is data. Stands for {@code struct doca_buf}.
 *
 * <pre>
 *     head room | data section | tail room
 * </pre>
 *
 * <p>As a source, its data section counts. As a destination, data is appended in the tail room and
 * the data section grows. The head room is the caller's. Buffers chained to a list count as one.
 *
 * <p>A buffer has a reference count. It is made with one reference, which {@link #close()} gives
 * back; {@link #retain()} and {@link #release()} take and give back more. When the first buffer of
 * a list loses its last reference, the whole list is released. It belongs to its source's thread.
 */
public final class Buffer implements AutoCloseable {

    private final MemorySegment handle;
    private final BufferSource source;
    private final MemoryMap map;
    private final BufferUse use;

    private @Nullable Buffer next;
    private @Nullable Buffer previous;
    private int references = 1;
    private boolean closed; // the first reference was given back
    private int tasks; // in flight, that work on it

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
     * How many bytes it has, all in all. Stands for {@code doca_buf_get_len}.
     *
     * @return at least 1
     */
    public long length() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_len(handle, result), "doca_buf_get_len");
    }

    /**
     * How many bytes its data section has. Stands for {@code doca_buf_get_data_len}.
     *
     * @return 0 to {@link #length()}
     */
    public long dataLength() {
        requireUsable();
        return number(result -> doca_h.doca_buf_get_data_len(handle, result), "doca_buf_get_data_len");
    }

    /**
     * The bytes before the data section: the caller's own. Stands for {@code doca_buf_get_head}.
     *
     * @return a view that ends with the map's memory
     */
    public MemorySegment head() {
        var head = headAddress();
        return map.view(head, dataAddress() - head);
    }

    /**
     * The data section. Stands for {@code doca_buf_get_data} and {@code doca_buf_get_data_len}.
     *
     * @return a view that ends with the map's memory
     */
    public MemorySegment data() {
        return map.view(dataAddress(), dataLength());
    }

    /**
     * The bytes behind the data section: where data is appended.
     *
     * @return a view that ends with the map's memory
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
     * Moves the data section. Stands for {@code doca_buf_set_data}.
     *
     * @param offset where it begins in this buffer
     * @param length how many bytes it has
     * @return this
     * @throws IndexOutOfBoundsException if this buffer does not have these bytes
     * @throws IllegalStateException if a task that works on it is in flight
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
     * Appends bytes in the tail room: the data section grows. Stands for
     * {@code doca_buf_set_data_len}.
     *
     * @param bytes what to append
     * @return this
     * @throws IndexOutOfBoundsException if the tail room is shorter
     * @throws IllegalStateException if a task that works on it is in flight
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
     * Empties the data section, where it is. Stands for {@code doca_buf_reset_data_len}.
     *
     * @return this
     * @throws IllegalStateException if a task that works on it is in flight
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
     * @param other the first buffer of a list, with one reference; this list's from now on
     * @return this
     * @throws IllegalStateException if this or the other is not the first of its list, or a task
     *         that works on them is in flight
     * @throws DocaException with {@code NOT_PERMITTED} if the other has more than one reference
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
                "Release the second list's other references first.");
        var last = last();
        last.next = other;
        other.previous = last;
        return this;
    }

    /**
     * Cuts this list in two. Stands for {@code doca_buf_unchain_list}.
     *
     * @param other a buffer of this list, but not the first; the first of the second list from now
     *         on
     * @return this
     * @throws IllegalStateException if this is not the first of its list, or a task that works on
     *         it is in flight
     * @throws DocaException with {@code INVALID_VALUE} if the other is not in this list
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
        if (other.previous != null) { // the library has seen that it is not the first
            other.previous.next = null;
            other.previous = null;
        }
        return this;
    }

    /**
     * The list from this buffer on. In place of {@code doca_buf_get_next_in_list},
     * {@code doca_buf_get_last_in_list}, {@code doca_buf_is_last_in_list},
     * {@code doca_buf_is_in_list} and {@code doca_buf_get_list_len}.
     *
     * @return this buffer and those behind it, in order
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
     * Whether this is the first buffer of its list. In place of {@code doca_buf_is_first_in_list}.
     *
     * @return true also for a buffer that is alone
     */
    public boolean isFirst() {
        requireUsable();
        return previous == null;
    }

    /**
     * Takes one more reference. Stands for {@code doca_buf_inc_refcount}.
     *
     * @return this
     * @throws IllegalStateException if this is not the first of its list
     */
    public Buffer retain() {
        requireUsable();
        requireFirst();
        check(doca_h.doca_buf_inc_refcount(handle, MemorySegment.NULL), "doca_buf_inc_refcount", this);
        references++;
        return this;
    }

    /**
     * Gives one reference back. Stands for {@code doca_buf_dec_refcount}.
     *
     * @throws IllegalStateException if this is not the first of its list, or a task that works on
     *         it is in flight
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

    /** What happens to each buffer of a list whose first lost its last reference. */
    private void lostReference() {
        next = null;
        previous = null;
        references = 0;
        closed = true;
        use.close();
    }

    /**
     * How many references there are. In place of {@code doca_buf_get_refcount}.
     *
     * @return 0 once the last was given back
     */
    public int references() {
        return references;
    }

    /**
     * Gives the reference back that this buffer was made with; the last one gives its list back
     * too. No effect if that was done.
     *
     * @throws IllegalStateException if this is not the first of its list, or a task that works on
     *         it is in flight
     */
    @Override
    public void close() {
        if (!closed) {
            release();
            closed = true;
        }
    }

    /**
     * Whether this buffer has references.
     *
     * @return false once the last was given back
     */
    public boolean isOpen() {
        return references > 0;
    }

    /**
     * The map whose memory this is.
     *
     * @return the same for life
     */
    public MemoryMap map() {
        return map;
    }

    /** The native buffer. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /** Requires that a task may begin to work on this list now. */
    void requireReady() {
        requireUsable();
        requireFirst();
        requireMemory();
    }

    /** Requires that the memory of this list is still there. */
    void requireMemory() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            buffer.map.requireMemory();
        }
    }

    /** Returns whether memory of this list was freed. */
    boolean isMemoryGone() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            if (!buffer.map.isMemoryAlive()) {
                return true;
            }
        }
        return false;
    }

    /** Leaves no data in this list, which a task in flight reads: its memory is gone. */
    void empty() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            doca_h.doca_buf_reset_data_len(buffer.handle);
        }
    }

    /** Leaves no tail room in this list, which a task in flight writes: its memory is gone. */
    void fill() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            doca_h.doca_buf_set_data(buffer.handle, MemorySegment.ofAddress(buffer.headAddress()), buffer.length());
        }
    }

    /** A task begins to work on this list. */
    void beginUse() {
        for (var buffer = this; buffer != null; buffer = buffer.next) {
            buffer.tasks++;
        }
    }

    /** A task has done with this list. */
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
            throw new IllegalStateException(this + " is not the first of its list: unchain it" + " first");
        }
    }

    @Override
    public String toString() {
        return use.toString();
    }
}
