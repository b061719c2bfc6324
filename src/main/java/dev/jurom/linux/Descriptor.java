// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A non-blocking descriptor on which threads can wait, virtual ones without holding a carrier.
 * Owns the descriptor until {@link #close}, which wakes the threads that wait. This class is
 * thread-safe.
 */
final class Descriptor implements AutoCloseable {

    /** A system call that returns {@link SystemCalls#AGAIN} when it would have to wait. */
    @FunctionalInterface
    interface Call {
        int make(int descriptor) throws IOException;
    }

    private final int number;
    private final Poller poller;
    private final long key;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private boolean closed;

    /** Takes over a descriptor, which is closed if it cannot be watched. */
    Descriptor(int number, Poller poller) throws IOException {
        this.number = number;
        this.poller = poller;
        try {
            this.key = poller.watchChanges(number, this::wake);
        } catch (IOException | RuntimeException e) {
            posix_h.close(number);
            throw e;
        }
    }

    private void wake() {
        lock.lock();
        try {
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Repeats a call until it need not wait. Blocks without a deadline: the caller closes this
     * descriptor when its time is up. Not interruptible; the interrupt status is preserved.
     *
     * @throws ClosedChannelException if this is or becomes closed
     */
    int await(Call call) throws IOException {
        lock.lock();
        try {
            while (true) {
                var result = once(call);
                if (result != SystemCalls.AGAIN) {
                    return result;
                }
                ready.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes a call that never waits, while the number is certain to be this descriptor's. */
    int once(Call call) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            return call.make(number);
        } finally {
            lock.unlock();
        }
    }

    /** Closes the descriptor; threads that wait on it get a {@link ClosedChannelException}. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                ready.signalAll();
                poller.forget(number, key);
                posix_h.close(number);
            }
        } finally {
            lock.unlock();
        }
    }
}
