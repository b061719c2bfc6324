// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses the frames of a stream that other programs wrote, one after the other, in constant memory, which all
 * frames share. It reads no byte behind a frame, and returns content before it waits for more input. A read can be
 * repeated after an exception of the source. Not thread-safe.
 */
abstract sealed class ForeignFrame implements Closeable {

    final FrameInput in;

    private ForeignFrame(FrameInput in) {
        this.in = in;
    }

    static ForeignFrame of(Compression compression, CompressionParameters parameters, FrameInput in)
            throws IOException {
        return switch (parameters.format()) {
            case ZSTD -> new OfZstd(compression, parameters, in);
            case LZ4 -> new OfLz4(in);
            case GZIP -> new OfGzip(in);
            case ZLIB, DEFLATE -> throw new IllegalArgumentException(parameters.format() + " has no frames");
        };
    }

    /** Begins a frame, whose bytes follow in the input. */
    abstract void begin() throws IOException;

    /** Reads content. Returns -1 at the end of the frame, which is verified then. */
    abstract int read(byte[] to, int offset, int length) throws IOException;

    private static final class OfZstd extends ForeignFrame {

        private static final int MIN_WINDOW_LOG = 10; // of the library
        private static final Cleaner CLEANER = Cleaner.create();

        private final Compression compression;
        private final Part frame;
        private final Context context;
        private final Cleaner.Cleanable cleanable;

        private OfZstd(Compression compression, CompressionParameters parameters, FrameInput in) throws IOException {
            super(in);
            this.compression = compression;
            this.frame = new Part(in);
            this.context = new Context(new ZstdInputStreamNoFinalizer(frame), compression.windows());
            this.cleanable = CLEANER.register(this, context); // for streams that are never closed
            try {
                var limit = compression.configuration().maxWindowSize();
                context.stream.setLongMax(Math.max(MIN_WINDOW_LOG, Long.SIZE - Long.numberOfLeadingZeros(limit - 1)));
                if (parameters.sharedDictionary().length > 0) {
                    context.stream.setDict(parameters.sharedDictionary());
                }
            } catch (ZstdIOException e) {
                close();
                throw new CompressionException(CompressionError.DICTIONARY, 0, String.valueOf(e.getMessage()), e);
            }
        }

        /**
         * The native memory of a stream. It must not refer to the stream, which would then never become unreachable.
         */
        private static final class Context implements Runnable {

            final ZstdInputStreamNoFinalizer stream;
            private final WindowMemory windows;
            private long reserved;

            Context(ZstdInputStreamNoFinalizer stream, WindowMemory windows) {
                this.stream = stream;
                this.windows = windows;
            }

            /** Reserves memory for a window, which the library keeps until it needs a larger one. */
            void reserve(long window) throws CompressionException {
                if (window > reserved) {
                    windows.reserve(window - reserved);
                    reserved = window;
                }
            }

            @Override
            public void run() {
                windows.release(reserved);
                try {
                    stream.close();
                } catch (IOException e) {
                    throw new AssertionError(e); // closing its source has no effect
                }
            }
        }

        /** The bytes of the current frame. The blocks of the format show its end. */
        private static final class Part extends InputStream {

            private final FrameInput in;
            private int left; // bytes of the header, the block or the checksum
            private boolean last;
            private boolean checksum;
            private boolean truncated;

            Part(FrameInput in) {
                this.in = in;
            }

            void begin(FrameScanner.ZstdHeader header) {
                left = header.length();
                last = false;
                checksum = header.hasChecksum();
            }

            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                if (left == 0 && last && !checksum) {
                    return -1;
                }
                if (!in.require(needed(), Math.max(left, needed()))) {
                    truncated = true;
                    return -1;
                }
                if (left == 0) {
                    next();
                }
                var count = Math.min(Math.min(left, in.buffered()), length);
                in.take(to, offset, count);
                left -= count;
                return count;
            }

            /** Returns the number of bytes without which nothing more can be read. */
            private int needed() {
                return left > 0 ? 1 : last ? Integer.BYTES : FrameScanner.ZSTD_BLOCK_HEADER;
            }

            private void next() throws CompressionException {
                if (last) {
                    checksum = false;
                    left = Integer.BYTES;
                } else {
                    var header = in.u24(0);
                    last = (header & 1) == 1;
                    left = FrameScanner.zstdBlock(header);
                }
            }

            /**
             * Returns the bytes that the library may read; without them, it would wait for input before it returns
             * content.
             */
            @Override
            public int available() {
                return left == 0 && last && !checksum || in.buffered() < needed() ? 0 : in.buffered();
            }
        }

        @Override
        void begin() throws IOException {
            var header = FrameScanner.ZstdHeader.of(in);
            var limit = compression.configuration().maxWindowSize();
            if (header.window() < 0 || header.window() > limit) {
                throw LocalCodec.failure(
                        CompressionError.MEMORY,
                        "the frame needs a window of " + Long.toUnsignedString(header.window())
                                + " bytes, and the limit is " + limit
                                + ": increase maxWindowSize of the CompressionConfiguration");
            }
            context.reserve(header.content() < 0 ? header.window() : Math.min(header.content(), header.window()));
            frame.begin(header);
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            try {
                return context.stream.read(to, offset, length);
            } catch (ZstdIOException e) {
                throw frame.truncated ? LocalCodec.failure(CompressionError.TRUNCATED, "") : LocalCodec.failure(e);
            }
        }

        @Override
        public void close() {
            cleanable.clean();
        }
    }

    private static final class OfLz4 extends ForeignFrame {

        private Lz4.Header header = new Lz4.Header(0, false, false, false, -1, 0);
        private XxHash32 checksum = new XxHash32();
        private byte[] content = new byte[0]; // the window, followed by a block
        private int history; // bytes of the window
        private int next;
        private int end;
        private long made;
        private boolean ended;

        private OfLz4(FrameInput in) {
            super(in);
        }

        @Override
        void begin() throws IOException {
            header = Lz4.Header.of(in);
            in.consume(header.length());
            if (content.length < Lz4.WINDOW + header.maxBlock()) {
                content = new byte[Lz4.WINDOW + header.maxBlock()];
            }
            checksum = new XxHash32();
            history = 0;
            next = 0;
            end = 0;
            made = 0;
            ended = false;
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            while (next == end) {
                if (ended) {
                    return -1;
                }
                decode();
            }
            var count = Math.min(length, end - next);
            System.arraycopy(content, next, to, offset, count);
            next += count;
            return count;
        }

        private void decode() throws IOException {
            FrameScanner.require(in, Integer.BYTES);
            var word = in.i32(0);
            var whole = header.blockLength(word);
            FrameScanner.require(in, whole);
            if (word == 0) {
                Lz4.requireEnd(header, in, made, checksum);
                ended = true;
            } else {
                decode(word);
            }
            in.consume(whole);
        }

        private void decode(int word) throws CompressionException {
            var size = word & ~Lz4.UNCOMPRESSED;
            Lz4.requireChecksum(header, in, size);
            keepWindow();
            var block = in.position() + Integer.BYTES;
            int count;
            if (word < 0) {
                count = size;
                System.arraycopy(in.array(), block, content, Lz4.WINDOW, size);
            } else {
                count = Lz4.contentLength(in.array(), block, size, history, header.maxBlock());
                Lz4.decode(in.array(), block, size, content, Lz4.WINDOW);
            }
            if (header.contentChecksum()) {
                checksum.update(content, Lz4.WINDOW, count);
            }
            made += count;
            next = Lz4.WINDOW;
            end = next + count;
        }

        /** Moves the last bytes of content before the next block. */
        private void keepWindow() {
            if (header.linked() && end > 0) {
                history = Math.min(history + end - Lz4.WINDOW, Lz4.WINDOW);
                System.arraycopy(content, end - history, content, Lz4.WINDOW - history, history);
            }
        }

        @Override
        public void close() {
            // All of its memory is on the heap.
        }
    }

    private static final class OfGzip extends ForeignFrame {

        private static final int PART = 512; // bytes that are read while the number of the following ones is unknown

        private final Inflater inflater = new Inflater(true);
        private final CRC32 checksum = new CRC32();

        private OfGzip(FrameInput in) {
            super(in);
        }

        @Override
        void begin() throws IOException {
            in.consume(FrameScanner.gzipHeader(in));
            inflater.reset();
            checksum.reset();
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            var made = inflater.finished() ? 0 : inflate(to, offset, length);
            while (made == 0 && !inflater.finished()) {
                if (!in.require(1, PART)) {
                    throw LocalCodec.failure(CompressionError.TRUNCATED, "");
                }
                made = inflate(to, offset, length);
            }
            if (made > 0) {
                checksum.update(to, offset, made);
                return made;
            }
            requireTrailer();
            return -1;
        }

        private int inflate(byte[] to, int offset, int length) throws IOException {
            var examined = ByteBuffer.wrap(in.array(), in.position(), in.buffered());
            inflater.setInput(examined);
            try {
                return inflater.inflate(to, offset, length);
            } catch (DataFormatException e) {
                throw new CompressionException(CompressionError.CORRUPT, 0, String.valueOf(e.getMessage()), e);
            } finally {
                in.consume(examined.position() - in.position());
            }
        }

        private void requireTrailer() throws IOException {
            FrameScanner.require(in, LocalCodec.GZIP_TRAILER_SIZE);
            if (in.i32(0) != (int) checksum.getValue() || in.i32(4) != (int) inflater.getBytesWritten()) {
                throw LocalCodec.failure(CompressionError.CORRUPT, "the checksum or the length is wrong");
            }
            in.consume(LocalCodec.GZIP_TRAILER_SIZE);
        }

        @Override
        public void close() {
            inflater.end();
        }
    }
}
