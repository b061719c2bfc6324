// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to one peer, in order, on a thread of its own, so that a peer that does not read
 * blocks no other. Frames that wait, or are being written, are limited in number and bytes. Any
 * thread may send.
 */
final class FrameSender {

    /** What happens to a sender; told on its thread, but {@link #overflown} on the caller's. */
    interface Listener {

        /** The peer has not taken a frame within its time. */
        void failed(String why);

        /** The peer cannot be written to: it has left. */
        void gone(IOException reason);

        /** More waits than is allowed. */
        void overflown();
    }

    /** How much may wait, and how long a frame may take. */
    record Bounds(int frames, ByteBudget.Share bytes, Duration time) {
    }

    private record Waiting(byte[] bytes, Runnable written) {

        int size() {
            return OVERHEAD + bytes.length;
        }
    }

    /** Bytes of the objects that hold a frame which waits. */
    private static final int OVERHEAD = 64;
    private static final Runnable NOTHING = () -> { };

    private final OutputStream output;
    private final Bounds bounds;
    private final Timers timers;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Queue<Waiting> queue = new ArrayDeque<>(); // this and what follows: by the lock
    private boolean finished;

    FrameSender(OutputStream output, Bounds bounds, Timers timers, Listener listener) {
        this.output = output;
        this.bounds = bounds;
        this.timers = timers;
        this.listener = listener;
    }

    /** Starts the thread that writes. */
    void start(Thread.Builder thread) {
        thread.start(this::run);
    }

    /** Sends a frame, unless this has been finished. Does not wait. */
    void send(Frame frame) {
        send(frame, NOTHING);
    }

    /** Sends a frame; {@code written} is done on the sender's thread once the peer can read it. */
    void send(Frame frame, Runnable written) {
        send(FrameEncoder.encode(frame), written);
    }

    /** Sends a frame that has been encoded. */
    void send(byte[] encoded) {
        send(encoded, NOTHING);
    }

    /** Sends a frame that has been encoded; {@code written} as above. */
    void send(byte[] encoded, Runnable written) {
        var waiting = new Waiting(encoded, written);
        var overflown = false;
        lock.lock();
        try {
            if (finished) {
                return;
            }
            overflown = queue.size() >= bounds.frames || !bounds.bytes.take(waiting.size());
            if (overflown) {
                giveUp();
            } else {
                queue.add(waiting);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (overflown) {
            listener.overflown();
        }
    }

    /** Waits until fewer than {@code frames} wait, or this has been finished. */
    void awaitFewerThan(int frames) throws InterruptedException {
        lock.lock();
        try {
            while (queue.size() >= frames && !finished) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all has been written after {@link #finish}, or never will be. */
    void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts who waits for a sender", e);
        }
    }

    /** What waits is still written, and then the output closed. */
    void finish() {
        lock.lock();
        try {
            finished = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What waits is dropped. What is being written ends when the peer is closed. */
    void abandon() {
        lock.lock();
        try {
            giveUp();
        } finally {
            lock.unlock();
        }
    }

    private void giveUp() {
        finished = true;
        queue.forEach(waiting -> bounds.bytes.release(waiting.size()));
        queue.clear();
        changed.signalAll();
    }

    private void run() {
        try (output) {
            while (writeNext()) {
                // until there is no more
            }
        } catch (IOException e) {
            abandon();
            listener.gone(e);
        } catch (OutOfMemoryError e) {
            abandon();
            listener.failed("a frame could not be written: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts a sender", e);
        } finally {
            ended.countDown();
        }
    }

    /** A method of its own: while it waits for a frame, none keeps the one before in memory. */
    private boolean writeNext() throws IOException, InterruptedException {
        var next = take();
        if (next == null) {
            return false;
        }
        try {
            write(next);
        } finally {
            bounds.bytes.release(next.size());
        }
        next.written.run();
        return true;
    }

    private @Nullable Waiting take() throws InterruptedException {
        lock.lock();
        try {
            while (queue.isEmpty() && !finished) {
                changed.await();
            }
            var next = queue.poll();
            changed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void write(Waiting frame) throws IOException {
        var timer = timers.after(bounds.time, () -> listener.failed("a frame was not taken within "
                + bounds.time.toMillis() + " ms"));
        try {
            output.write(frame.bytes);
            output.flush();
        } finally {
            timer.cancel();
        }
    }
}
