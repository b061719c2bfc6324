// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking file descriptor on which threads can wait. It owns the descriptor until
 * {@link #close}, which wakes waiting threads. This class is thread-safe.
 */
final class Descriptor implements AutoCloseable {

    /** A system call that returns {@link SystemCalls#AGAIN} if it would block. */
    @FunctionalInterface
    interface Call {
        int make(int descriptor) throws IOException;
    }

    /**
     * A system call that reads: it returns the number of bytes, 0 at the end, or
     * {@link SystemCalls#AGAIN}.
     */
    @FunctionalInterface
    interface Transfer {
        int make(int descriptor, MemorySegment into) throws IOException;
    }

    private static final int BLOCK = 8192;

    private final int number;
    private final Poller poller;
    private final long key;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private boolean closed; // this and the next: guarded by lock
    private @Nullable Runnable onInput;

    /** Takes ownership of a file descriptor, which is closed if it cannot be watched. */
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
        var action = actionOnInput();
        try {
            run(action);
        } catch (RuntimeException | Error e) { // the poller calls again
            lock.lock();
            try {
                onInput = action;
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private @Nullable Runnable actionOnInput() {
        lock.lock();
        try {
            ready.signalAll();
            return onInput == null || waitsForInput() ? null : takeAction();
        } finally {
            lock.unlock();
        }
    }

    private boolean waitsForInput() {
        try {
            return !closed && !SystemCalls.isReadable(number);
        } catch (IOException e) {
            return false; // the next receive throws it
        }
    }

    private @Nullable Runnable takeAction() {
        var action = onInput;
        onInput = null;
        return action;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    /**
     * Returns whether a receive would not block. Otherwise {@code later} is run once, as soon as it
     * would not block or this descriptor is closed, by the thread of the poller or the closing
     * thread: it must not block. At most one action is pending at a time.
     */
    boolean hasInput(Runnable later) {
        lock.lock();
        try {
            var waits = waitsForInput();
            onInput = waits ? later : null;
            return !waits;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Repeats a call until it does not block. Waits without a timeout: the caller closes this
     * descriptor to end the wait. Not interruptible: the interrupt status is preserved.
     *
     * @throws ClosedChannelException if this descriptor is or becomes closed
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

    /**
     * Makes a call that never blocks, while the number is guaranteed to be that of this descriptor.
     */
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

    /**
     * Returns a stream whose reads block until there is data, the end, or this descriptor is
     * closed.
     */
    InputStream input(Transfer read) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                Objects.checkFromIndexSize(from, length, bytes.length);
                return length == 0 ? 0 : transfer(read, bytes, from, Math.min(length, BLOCK));
            }
        };
    }

    private int transfer(Transfer read, byte[] bytes, int from, int length) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var block = arena.allocate(length);
            var count = await(descriptor -> read.make(descriptor, block));
            MemorySegment.copy(block, ValueLayout.JAVA_BYTE, 0, bytes, from, count);
            return count == 0 ? -1 : count;
        }
    }

    /** Closes the descriptor; waiting threads receive a {@link ClosedChannelException}. */
    @Override
    public void close() {
        Runnable action = null;
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                ready.signalAll();
                poller.forget(number, key);
                posix_h.close(number);
                action = takeAction();
            }
        } finally {
            lock.unlock();
        }
        run(action);
    }
}
