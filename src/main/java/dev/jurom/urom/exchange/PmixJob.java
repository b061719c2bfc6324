// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static dev.jurom.urom.exchange.PmixLibrary.check;

import dev.jurom.abi.pmix.pmix_byte_object_t;
import dev.jurom.abi.pmix.pmix_h;
import dev.jurom.abi.pmix.pmix_info_t;
import dev.jurom.abi.pmix.pmix_op_cbfunc_t;
import dev.jurom.abi.pmix.pmix_proc_t;
import dev.jurom.abi.pmix.pmix_value_t;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.core.DocaError;
import dev.jurom.core.internal.WeakTable;
import dev.jurom.runtime.internal.Upcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * The job in which a PMIx launcher has started this process, with the calls that an exchange needs.
 */
final class PmixJob {

    private static final MemorySegment FENCED =
            Upcall.to(MethodHandles.lookup(), "fenced", pmix_op_cbfunc_t.descriptor());
    private static final WeakTable<Fence> FENCES = new WeakTable<>();

    /** A barrier in progress. A thread of PMIx completes it. */
    static final class Fence {

        private static final int PENDING = 1; // errors are negative, and success is 0

        private final long ticket = FENCES.add(this);
        private volatile int status = PENDING;

        /**
         * Returns whether all processes have reached the barrier; throws an exception if they
         * cannot.
         */
        boolean isComplete() {
            var now = status;
            if (now == PENDING) {
                return false;
            }
            if (now != pmix_h.PMIX_SUCCESS()) {
                throw new ExchangeException(
                        DocaError.CONNECTION_RESET,
                        "Not all ranks of the job reached the barrier; one may have exited: PMIx_Fence_nb"
                                + " failed with "
                                + PmixLibrary.text(now));
            }
            return true;
        }

        /** Unregisters the callback. */
        void unregister() {
            FENCES.remove(ticket);
        }
    }

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment process = pmix_proc_t.allocate(arena);
    private final MemorySegment collect = pmix_info_t.allocate(arena);

    private PmixJob() {}

    /** Joins the job. Stands for {@code PMIx_Init}. */
    static PmixJob join() {
        PmixLibrary.load();
        var job = new PmixJob();
        check(pmix_h.PMIx_Init(job.process, MemorySegment.NULL, 0), "PMIx_Init");
        pmix_info_t.key(job.collect).copyFrom(withoutSegmentEnd(pmix_h.PMIX_COLLECT_DATA()));
        var value = pmix_info_t.value(job.collect);
        pmix_value_t.type(value, (short) pmix_h.PMIX_BOOL());
        pmix_value_t.data.flag(pmix_value_t.data(value), true);
        return job;
    }

    private static MemorySegment withoutSegmentEnd(MemorySegment text) {
        return text.asSlice(0, text.getString(0).length() + 1L);
    }

    /** Returns the rank of this process. */
    int rank() {
        return pmix_proc_t.rank(process);
    }

    /**
     * Returns the number of processes of the job. Stands for {@code PMIx_Get} of
     * {@code PMIX_JOB_SIZE}.
     */
    int size() {
        try (var call = Arena.ofConfined()) {
            return get(pmix_h.PMIX_RANK_WILDCARD(), pmix_h.PMIX_JOB_SIZE(), call, value -> {
                if (pmix_value_t.type(value) != pmix_h.PMIX_UINT32()) {
                    throw new ExchangeException(
                            DocaError.UNEXPECTED, "PMIx did not return the size of the job as a 32-bit number");
                }
                return pmix_value_t.data.uint32(pmix_value_t.data(value));
            });
        }
    }

    /** Publishes bytes to the processes of the job. Stands for {@code PMIx_Put} and {@code PMIx_Commit}. */
    void put(String key, byte[] bytes) {
        try (var call = Arena.ofConfined()) {
            var value = pmix_value_t.allocate(call);
            pmix_value_t.type(value, (short) pmix_h.PMIX_BYTE_OBJECT());
            var object = pmix_value_t.data.bo(pmix_value_t.data(value));
            pmix_byte_object_t.bytes(object, call.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
            pmix_byte_object_t.size(object, bytes.length);
            check(pmix_h.PMIx_Put((byte) pmix_h.PMIX_GLOBAL(), call.allocateFrom(key), value), "PMIx_Put");
        }
        check(pmix_h.PMIx_Commit(), "PMIx_Commit");
    }

    /**
     * Begins a barrier that also distributes the published bytes. Stands for {@code PMIx_Fence_nb}.
     * The caller must keep the result reachable until the barrier is complete.
     */
    Fence fence() {
        var fence = new Fence();
        check(
                pmix_h.PMIx_Fence_nb(MemorySegment.NULL, 0, collect, 1, FENCED, MemorySegment.ofAddress(fence.ticket)),
                "PMIx_Fence_nb");
        return fence;
    }

    /** Called by a thread of PMIx; must not throw exceptions. */
    private static void fenced(int status, MemorySegment ticket) {
        var fence = FENCES.get(ticket.address());
        if (fence != null) {
            fence.status = status;
        }
    }

    /** Copies the bytes that a process has published. Stands for {@code PMIx_Get}. */
    void get(int rank, String key, byte[] target, int offset, int length) {
        try (var call = Arena.ofConfined()) {
            get(rank, call.allocateFrom(key), call, value -> {
                var object = pmix_value_t.data.bo(pmix_value_t.data(value));
                if (pmix_value_t.type(value) != pmix_h.PMIX_BYTE_OBJECT()
                        || pmix_byte_object_t.size(object) != length) {
                    throw new ExchangeException(
                            DocaError.INVALID_VALUE,
                            "Participant " + rank
                                    + " contributed a block of " + pmix_byte_object_t.size(object)
                                    + " bytes instead of " + length + ": all blocks must have the same length");
                }
                MemorySegment.copy(
                        pmix_byte_object_t.bytes(object).reinterpret(length),
                        ValueLayout.JAVA_BYTE,
                        0,
                        target,
                        offset,
                        length);
                return length;
            });
        }
    }

    private interface Reader {

        int read(MemorySegment value);
    }

    private int get(int rank, MemorySegment key, Arena call, Reader reader) {
        var proc = pmix_proc_t.allocate(call).copyFrom(process);
        pmix_proc_t.rank(proc, rank);
        var result = call.allocate(ValueLayout.ADDRESS);
        check(pmix_h.PMIx_Get(proc, key, MemorySegment.NULL, 0, result), "PMIx_Get");
        var value = pmix_value_t.reinterpret(result.get(ValueLayout.ADDRESS, 0), call, null);
        try {
            return reader.read(value);
        } finally {
            release(value);
        }
    }

    /** Stands for {@code PMIX_VALUE_RELEASE}, which is a macro. */
    private static void release(MemorySegment value) {
        if (pmix_value_t.type(value) == pmix_h.PMIX_BYTE_OBJECT()) {
            posix_h.free(pmix_byte_object_t.bytes(pmix_value_t.data.bo(pmix_value_t.data(value))));
        }
        posix_h.free(value);
    }

    /** Leaves the job. Stands for {@code PMIx_Finalize}. */
    void leave() {
        pmix_h.PMIx_Finalize(MemorySegment.NULL, 0);
    }
}
