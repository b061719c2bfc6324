// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pipe from the output of another process that needs no thread to read it. This class is
 * thread-safe.
 */
public final class OutputPipe implements AutoCloseable {

    /** Receives the output, on the thread of the poller: it must not block for long. */
    public interface Reader {

        /**
         * Receives bytes.
         *
         * @param bytes the next bytes, at most 8 KiB
         */
        void received(byte[] bytes);

        /** Receives the end: all processes that could write have closed the pipe. */
        void ended();
    }

    private static final int BLOCK = 8192;

    private final Poller poller;
    private final Reader reader;
    private final PipeEnds ends = PipeEnds.reading();
    private final ReentrantLock lock = new ReentrantLock();
    private long key; // this and the next: guarded by lock
    private boolean open = true;
    private boolean paused;

    /**
     * Creates a pipe.
     *
     * @param poller the poller whose thread reads the pipe
     * @param reader receives the output
     * @throws IOException if the process has no file descriptor left
     */
    public OutputPipe(Poller poller, Reader reader) throws IOException {
        this.poller = poller;
        this.reader = reader;
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
     * Closes the writing end in this process after the other process was started, so that the exit
     * of that process is detected, and begins to read.
     *
     * @throws IOException if the kernel has no memory to watch the pipe
     */
    public void started() throws IOException {
        ends.closeOther();
        lock.lock();
        try {
            if (open) {
                key = poller.watchInput(ends.own(), this::read);
            }
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        byte[] bytes;
        lock.lock();
        try {
            if (!open) {
                return;
            }
            bytes = block();
        } finally {
            lock.unlock();
        }
        if (bytes == null) {
            close();
            reader.ended();
        } else if (bytes.length > 0) {
            reader.received(bytes);
        }
    }

    /** Returns the next bytes, an empty array if there are none now, or null at the end. */
    private byte @Nullable [] block() {
        try (var arena = Arena.ofConfined()) {
            var block = arena.allocate(BLOCK);
            var length = SystemCalls.read(ends.own(), block);
            return length == 0 ? null : block.asSlice(0, Math.max(0, length)).toArray(ValueLayout.JAVA_BYTE);
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Does not read the output until {@link #resume}, nor detect its end. A process that writes waits,
     * or receives an error if its end does not block.
     */
    public void pause() {
        lock.lock();
        try {
            if (open && !paused) {
                paused = true;
                poller.forget(ends.own(), key);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the output again.
     *
     * @throws IOException if the kernel has no memory to watch the pipe
     */
    public void resume() throws IOException {
        lock.lock();
        try {
            if (open && paused) {
                key = poller.watchInput(ends.own(), this::read);
                paused = false;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes both ends; a process that still writes receives an error. The reader is not called any
     * more.
     */
    @Override
    public void close() {
        ends.closeOther();
        lock.lock();
        try {
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
