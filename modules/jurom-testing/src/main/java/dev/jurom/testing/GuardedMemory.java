// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Whole pages of memory with a page before and after that nobody may touch: who reads or writes past
 * the end is stopped by the processor, not by luck. That ends the process (SIGSEGV), or, if it was
 * Java, throws an {@link InternalError}.
 *
 * <p>Any thread may use it. The memory is its own until it is closed; who touches it then is
 * stopped likewise, or hits what has come in its place.
 */
public final class GuardedMemory implements AutoCloseable {

    /** The size of a page in bytes. */
    public static final int PAGE = 4096;

    private static final int PROT_NONE = 0;
    private static final int PROT_READ_AND_WRITE = 3;
    private static final long MAP_FAILED = -1;
    private static final int MAP_PRIVATE_AND_ANONYMOUS = 0x22;

    private static final MethodHandle MMAP =
            libc("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MPROTECT =
            libc("mprotect", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle MUNMAP = libc("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    private final MemorySegment whole;
    private final MemorySegment memory;

    private GuardedMemory(MemorySegment whole) {
        this.whole = whole;
        this.memory = whole.asSlice(PAGE, whole.byteSize() - 2 * PAGE);
    }

    /**
     * Maps some pages, all zero, between two guards. Stands for {@code mmap} and {@code mprotect}.
     *
     * @param pages how many, from 1 to what the system has
     * @return the memory, to be closed
     * @throws AssertionError if the system has no such memory
     */
    public static GuardedMemory ofPages(int pages) {
        try {
            var size = (pages + 2L) * PAGE;
            var address = (MemorySegment)
                    MMAP.invokeExact(MemorySegment.NULL, size, PROT_NONE, MAP_PRIVATE_AND_ANONYMOUS, -1, 0L);
            require(address.address() == MAP_FAILED ? 1 : 0, "mmap");
            var whole = address.reinterpret(size);
            var guarded = new GuardedMemory(whole);
            require(
                    (int) MPROTECT.invokeExact(guarded.memory, guarded.memory.byteSize(), PROT_READ_AND_WRITE),
                    "mprotect");
            return guarded;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle libc(String name, FunctionDescriptor descriptor) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
    }

    private static void require(int status, String function) {
        if (status != 0) {
            throw new AssertionError(function + " failed");
        }
    }

    /**
     * What may be touched.
     *
     * @return all pages but the guards
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * The last bytes of it: the guard is right behind them.
     *
     * @param size how many bytes, up to the whole size
     * @return a slice of {@link #memory}
     * @throws IndexOutOfBoundsException if it has not that many
     */
    public MemorySegment end(long size) {
        return memory.asSlice(memory.byteSize() - size);
    }

    /**
     * The first bytes of it: the guard is right before them.
     *
     * @param size how many bytes, up to the whole size
     * @return a slice of {@link #memory}
     * @throws IndexOutOfBoundsException if it has not that many
     */
    public MemorySegment begin(long size) {
        return memory.asSlice(0, size);
    }

    /** Gives the memory back. Stands for {@code munmap}. Call it once. */
    @Override
    public void close() {
        try {
            require((int) MUNMAP.invokeExact(whole, whole.byteSize()), "munmap");
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
