// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_am_recv_callback_t;
import dev.jurom.abi.ucx.ucp_am_recv_data_nbx_callback_t;
import dev.jurom.abi.ucx.ucp_send_nbx_callback_t;
import dev.jurom.runtime.internal.Upcall;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;

/**
 * The functions that UCX calls: one stub per type for the life of the process. The 8-byte argument
 * of each holds the number of a worker (upper half) and one of the worker's own (lower half).
 *
 * <p>An exception that left an upcall would end the JVM: the worker keeps it for its
 * {@code progress()}.
 */
final class Upcalls {

    static final MemorySegment MESSAGE =
            Upcall.to(MethodHandles.lookup(), "message", ucp_am_recv_callback_t.descriptor());
    static final MemorySegment COMPLETED =
            Upcall.to(MethodHandles.lookup(), "completed", ucp_send_nbx_callback_t.descriptor());
    static final MemorySegment RECEIVED =
            Upcall.to(MethodHandles.lookup(), "received", ucp_am_recv_data_nbx_callback_t.descriptor());

    /** Replaced, never changed, so that callbacks read it without a lock. */
    private static volatile UcxWorker[] workers = new UcxWorker[0];

    private Upcalls() {}

    /** Gives a worker a number. */
    static synchronized int register(UcxWorker worker) {
        var number = 0;
        while (number < workers.length && workers[number] != null) {
            number++;
        }
        var changed = Arrays.copyOf(workers, Math.max(workers.length, number + 1));
        changed[number] = worker;
        workers = changed;
        return number;
    }

    /** Frees a worker's number: no callback may come any more. */
    static synchronized void unregister(int number) {
        var changed = workers.clone();
        changed[number] = null;
        workers = changed;
    }

    /** The callback argument for something that a worker numbered. */
    static MemorySegment argument(int worker, int number) {
        return MemorySegment.ofAddress((long) worker << Integer.SIZE | number);
    }

    private static UcxWorker workerOf(MemorySegment argument) {
        return workers[(int) (argument.address() >>> Integer.SIZE)];
    }

    private static int numberOf(MemorySegment argument) {
        return (int) argument.address();
    }

    private static byte message(
            MemorySegment argument,
            MemorySegment header,
            long headerLength,
            MemorySegment data,
            long length,
            MemorySegment parameters) {
        var worker = workerOf(argument);
        try {
            return (byte) worker.messages().arrived(numberOf(argument), header, headerLength, data, length, parameters);
        } catch (Throwable failure) {
            worker.keep(failure);
            return (byte) UcxStatus.OK;
        }
    }

    private static void completed(MemorySegment request, byte status, MemorySegment argument) {
        var worker = workerOf(argument);
        try {
            worker.requests().completed(request, numberOf(argument), status);
        } catch (Throwable failure) {
            worker.keep(failure);
        }
    }

    private static void received(MemorySegment request, byte status, long length, MemorySegment argument) {
        completed(request, status, argument);
    }
}
