// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread that waits for any number of file descriptors, so that none of them needs its own
 * thread. Stands for {@code epoll}. This class is thread-safe.
 */
public final class Poller implements AutoCloseable {

    /**
     * Handles events of a file descriptor. Called on the thread of the poller: it must not block.
     */
    @FunctionalInterface
    interface Handler {

        /**
         * Called when the descriptor is ready, its peer has disconnected or an error has occurred;
         * these cases are not distinguished.
         */
        void ready();
    }

    private static final int EVENTS = 64;
    /** The kernel packs {@code struct epoll_event} on x86-64 only. */
    private static final boolean IS_PACKED = System.getProperty("os.arch").equals("amd64");

    private static final int DATA_AT = IS_PACKED ? Integer.BYTES : Long.BYTES;
    private static final int EVENT_SIZE = DATA_AT + Long.BYTES;
    private static final long STOP = 0;
    private static final long ROUND = 1;
    private static final int ATTEMPTS = 100;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int epoll;
    private final int stop;
    private final int round;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final AtomicLong keys = new AtomicLong(ROUND);
    private final AtomicLong rounds = new AtomicLong();
    private final ReentrantLock closing = new ReentrantLock(); // the thread closes the descriptors after close()
    private boolean closed; // guarded by closing

    /**
     * Starts the thread.
     *
     * @param factory creates the thread
     * @throws IOException if the process has no file descriptor left
     */
    public Poller(ThreadFactory factory) throws IOException {
        epoll = SystemCalls.epollCreate();
        stop = posix_h.eventfd(0, posix_h.EFD_CLOEXEC() | posix_h.EFD_NONBLOCK());
        round = posix_h.eventfd(0, posix_h.EFD_CLOEXEC() | posix_h.EFD_NONBLOCK());
        if (stop < 0 || round < 0) {
            posix_h.close(round);
            posix_h.close(stop);
            posix_h.close(epoll);
            throw new IOException("no event descriptor could be created: raise the limit of open files (ulimit -n)");
        }
        control(posix_h.EPOLL_CTL_ADD(), stop, posix_h.EPOLLIN(), STOP);
        control(posix_h.EPOLL_CTL_ADD(), round, posix_h.EPOLLIN() | posix_h.EPOLLET(), ROUND);
        factory.newThread(this::run).start();
    }

    /**
     * Calls a handler whenever a descriptor becomes readable or writable, or its peer disconnects:
     * once for each change, so the handler must continue until a call would block.
     *
     * @return a key for {@link #forget}
     * @throws IOException if the kernel has no memory for it
     */
    long watchChanges(int descriptor, Handler handler) throws IOException {
        return watch(
                descriptor, posix_h.EPOLLIN() | posix_h.EPOLLOUT() | posix_h.EPOLLRDHUP() | posix_h.EPOLLET(), handler);
    }

    /** Calls a handler repeatedly while a descriptor is readable or at its end. */
    long watchInput(int descriptor, Handler handler) throws IOException {
        return watch(descriptor, posix_h.EPOLLIN(), handler);
    }

    private long watch(int descriptor, int events, Handler handler) throws IOException {
        var key = keys.incrementAndGet();
        handlers.put(key, handler);
        try {
            control(posix_h.EPOLL_CTL_ADD(), descriptor, events, key);
            return key;
        } catch (IOException | RuntimeException e) {
            handlers.remove(key);
            throw e;
        }
    }

    /**
     * Unregisters a handler; a call that has begun may still be running. To be called before the
     * descriptor is closed.
     */
    void forget(int descriptor, long key) {
        handlers.remove(key);
        try {
            control(posix_h.EPOLL_CTL_DEL(), descriptor, 0, key);
        } catch (IOException e) {
            // The poller is closed and watches no descriptors.
        }
    }

    private void control(int operation, int descriptor, int events, long key) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var event = arena.allocate(EVENT_SIZE);
            event.set(INT, 0, events);
            event.set(LONG, DATA_AT, key);
            SystemCalls.epollControl(epoll, operation, descriptor, event);
        }
    }

    private void run() {
        try (var arena = Arena.ofConfined()) {
            var events = arena.allocate((long) EVENTS * EVENT_SIZE);
            var running = true;
            while (running) {
                running = handle(events, SystemCalls.epollWait(epoll, events, EVENTS));
            }
        } catch (IOException e) {
            throw new AssertionError("waiting for the descriptor of the poller failed", e);
        } finally {
            posix_h.close(round);
            posix_h.close(stop);
            posix_h.close(epoll);
        }
    }

    private boolean handle(MemorySegment events, int count) {
        var running = true;
        for (var i = 0; i < count; i++) {
            var key = events.get(LONG, (long) i * EVENT_SIZE + DATA_AT);
            var handler = handlers.get(key);
            if (key == STOP) {
                running = false;
            } else if (key == ROUND) {
                rounds.incrementAndGet();
            } else if (handler != null) {
                call(handler);
            }
        }
        return running;
    }

    /** An edge is reported once, so a handler that fails for lack of memory is called again. */
    private static void call(Handler handler) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                handler.ready();
                return;
            } catch (Throwable e) { // no exception may end the thread that all descriptors share
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Returns the lowest number that a new file descriptor of this process would get, which
     * indicates how many are open, since the kernel assigns the lowest free number.
     *
     * @return at least 0
     * @throws IOException if the process has no file descriptor left
     */
    public int lowestFreeNumber() throws IOException {
        var number = posix_h.dup(epoll);
        if (number < 0) {
            throw new IOException("the process has no file descriptor left");
        }
        posix_h.close(number);
        return number;
    }

    /**
     * Wakes the thread, which shows that no handler blocks it.
     *
     * @param limit maximum time to wait
     * @return whether the thread has woken up in time; false if this is closed
     */
    public boolean answers(Duration limit) {
        var before = rounds.get();
        var start = System.nanoTime();
        wake();
        while (rounds.get() == before && System.nanoTime() - start < limit.toNanos()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return rounds.get() != before;
    }

    private void wake() {
        closing.lock();
        try {
            if (!closed) {
                posix_h.eventfd_write(round, 1);
            }
        } finally {
            closing.unlock();
        }
    }

    /** Stops the thread, asynchronously. Handlers are not called any more. */
    @Override
    public void close() {
        closing.lock();
        try {
            if (!closed) {
                closed = true;
                posix_h.eventfd_write(stop, 1);
            }
        } finally {
            closing.unlock();
        }
    }
}
