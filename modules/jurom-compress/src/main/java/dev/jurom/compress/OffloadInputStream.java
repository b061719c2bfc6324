// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a stream of concatenated frames, several of which are in flight. Frames that state their length and
 * contain at most a block are decompressed as blocks. Other frames, which other programs write, are decompressed in this
 * process, in constant memory.
 *
 * <p>After a failure, all content before the failed frame was returned, the position is the start of that frame or, within
 * a frame of another program, the end of the content that was returned, and each further read throws the same
 * failure. Not thread-safe.
 */
public final class OffloadInputStream extends InputStream {

    /** A frame with its content. */
    private record Slot(long offset, byte[] content, CompletableFuture<MemorySegment> future) {}

    private final Compression compression;
    private final CompressionParameters parameters;
    private final FrameInput in;
    private final FrameScanner scanner;
    private final int blockSize;
    private final int blocksInFlight;
    private final ArrayDeque<Slot> inFlight = new ArrayDeque<>();
    private byte[] content = new byte[0]; // of the current block
    private int next;
    private int end;
    private long position;
    private long scanned; // bytes of content before the next frame
    private @Nullable ForeignFrame foreign;
    private boolean foreignNext;
    private boolean ended; // no frame follows those in flight
    private @Nullable CompressionException scanFailure; // behind the frames in flight
    private @Nullable CompressionException failure;
    private boolean closed;

    /**
     * Creates a stream.
     *
     * @param compression decompresses the blocks; must stay open while this is used
     * @param parameters the parameters, of which the format and the dictionary are used
     * @param in the source, which {@link #close} closes. Bytes behind the last frame may be read from it
     * @throws IllegalArgumentException if frames of the format cannot be concatenated
     */
    public OffloadInputStream(Compression compression, CompressionParameters parameters, InputStream in) {
        this.compression = compression;
        this.parameters = parameters;
        this.in = new FrameInput(Objects.requireNonNull(in));
        this.scanner = FrameScanner.of(parameters.format(), this.in);
        this.blockSize = compression.blockSize();
        this.blocksInFlight = compression.configuration().blocksInFlight();
    }

    /**
     * Returns the position of this stream.
     *
     * @return the number of uncompressed bytes that were read from this
     */
    public long position() {
        return position;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    /**
     * Reads bytes. Blocks until at least one is available.
     *
     * @throws CompressionException if a frame is invalid or cannot be decompressed, with its offset
     * @throws InterruptedIOException if the current thread is interrupted while waiting; the interrupt status is
     *         preserved, and the stream remains usable
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (failure != null) {
            throw failure.at(failure.offset());
        }
        if (length == 0) {
            return 0;
        }
        try {
            return readContent(bytes, offset, length);
        } catch (CompressionException e) {
            failure = e;
            throw e;
        }
    }

    private int readContent(byte[] bytes, int offset, int length) throws IOException {
        while (next == end) {
            if (foreign != null) {
                var read = readForeign(foreign, bytes, offset, length);
                if (read >= 0) {
                    return read;
                }
            }
            scanAhead();
            if (!inFlight.isEmpty()) {
                awaitFirst();
            } else if (scanFailure != null) {
                throw scanFailure;
            } else if (foreignNext) {
                beginForeign();
            } else if (ended) {
                return -1;
            }
        }
        var count = Math.min(length, end - next);
        System.arraycopy(content, next, bytes, offset, count);
        next += count;
        position += count;
        return count;
    }

    /** Submits frames until the maximum number is in flight, or the next one would have to be waited for. */
    private void scanAhead() throws IOException {
        while (!ended
                && !foreignNext
                && scanFailure == null
                && inFlight.size() < blocksInFlight
                && (inFlight.isEmpty() || in.isReady())) {
            try {
                scanNext();
            } catch (CompressionException e) {
                scanFailure = e.at(scanned);
            }
        }
    }

    private void scanNext() throws IOException {
        switch (scanner.scan(CompressionFormat.maxCompressedSize(blockSize))) {
            case END -> ended = true;
            case FOREIGN -> foreignNext = true;
            case COMPLETE -> {
                if (scanner.content() > blockSize) {
                    foreignNext = true;
                } else {
                    submit(scanner.length(), (int) scanner.content());
                }
            }
        }
    }

    private void submit(int length, int contentLength) {
        var frame = new byte[length];
        in.take(frame, length);
        var target = new byte[contentLength];
        inFlight.add(new Slot(
                scanned,
                target,
                compression.decompress(parameters, MemorySegment.ofArray(frame), MemorySegment.ofArray(target))));
        scanned += contentLength;
    }

    /** Waits for the first frame in flight, whose content becomes the current block. */
    private void awaitFirst() throws IOException {
        var slot = inFlight.getFirst();
        MemorySegment output;
        try {
            output = slot.future().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a block is decompressed");
        } catch (ExecutionException e) {
            throw OffloadOutputStream.failureAt(slot.offset(), e.getCause());
        }
        if (output.byteSize() != slot.content().length) {
            throw new CompressionException(
                    CompressionError.CORRUPT,
                    slot.offset(),
                    "the content has " + output.byteSize() + " bytes, and the frame states " + slot.content().length,
                    null);
        }
        inFlight.removeFirst();
        content = slot.content();
        next = 0;
        end = content.length;
    }

    private void beginForeign() throws IOException {
        try {
            foreign = ForeignFrame.of(parameters, in);
        } catch (CompressionException e) {
            throw e.at(position);
        }
        foreignNext = false;
    }

    private int readForeign(ForeignFrame frame, byte[] bytes, int offset, int length) throws IOException {
        int read;
        try {
            read = frame.read(bytes, offset, length);
        } catch (CompressionException e) {
            throw e.at(position);
        }
        if (read >= 0) {
            position += read;
            compression.countForeign(read);
        } else {
            frame.close();
            foreign = null;
            scanned = position;
        }
        return read;
    }

    /** Returns the number of bytes of the current block that were not read. */
    @Override
    public int available() {
        return end - next;
    }

    /**
     * Closes the source. No effect if this is closed. Does not wait for blocks in flight.
     *
     * @throws IOException if the source cannot be closed
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (foreign != null) {
            foreign.close();
        }
        in.close();
    }
}
