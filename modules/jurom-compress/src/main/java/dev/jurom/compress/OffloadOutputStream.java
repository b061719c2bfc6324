// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.compress.BlockCosts.Caller;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Compresses a stream in blocks, several of which are in flight. Each block becomes a frame; the frames are written
 * in order. Any program that reads the format reads the result.
 *
 * <p>A failure is final, whether a block, the destination or the memory of this process is its cause: the destination
 * has received the frames of all blocks before the failed one, at most a part of that block's frame, and none of a
 * later one. Each later call throws a new exception with the failure as its cause, {@link #close} included, which still
 * closes the destination. Frames are independent, so that the frames before a failure are a valid but shorter stream:
 * discard it. Only the interruption of a thread that waits for a worker is not a failure, and the call can be repeated.
 * Not thread-safe.
 */
public final class OffloadOutputStream extends OutputStream {

    /** A block with the buffers for its content and its frame. */
    private static final class Slot {

        byte[] content = new byte[FIRST_SIZE];
        byte[] frame = new byte[0];
        int length;
        long offset;

        @Nullable
        CompletableFuture<MemorySegment> future;

        void reserve(int size, int blockSize) {
            if (size > content.length) {
                content = Arrays.copyOf(content, Math.max(size, Math.min(2 * content.length, blockSize)));
            }
        }

        void reserveFrame() {
            var size = Math.toIntExact(CompressionFormat.maxCompressedSize(length));
            if (size > frame.length) {
                frame = new byte[size];
            }
        }
    }

    /** The initial size of a buffer, because a program may write many short streams at the same time. */
    private static final int FIRST_SIZE = 4 << 10;

    private final Compression compression;
    private final CompressionParameters parameters;
    private final OutputStream out;
    private final int blockSize;
    private final int blocksInFlight;
    private final int maxBlocks; // in flight, or waiting for the frame of an earlier one
    private final ArrayDeque<Slot> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Slot> free = new ArrayDeque<>();
    private Slot current = new Slot();
    private long position;
    private long resumed = System.nanoTime(); // when the application continued to write
    private boolean any; // a frame was submitted
    private boolean finished;
    private boolean closing;
    private boolean closed;
    private @Nullable Throwable failure; // the first failure

    /**
     * Creates a stream.
     *
     * @param compression compresses the blocks; must stay open while this is used
     * @param parameters the parameters of all blocks
     * @param out the destination, which {@link #close} closes
     * @throws IllegalArgumentException if frames of the format cannot be concatenated
     */
    public OffloadOutputStream(Compression compression, CompressionParameters parameters, OutputStream out) {
        if (!parameters.format().concatenates()) {
            throw new IllegalArgumentException(parameters.format() + " cannot be concatenated: use ZSTD, LZ4 or GZIP");
        }
        this.compression = compression;
        this.parameters = parameters;
        this.out = Objects.requireNonNull(out);
        this.blockSize = compression.blockSize();
        this.blocksInFlight = compression.configuration().blocksInFlight();
        this.maxBlocks = compression.maxBlocksOfStream();
    }

    /**
     * Returns the position of this stream.
     *
     * @return the number of uncompressed bytes that were written to this
     */
    public long position() {
        return position;
    }

    /**
     * Writes a byte.
     *
     * @throws CompressionException if a block fails, with its offset
     * @throws InterruptedIOException if the current thread is interrupted while waiting for a worker; the byte was not
     *         accepted, the interrupt status is preserved, and the stream remains usable
     */
    @Override
    public void write(int value) throws IOException {
        var room = Math.min(current.content.length, blockSize - 1);
        if (failure != null || finished || current.length >= room) {
            write(new byte[] {(byte) value}, 0, 1);
        } else {
            current.content[current.length++] = (byte) value;
            position++;
        }
    }

    /**
     * Writes bytes. Blocks while the maximum number of blocks is in flight, or compresses blocks on the current thread if
     * the mode is not {@link CompressionMode#OFFLOAD}.
     *
     * @throws CompressionException if a block fails, with its offset
     * @throws InterruptedIOException if the current thread is interrupted while waiting for a worker, with the number
     *         of bytes that were accepted; the interrupt status is preserved, and the stream remains usable
     */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        requireUsable();
        if (finished) {
            throw new IOException("the stream is finished");
        }
        var before = position;
        try {
            perform(() -> accept(bytes, offset, length));
        } catch (Interruption e) {
            e.bytesTransferred = (int) (position - before);
            throw e;
        }
    }

    private void accept(byte[] bytes, int offset, int length) throws IOException {
        var end = position + length;
        while (position < end) {
            if (current.length == blockSize) {
                submit(false); // waits before it accepts more, so that an interrupted call accepts nothing twice
            }
            var left = (int) (end - position);
            var part = Math.min(left, blockSize - current.length);
            current.reserve(current.length + part, blockSize);
            System.arraycopy(bytes, offset + length - left, current.content, current.length, part);
            current.length += part;
            position += part;
        }
        if (current.length == blockSize) {
            writeReady();
            if (inFlight.size() < maxBlocks) {
                submit(false);
            }
        }
    }

    /** A step of a public method. */
    private interface Step {
        void run() throws IOException;
    }

    /** The interruption of a thread that waits for a worker, as opposed to one that the destination reports. */
    private static final class Interruption extends InterruptedIOException {

        private static final long serialVersionUID = 1;

        Interruption() {
            super("interrupted while a block is compressed");
        }
    }

    /** Runs a step. Nothing may be written after one that failed: it may have written a part of a frame. */
    private void perform(Step step) throws IOException {
        try {
            step.run();
        } catch (Interruption e) {
            throw e;
        } catch (Throwable e) { // including errors, such as a lack of memory
            failure = e;
            throw e;
        }
    }

    /**
     * Submits the current block when there are fewer than the maximum number of blocks.
     *
     * @param isAwaited whether this stream then waits for the block
     */
    private void submit(boolean isAwaited) throws IOException {
        var caller = isAwaited ? Caller.WAITING : Caller.stream(blocksInFlight, System.nanoTime() - resumed);
        writeReady();
        while (inFlight.size() >= maxBlocks) {
            writeFirst();
        }
        var slot = current;
        slot.offset = position - slot.length;
        slot.reserveFrame();
        slot.future = compression.compress(
                parameters,
                MemorySegment.ofArray(slot.content).asSlice(0, slot.length),
                MemorySegment.ofArray(slot.frame),
                caller);
        inFlight.add(slot);
        any = true;
        var next = free.poll();
        current = next == null ? new Slot() : next;
        current.length = 0;
        resumed = System.nanoTime();
    }

    /** Writes the frames that are complete, so that the destination is busy while workers are. */
    private void writeReady() throws IOException {
        while (!inFlight.isEmpty()
                && Objects.requireNonNull(inFlight.getFirst().future).isDone()) {
            writeFirst();
        }
    }

    /** Waits for the first block in flight, and writes its frame. */
    private void writeFirst() throws IOException {
        var slot = inFlight.getFirst();
        var future = Objects.requireNonNull(slot.future);
        MemorySegment frame;
        try {
            frame = closing ? future.join() : future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interruption();
        } catch (ExecutionException | CompletionException e) {
            throw failureAt(slot.offset, e.getCause());
        }
        out.write(slot.frame, 0, (int) frame.byteSize());
        inFlight.removeFirst();
        free.add(slot);
    }

    static CompressionException failureAt(long offset, @Nullable Throwable cause) {
        return cause instanceof CompressionException e
                ? e.at(offset)
                : new CompressionException(CompressionError.WORKER_FAILED, offset, String.valueOf(cause), cause);
    }

    /** Returns an exception of the current call of a stream that has failed before. */
    static IOException again(Throwable failure) {
        return failure instanceof CompressionException e
                ? e.at(e.offset())
                : new IOException("the stream has failed before: " + failure, failure);
    }

    private void requireUsable() throws IOException {
        if (failure != null) {
            throw again(failure);
        }
        if (closed) {
            throw new IOException("the stream is closed");
        }
    }

    /**
     * Writes all bytes as frames to the destination and flushes it. A short block becomes a frame of its own, so
     * frequent flushes worsen the compression. Blocks until all blocks are compressed. Only flushes the destination if
     * this is finished, and has no effect if this is closed, because wrappers of this flush when they are closed.
     *
     * @throws CompressionException if a block fails, with its offset
     * @throws InterruptedIOException as {@link #write(byte[], int, int)}
     */
    @Override
    public void flush() throws IOException {
        if (closed && failure == null) {
            return;
        }
        requireUsable();
        perform(() -> {
            drain();
            out.flush();
        });
    }

    private void drain() throws IOException {
        if (current.length > 0) {
            submit(true);
        }
        while (!inFlight.isEmpty()) {
            writeFirst();
        }
    }

    /**
     * Writes all bytes as frames, and an empty frame if nothing was written, without closing the destination. No
     * effect if this is finished. Blocks until all blocks are compressed.
     *
     * @throws CompressionException if a block fails, with its offset
     * @throws InterruptedIOException as {@link #write(byte[], int, int)}
     */
    public void finish() throws IOException {
        if (finished && failure == null) {
            return;
        }
        requireUsable();
        perform(() -> {
            drain();
            if (!any) {
                submit(true);
                drain();
            }
        });
        finished = true;
    }

    /**
     * Finishes this and closes the destination. No effect if this is closed. Blocks until all blocks are compressed,
     * each for at most the {@linkplain CompressionConfiguration#timeout() timeout} and then the time that this process
     * takes for it. Not interruptible, because an incomplete stream would look like a shorter one: the interrupt status
     * is preserved.
     *
     * @throws CompressionException if a block fails or failed before, with its offset; the destination is closed
     * @throws IOException if the destination fails or failed before; it is closed
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closing = true;
        Throwable first = null;
        try {
            finish();
        } catch (Throwable e) {
            first = e;
            throw e;
        } finally {
            closed = true;
            closeDestination(first);
        }
    }

    /** Closes the destination. It may throw the same exception again, which cannot suppress itself. */
    private void closeDestination(@Nullable Throwable first) throws IOException {
        try {
            out.close();
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
            if (first == null) {
                throw e;
            }
            if (first != e) {
                first.addSuppressed(e);
            }
        }
    }
}
