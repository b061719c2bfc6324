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
 * Pages of memory between two inaccessible pages, so that an access beyond the end always fails: it
 * terminates the process (SIGSEGV) or, in Java, throws an {@link InternalError}.
 *
 * <p>This class is thread-safe. The memory is valid until it is closed; a later access fails in the
 * same way, or reaches memory that has replaced it.
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
     * Maps zeroed pages between two guard pages. Stands for {@code mmap} and {@code mprotect}.
     *
     * @param pages the number of pages, at least 1
     * @return the memory, which the caller must close
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
     * Returns the accessible memory.
     *
     * @return all pages except the guard pages
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Returns the last bytes of the accessible memory, which end at the guard page.
     *
     * @param size the number of bytes
     * @return a slice of {@link #memory}
     * @throws IndexOutOfBoundsException if {@code size} is negative or exceeds the accessible
     *         memory
     */
    public MemorySegment end(long size) {
        return memory.asSlice(memory.byteSize() - size);
    }

    /**
     * Returns the first bytes of the accessible memory, which begin after the guard page.
     *
     * @param size the number of bytes
     * @return a slice of {@link #memory}
     * @throws IndexOutOfBoundsException if {@code size} is negative or exceeds the accessible
     *         memory
     */
    public MemorySegment begin(long size) {
        return memory.asSlice(0, size);
    }

    /** Unmaps the memory. Must be called once. Stands for {@code munmap}. */
    @Override
    public void close() {
        try {
            require((int) MUNMAP.invokeExact(whole, whole.byteSize()), "munmap");
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
