// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

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
 * Writes frames to one host, in order, on a thread of its own while frames wait, so that a host that
 * does not read blocks no other. Frames that wait, or are being written, are limited in number and
 * bytes. Any thread may send.
 */
public final class FrameSender {

    /** What happens to a sender; told on its thread, but {@link #overflown} on the caller's. */
    public interface Listener {

        /** The peer has not taken a frame within its time. */
        void failed(String why);

        /** The peer cannot be written to: it has left. */
        void gone(IOException reason);

        /** More waits than is allowed. */
        void overflown();
    }

    /** How much may wait, and how long a frame may take. */
    public record Bounds(int frames, ByteBudget.Share bytes, Duration time) {}

    private record Waiting(byte[] bytes, Runnable written) {

        int size() {
            return OVERHEAD + bytes.length;
        }
    }

    /** Bytes of the objects that hold a frame which waits. */
    private static final int OVERHEAD = 64;

    private static final Runnable NOTHING = () -> {};
    /** Stands for the end of the output. */
    private static final Waiting END = new Waiting(new byte[0], NOTHING);

    private final OutputStream output;
    private final Bounds bounds;
    private final Timers timers;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Queue<Waiting> queue = new ArrayDeque<>(); // this and what follows: by the lock
    private boolean finished;
    private boolean writing; // a thread writes, is about to, or has closed the output

    public FrameSender(OutputStream output, Bounds bounds, Timers timers, Listener listener) {
        this.output = output;
        this.bounds = bounds;
        this.timers = timers;
        this.listener = listener;
    }

    /** Sends a frame, unless this has been finished. Does not wait. */
    public void send(Frame frame) {
        send(frame, NOTHING);
    }

    /** Sends a frame; {@code written} is done on the sender's thread once the peer can read it. */
    public void send(Frame frame, Runnable written) {
        send(FrameEncoder.encode(frame), written);
    }

    /** Sends a frame that has been encoded. */
    public void send(byte[] encoded) {
        send(encoded, NOTHING);
    }

    /** Sends a frame that has been encoded; {@code written} as above. */
    public void send(byte[] encoded, Runnable written) {
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
                write();
            }
        } finally {
            lock.unlock();
        }
        if (overflown) {
            listener.overflown();
        }
    }

    /** Waits until fewer than {@code frames} wait, or this has been finished. */
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

    /** Waits until all has been written after {@link #finish}, or never will be. */
    public void awaitEnd() {
        ended.join();
    }

    /** Does something as soon as {@link #awaitEnd} would not wait. It must not wait. */
    public void atEnd(Runnable action) {
        ended.thenRun(action);
    }

    /** What waits is still written, and then the output closed. */
    public void finish() {
        lock.lock();
        try {
            finished = true;
            write();
        } finally {
            lock.unlock();
        }
    }

    /** What waits is dropped. What is being written ends when the peer is closed. */
    public void abandon() {
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
            listener.gone(e);
        } catch (OutOfMemoryError e) {
            abandon();
            listener.failed("a frame could not be written: " + e.getMessage());
        } finally {
            if (last) {
                end();
            }
        }
    }

    /** Writes what waits, and returns whether that is all that there will be. */
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
            // The peer has left.
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
                bounds.time, () -> listener.failed("a frame was not taken within " + bounds.time.toMillis() + " ms"));
        try {
            output.write(frame.bytes);
            output.flush();
        } finally {
            timer.cancel();
        }
    }
}
