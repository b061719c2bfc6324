// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory of other processes, which C copies to and from a window of this process by DMA: a segment of the
 * plugin may be on the heap, or closed by another thread during the copy. Thread-safe.
 */
final class HostMemorySource implements MemorySource {

    private static final byte[] NO_RESPONSE = {};

    private final long context; // of C
    private @Nullable MemorySegment window; // guarded by this

    /** Memory of a host, by the number that C has given it. */
    private final class OpenRegion implements Region {

        private final long number;
        private final long size;

        OpenRegion(long number) {
            this.number = number;
            this.size = HostedPlugin.memorySize(number);
        }

        @Override
        public long byteSize() {
            return size;
        }

        @Override
        public void read(long offset, MemorySegment to) {
            synchronized (HostMemorySource.this) {
                check(HostedPlugin.copyMemory(context, number, offset, to.byteSize(), false));
                MemorySegment.copy(window(), 0, to, 0, to.byteSize());
            }
        }

        @Override
        public void write(long offset, MemorySegment from) {
            synchronized (HostMemorySource.this) {
                MemorySegment.copy(from, 0, window(), 0, from.byteSize());
                check(HostedPlugin.copyMemory(context, number, offset, from.byteSize(), true));
            }
        }

        private void check(int status) {
            if (status != 0) {
                throw failure(
                        DocaError.of(status),
                        "doca_dma_task_memcpy_alloc_init",
                        "The memory of the host was not copied");
            }
        }

        @Override
        public void close() {
            HostedPlugin.closeMemory(number);
        }
    }

    HostMemorySource(long context) {
        this.context = context;
    }

    @Override
    public synchronized Region open(byte[] export) {
        var number = HostedPlugin.openMemory(context, export);
        if (number < 0) {
            throw failure(
                    DocaError.of((int) ~number),
                    "doca_mmap_create_from_export",
                    "The memory of the host cannot be accessed");
        }
        return new OpenRegion(number);
    }

    private MemorySegment window() {
        var current = window;
        if (current == null) {
            current =
                    MemorySegment.ofAddress(HostedPlugin.memoryWindow(context)).reinterpret(PART);
            window = current;
        }
        return current;
    }

    private static DocaException failure(DocaError error, String function, String problem) {
        var advice = switch (error) {
            case INVALID_VALUE -> "The bytes are not the export of a memory map: send the result of exportPci.";
            case NOT_FOUND -> "The host has stopped its memory map, or has connected over TCP.";
            case NOT_PERMITTED ->
                "The host has exported it for reading, or the kernel denies the access: worker and host must"
                        + " have the same user, and kernel.yama.ptrace_scope must be 0.";
            case IO_FAILED -> "The host has exited, stopped its memory map or freed the memory.";
            default -> "The worker needs a device that can copy, and the library libdoca_dma.";
        };
        return DocaException.of(error, function, problem, advice, NO_RESPONSE);
    }
}
