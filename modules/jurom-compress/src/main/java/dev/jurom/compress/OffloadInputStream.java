// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a stream of concatenated frames, several of which are in flight. Frames that state their length and
 * contain at most a block are decompressed as blocks. Other frames, which other programs write, are decompressed in
 * this process, in constant memory.
 *
 * <p>Content of complete frames is returned before this waits for the source, and before it throws the failure of what
 * follows it. This reads more than a frame needs only if the source has the bytes {@linkplain InputStream#available()
 * available}.
 *
 * <p>After a failure, whether of a frame, the source or the memory of this process, all content before the failed frame
 * was returned, the position is the start of that frame or, within a frame of another program, the end of the content
 * that was returned, and each further read throws a new exception with the failure as its cause. The interruption of a
 * thread that waits for a worker, and an {@link InterruptedIOException} of the source that lost no byte, such as a
 * time-out of a socket, are not failures: the read can be repeated. Not thread-safe.
 */
public final class OffloadInputStream extends InputStream {

    /** A frame with the buffer for its content. */
    private record Slot(long offset, byte[] content, int length, CompletableFuture<MemorySegment> future) {}

    private final Compression compression;
    private final CompressionParameters parameters;
    private final InputStream source;
    private final FrameInput in;
    private final FrameScanner scanner;
    private final int blockSize;
    private final boolean inProcess; // so that reading ahead saves no time
    private final int blocksInFlight;
    private final ArrayDeque<Slot> inFlight = new ArrayDeque<>();
    private byte[] content = new byte[0]; // the content of the current block
    private int next;
    private int end;
    private long position;
    private long scanned; // bytes of content before the next frame
    private @Nullable ForeignFrame foreign; // null before the first one
    private boolean inForeign;
    private boolean foreignNext;
    private boolean ended; // no frame follows those in flight
    private @Nullable Throwable failure; // behind the frames in flight
    private boolean thrown; // the failure
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
        this.source = Objects.requireNonNull(in);
        this.in = new FrameInput(in);
        this.scanner = FrameScanner.of(parameters.format(), this.in);
        this.blockSize = compression.blockSize();
        this.inProcess = compression.decompressesInProcess();
        this.blocksInFlight = inProcess ? 1 : compression.configuration().blocksInFlight();
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
     * @throws InterruptedIOException if the current thread is interrupted while waiting, in which case the interrupt
     *         status is preserved, or the source throws it; the stream remains usable
     */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (length == 0) {
            return 0;
        }
        while (next == end) {
            if (inForeign) {
                var read = readForeign(bytes, offset, length);
                if (read >= 0) {
                    return read;
                }
            }
            scanAhead();
            if (!inFlight.isEmpty()) {
                awaitFirst();
            } else if (failure != null) {
                throwFailure(failure);
            } else if (ended) {
                releaseForeign();
                return -1;
            }
        }
        var count = Math.min(length, end - next);
        System.arraycopy(content, next, bytes, offset, count);
        next += count;
        position += count;
        return count;
    }

    /** Throws the failure itself, or later a new exception. */
    private void throwFailure(Throwable cause) throws IOException {
        releaseForeign();
        if (!thrown) {
            thrown = true;
            switch (cause) {
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IOException(cause); // other languages throw checked exceptions
            }
        }
        throw OffloadOutputStream.again(cause);
    }

    /** A step that reads from the source. */
    private interface Step {
        void run() throws IOException;
    }

    /** Runs a step, whose failure takes effect behind the frames in flight. */
    private void attempt(long offset, Step step) throws IOException {
        try {
            step.run();
        } catch (CompressionException e) {
            failure = e.at(offset);
        } catch (InterruptedIOException e) {
            if (e.bytesTransferred == 0) {
                throw e;
            }
            failure = e;
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Submits frames until the maximum number is in flight, or the next one would have to be waited for. */
    private void scanAhead() throws IOException {
        var more = true;
        while (more && !ended && !inForeign && !foreignNext && failure == null && inFlight.size() < blocksInFlight) {
            more = scanNext();
        }
        if (foreignNext && inFlight.isEmpty()) {
            attempt(position, this::beginForeign);
        }
    }

    /** Scans a frame. Returns false if it would have to be waited for, and others are in flight. */
    private boolean scanNext() throws IOException {
        var waiting = inFlight.isEmpty();
        in.setWaiting(waiting);
        var before = inFlight.size();
        try {
            attempt(scanned, this::scan);
        } catch (InterruptedIOException e) {
            if (waiting) {
                throw e;
            }
        }
        return inFlight.size() > before || waiting;
    }

    private void scan() throws IOException {
        switch (scanner.scan(blockSize)) {
            case END -> ended = true;
            case FOREIGN -> foreignNext = true;
            case COMPLETE -> submit(scanner.length(), (int) scanner.content());
            case PENDING -> {
                // Frames are in flight.
            }
        }
    }

    private void submit(int length, int contentLength) {
        var frame = MemorySegment.ofArray(in.array()).asSlice(in.position(), length);
        if (!inProcess) {
            frame = MemorySegment.ofArray(frame.toArray(ValueLayout.JAVA_BYTE));
        }
        var target = inProcess && content.length >= contentLength ? content : new byte[contentLength];
        var room = MemorySegment.ofArray(target).asSlice(0, contentLength);
        inFlight.add(new Slot(scanned, target, contentLength, compression.decompress(parameters, frame, room)));
        in.consume(length);
        scanned += contentLength;
    }

    /** Waits for the first frame in flight, whose content becomes the current block. */
    private void awaitFirst() throws IOException {
        var slot = inFlight.getFirst();
        try {
            var output = slot.future().get();
            requireLength(slot, output.byteSize());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a block is decompressed");
        } catch (ExecutionException e) {
            inFlight.clear();
            failure = OffloadOutputStream.failureAt(slot.offset(), e.getCause());
            return;
        } catch (CompressionException e) {
            inFlight.clear();
            failure = e;
            return;
        }
        inFlight.removeFirst();
        content = slot.content();
        next = 0;
        end = slot.length();
    }

    private static void requireLength(Slot slot, long length) throws CompressionException {
        if (length != slot.length()) {
            throw new CompressionException(
                    CompressionError.CORRUPT,
                    slot.offset(),
                    "the content has " + length + " bytes, and the frame states " + slot.length(),
                    null);
        }
    }

    private void beginForeign() throws IOException {
        in.setWaiting(true);
        if (foreign == null) {
            foreign = ForeignFrame.of(compression, parameters, in);
        }
        foreign.begin();
        foreignNext = false;
        inForeign = true;
    }

    private int readForeign(byte[] bytes, int offset, int length) throws IOException {
        var frame = Objects.requireNonNull(foreign);
        var read = new int[] {-1};
        attempt(position, () -> read[0] = frame.read(bytes, offset, length));
        if (read[0] >= 0) {
            position += read[0];
            compression.countForeign(read[0]);
        } else {
            inForeign = false;
            scanned = position;
        }
        return read[0];
    }

    private void releaseForeign() throws IOException {
        if (foreign != null) {
            foreign.close();
            foreign = null;
        }
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
        try {
            releaseForeign();
        } finally {
            closeSource();
        }
    }

    /** Closes the source. It may throw the same exception again, which cannot suppress itself. */
    private void closeSource() throws IOException {
        try {
            source.close();
        } catch (Throwable e) {
            if (e == failure) {
                throw OffloadOutputStream.again(e);
            }
            throw e;
        }
    }
}
