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
 * The upcall stubs that UCX calls: one for each type of callback, valid as long as the process. The
 * 8-byte argument of each contains the number of a worker (upper half) and a number that the worker
 * assigned (lower half).
 *
 * <p>An exception must not leave an upcall, where it would end the JVM: the worker stores it for
 * {@code progress()}.
 */
final class Upcalls {

    static final MemorySegment MESSAGE =
            Upcall.to(MethodHandles.lookup(), "message", ucp_am_recv_callback_t.descriptor());
    static final MemorySegment COMPLETED =
            Upcall.to(MethodHandles.lookup(), "completed", ucp_send_nbx_callback_t.descriptor());
    static final MemorySegment RECEIVED =
            Upcall.to(MethodHandles.lookup(), "received", ucp_am_recv_data_nbx_callback_t.descriptor());

    /** Copied on write, so that callbacks read it without a lock. */
    private static volatile UcxWorker[] workers = new UcxWorker[0];

    private Upcalls() {}

    /** Assigns a number to a worker. */
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

    /** Releases the number of a worker. No callback of the worker may follow. */
    static synchronized void unregister(int number) {
        var changed = workers.clone();
        changed[number] = null;
        workers = changed;
    }

    /** Returns the callback argument for a number of a worker. */
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
            return (byte) worker.messageHandlers()
                    .arrived(numberOf(argument), header, headerLength, data, length, parameters);
        } catch (Throwable failure) {
            worker.addFailure(failure);
            return (byte) UcxStatus.OK;
        }
    }

    private static void completed(MemorySegment request, byte status, MemorySegment argument) {
        var worker = workerOf(argument);
        try {
            worker.requests().completed(request, numberOf(argument), status);
        } catch (Throwable failure) {
            worker.addFailure(failure);
        }
    }

    private static void received(MemorySegment request, byte status, long length, MemorySegment argument) {
        completed(request, status, argument);
    }
}
