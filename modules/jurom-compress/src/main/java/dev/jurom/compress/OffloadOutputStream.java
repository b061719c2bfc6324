// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Compresses a stream in blocks, several of which are in flight. Each block becomes a frame; the frames are written
 * in order. Any program that reads the format reads the result.
 *
 * <p>After a failure, the destination has received the frames of all blocks before the failed one and no
 * part of a later one, and all methods except {@link #close} throw the same failure. Not thread-safe.
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

    /** The first size of a buffer: a program may write many short streams at the same time. */
    private static final int FIRST_SIZE = 4 << 10;

    private final Compression compression;
    private final CompressionParameters parameters;
    private final OutputStream out;
    private final int blockSize;
    private final int blocksInFlight;
    private final ArrayDeque<Slot> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Slot> free = new ArrayDeque<>();
    private Slot current = new Slot();
    private long position;
    private boolean any; // a frame was made
    private boolean finished;
    private boolean closed;
    private @Nullable CompressionException failure;

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
    }

    /**
     * Returns the position of this stream.
     *
     * @return the number of uncompressed bytes that were written to this
     */
    public long position() {
        return position;
    }

    @Override
    public void write(int value) throws IOException {
        requireOpen();
        current.reserve(current.length + 1, blockSize);
        current.content[current.length++] = (byte) value;
        position++;
        submitIfFull();
    }

    /**
     * Writes bytes. Blocks while the maximum number of blocks is in flight.
     *
     * @throws CompressionException if a block fails, with its offset
     * @throws InterruptedIOException if the current thread is interrupted while waiting, with the number of
     *         bytes that were accepted; the interrupt status is preserved, and the stream remains usable
     */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        requireOpen();
        var written = 0;
        try {
            while (written < length) {
                submitIfFull(); // after an interrupted write
                var part = Math.min(length - written, blockSize - current.length);
                current.reserve(current.length + part, blockSize);
                System.arraycopy(bytes, offset + written, current.content, current.length, part);
                current.length += part;
                position += part;
                written += part;
                submitIfFull();
            }
        } catch (InterruptedIOException e) {
            e.bytesTransferred = written;
            throw e;
        }
    }

    private void submitIfFull() throws IOException {
        if (current.length == blockSize) {
            submit();
        }
    }

    /** Submits the current block when fewer than the maximum number of blocks are in flight. */
    private void submit() throws IOException {
        writeReady();
        while (inFlight.size() >= blocksInFlight) {
            writeFirst();
        }
        var slot = current;
        slot.offset = position - slot.length;
        slot.reserveFrame();
        slot.future = compression.compress(
                parameters,
                MemorySegment.ofArray(slot.content).asSlice(0, slot.length),
                MemorySegment.ofArray(slot.frame));
        inFlight.add(slot);
        any = true;
        var next = free.poll();
        current = next == null ? new Slot() : next;
        current.length = 0;
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
        MemorySegment frame;
        try {
            frame = Objects.requireNonNull(slot.future).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a block is compressed");
        } catch (ExecutionException e) {
            throw fail(slot, e.getCause());
        }
        inFlight.removeFirst();
        out.write(slot.frame, 0, (int) frame.byteSize());
        free.add(slot);
    }

    private CompressionException fail(Slot slot, @Nullable Throwable cause) {
        failure = failureAt(slot.offset, cause);
        return failure;
    }

    static CompressionException failureAt(long offset, @Nullable Throwable cause) {
        return cause instanceof CompressionException e
                ? e.at(offset)
                : new CompressionException(CompressionError.WORKER_FAILED, offset, String.valueOf(cause), cause);
    }

    private void requireOpen() throws IOException {
        if (closed || finished) {
            throw new IOException("the stream is closed");
        }
        if (failure != null) {
            throw failure.at(failure.offset());
        }
    }

    /**
     * Writes all bytes as frames to the destination and flushes it. A short block becomes a frame of its own, so
     * frequent flushes worsen the compression. Blocks until all blocks are compressed.
     *
     * @throws CompressionException if a block fails, with its offset
     */
    @Override
    public void flush() throws IOException {
        requireOpen();
        drain();
        out.flush();
    }

    private void drain() throws IOException {
        if (current.length > 0) {
            submit();
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
     */
    public void finish() throws IOException {
        if (finished) {
            return;
        }
        requireOpen();
        drain();
        if (!any) {
            submit();
            drain();
        }
        finished = true;
    }

    /**
     * Finishes this and closes the destination. No effect if this is closed.
     *
     * @throws CompressionException if a block fails, with its offset; the destination is closed
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        try (out) {
            if (failure == null) {
                finish();
            }
        } finally {
            closed = true;
        }
    }
}
