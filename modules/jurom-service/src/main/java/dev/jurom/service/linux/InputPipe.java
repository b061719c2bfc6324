// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pipe to the standard input of another process that needs no thread to write: messages that do
 * not fit into the pipe are queued, and the thread of the poller writes them as the process reads.
 * This class is thread-safe.
 */
public final class InputPipe implements AutoCloseable {

    private static final class Message {

        private final byte[] bytes;
        private final Runnable written;
        private int from; // number of bytes that have been written

        Message(byte[] bytes, Runnable written) {
            this.bytes = bytes;
            this.written = written;
        }
    }

    private static final int BLOCK = 8192;

    private final Poller poller;
    private final PipeEnds ends = PipeEnds.writing();
    private final int maxMessages;
    private final long key;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Message> queue = new ArrayDeque<>(); // this and the rest: guarded by lock
    private boolean finished;
    private boolean open = true;

    /**
     * Creates a pipe.
     *
     * @param poller the poller whose thread writes queued messages
     * @param maxMessages the maximum number of queued messages
     * @throws IOException if the process has no file descriptor left
     */
    public InputPipe(Poller poller, int maxMessages) throws IOException {
        this.poller = poller;
        this.maxMessages = maxMessages;
        try {
            key = poller.watchChanges(ends.own(), this::writeQueue);
        } catch (IOException | RuntimeException e) {
            posix_h.close(ends.own());
            ends.closeOther();
            throw e;
        }
    }

    /**
     * Returns the end of the other process.
     *
     * @return a descriptor that is valid until {@link #started}
     */
    public int descriptor() {
        return ends.other();
    }

    /**
     * Closes the reading end in this process after the other process was started, so that the exit
     * of that process is detected.
     */
    public void started() {
        ends.closeOther();
    }

    /**
     * Sends a message after earlier ones, unless this pipe is finished or closed, or the process
     * has closed its input. Does not block.
     *
     * @param bytes the message, which is not copied
     * @param written called once the process can read the whole message, by the calling thread or
     *         that of the poller: it must not block
     * @return false if the message was dropped because the queue is full
     */
    public boolean send(byte[] bytes, Runnable written) {
        lock.lock();
        try {
            if (finished) {
                return true;
            }
            if (queue.size() >= maxMessages) {
                return false;
            }
            queue.add(new Message(bytes, written));
        } finally {
            lock.unlock();
        }
        writeQueue();
        return true;
    }

    /**
     * Closes the pipe after all queued messages have been written. Further messages are dropped.
     */
    public void finish() {
        lock.lock();
        try {
            finished = true;
        } finally {
            lock.unlock();
        }
        writeQueue();
    }

    private void writeQueue() {
        for (var next = writeNext(); next != null; next = writeNext()) {
            next.written.run();
        }
    }

    /** Writes the next message; returns null if the pipe is full or there is no message. */
    private @Nullable Message writeNext() {
        lock.lock();
        try {
            var next = queue.peek();
            if (next != null && isWritten(next)) {
                return queue.poll();
            }
            if (next == null && finished) {
                closeOwn();
            }
        } catch (IOException e) { // the process has closed its input
            closeOwn();
        } finally {
            lock.unlock();
        }
        return null;
    }

    private boolean isWritten(Message message) throws IOException {
        while (message.from < message.bytes.length) {
            var count = write(message.bytes, message.from);
            if (count == SystemCalls.AGAIN) {
                return false;
            }
            message.from += count;
        }
        return true;
    }

    private int write(byte[] bytes, int from) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var block = arena.allocate(Math.min(bytes.length - from, BLOCK));
            MemorySegment.copy(bytes, from, block, ValueLayout.JAVA_BYTE, 0, (int) block.byteSize());
            return SystemCalls.write(ends.own(), block);
        }
    }

    /** Closes both ends and drops queued messages. Has no effect if this pipe is closed. */
    @Override
    public void close() {
        started();
        closeOwn();
    }

    /** The other end may not have been sent to its process yet, so its number must not be reused. */
    private void closeOwn() {
        lock.lock();
        try {
            finished = true;
            queue.clear();
            if (open) {
                open = false;
                poller.forget(ends.own(), key);
                posix_h.close(ends.own());
            }
        } finally {
            lock.unlock();
        }
    }
}
