// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to one host in order. It takes a thread of the pool while frames are queued, so that a host
 * that does not read blocks no other. The number and size of unwritten frames are limited. This class is
 * thread-safe.
 */
public final class FrameSender {

    /**
     * Receives events of a sender: {@link #overflowed} on the thread that queues a frame, the others on a thread of
     * the pool or the timers. They must not block.
     */
    public interface Listener {

        /**
         * The peer has not received a frame within its time, or there was no memory to write it.
         *
         * @param why a clause for the log, which states the time
         */
        void failed(String why);

        /**
         * The peer has disconnected.
         *
         * @param reason the failure of the stream
         */
        void disconnected(IOException reason);

        /** The queue exceeds its limit. */
        void overflowed();
    }

    /**
     * The limits on the queue, and on the time for a frame.
     *
     * @param frames maximum number of unwritten frames
     * @param bytes the budget of the unwritten frames
     * @param time maximum time until the kernel has accepted a frame
     */
    public record Bounds(int frames, ByteBudget.Share bytes, Duration time) {}

    private record Waiting(byte[] bytes, Runnable written) {

        int size() {
            return OVERHEAD + bytes.length;
        }
    }

    /** Heap bytes of the objects that hold a queued frame. */
    private static final int OVERHEAD = 64;

    private static final Runnable NOTHING = () -> {};
    /** Marks the end of the output in the queue. */
    private static final Waiting END = new Waiting(new byte[0], NOTHING);

    private final OutputStream output;
    private final Bounds bounds;
    private final Timers timers;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Queue<Waiting> queue = new ArrayDeque<>(); // this and the next two: guarded by the lock
    private boolean finished;
    private boolean writing; // a thread is writing or about to, or has closed the output

    /**
     * Creates a sender with an empty queue, and without a thread.
     *
     * @param output the data to the peer, which this closes at its end
     * @param bounds the limits on the queue and on the time for a frame
     * @param timers runs the thread that writes, and its deadlines
     * @param listener receives events
     */
    public FrameSender(OutputStream output, Bounds bounds, Timers timers, Listener listener) {
        this.output = output;
        this.bounds = bounds;
        this.timers = timers;
        this.listener = listener;
    }

    /**
     * Queues a frame, unless this has been finished. Does not block. A frame that exceeds the limits is dropped
     * with the whole queue, and the listener receives {@link Listener#overflowed}.
     *
     * @param frame the frame
     */
    public void send(Frame.Outgoing frame) {
        send(frame, NOTHING);
    }

    /**
     * Queues a frame as {@link #send(Frame.Outgoing)} does.
     *
     * @param frame the frame
     * @param written runs on the sender's thread once the peer can read the frame
     */
    void send(Frame.Outgoing frame, Runnable written) {
        send(FrameEncoder.encode(frame), written);
    }

    /**
     * Queues an encoded frame as {@link #send(Frame.Outgoing)} does.
     *
     * @param encoded the bytes of the frame, which are not copied
     */
    public void send(byte[] encoded) {
        send(encoded, NOTHING);
    }

    /**
     * Queues an encoded frame as {@link #send(Frame.Outgoing)} does.
     *
     * @param encoded the bytes of the frame, which are not copied
     * @param written runs on the sender's thread once the peer can read the frame
     */
    void send(byte[] encoded, Runnable written) {
        var waiting = new Waiting(encoded, written);
        var overflowed = false;
        lock.lock();
        try {
            if (finished) {
                return;
            }
            overflowed = queue.size() >= bounds.frames || !bounds.bytes.take(waiting.size());
            if (overflowed) {
                discard();
            } else {
                queue.add(waiting);
                write();
            }
        } finally {
            lock.unlock();
        }
        if (overflowed) {
            listener.overflowed();
        }
    }

    /**
     * Blocks until fewer than a number of frames are queued, or this has been finished.
     *
     * @param frames the number
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void awaitFewerThan(int frames) throws InterruptedException {
        lock.lock();
        try {
            while (queue.size() >= frames && !finished) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until all queued frames are written after {@link #finish}, or can no longer be written. */
    public void awaitEnd() {
        ended.join();
    }

    /**
     * Runs an action as soon as {@link #awaitEnd} would not block.
     *
     * @param action runs on the thread that ends the output, or at once on this one; it must not block
     */
    public void atEnd(Runnable action) {
        ended.thenRun(action);
    }

    /** Writes the queued frames and then closes the output. Does not accept further frames. */
    public void finish() {
        lock.lock();
        try {
            finished = true;
            write();
        } finally {
            lock.unlock();
        }
    }

    /** Discards the queued frames. A write in progress ends when the connection is closed. */
    public void abandon() {
        lock.lock();
        try {
            discard();
        } finally {
            lock.unlock();
        }
    }

    private void discard() {
        finished = true;
        queue.forEach(waiting -> bounds.bytes.release(waiting.size()));
        queue.clear();
        write();
    }

    private void write() {
        changed.signalAll();
        if (!writing) {
            writing = true;
            timers.run(this::run);
        }
    }

    private void run() {
        var last = true;
        try {
            last = writeAll();
        } catch (IOException e) {
            abandon();
            listener.disconnected(e);
        } catch (OutOfMemoryError e) {
            abandon();
            listener.failed("a frame could not be written: " + e.getMessage());
        } finally {
            if (last) {
                end();
            }
        }
    }

    /** Writes the queued frames, and returns whether the end of the output is reached. */
    private boolean writeAll() throws IOException {
        for (var next = take(); next != null; next = take()) {
            if (next == END) {
                output.close();
                return true;
            }
            try {
                write(next);
            } finally {
                bounds.bytes.release(next.size());
            }
            next.written.run();
        }
        return false;
    }

    private void end() {
        try {
            output.close();
        } catch (IOException e) {
            // The peer has disconnected.
        } finally {
            ended.complete(null);
        }
    }

    private @Nullable Waiting take() {
        lock.lock();
        try {
            if (queue.isEmpty() && finished) {
                return END;
            }
            var next = queue.poll();
            writing = next != null;
            changed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void write(Waiting frame) throws IOException {
        var timer = timers.after(
                bounds.time,
                () -> listener.failed("a frame was not accepted within " + bounds.time.toMillis() + " ms"));
        try {
            output.write(frame.bytes);
            output.flush();
        } finally {
            timer.cancel();
        }
    }
}
