// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4FrameInputStream;

/**
 * A frame that other programs wrote, which this process decompresses in constant memory. It reads no byte behind the
 * frame. Not thread-safe.
 */
abstract sealed class ForeignFrame implements Closeable {

    private static final int PART = 64 << 10; // bytes that are passed to a library at once

    final FrameInput in;

    private ForeignFrame(FrameInput in) {
        this.in = in;
    }

    /** Begins a frame, whose bytes follow in the input. */
    static ForeignFrame of(CompressionParameters parameters, FrameInput in) throws IOException {
        return switch (parameters.format()) {
            case ZSTD -> new OfZstd(parameters, in);
            case LZ4 -> new OfLz4(in);
            case GZIP -> new OfGzip(in);
            case ZLIB, DEFLATE -> throw new IllegalArgumentException(parameters.format() + " has no frames");
        };
    }

    /** Reads content. Returns -1 at the end of the frame, which is verified then. */
    abstract int read(byte[] to, int offset, int length) throws IOException;

    private static final class OfZstd extends ForeignFrame {

        private final ZstdDecompressCtx context = new ZstdDecompressCtx();
        private final ByteBuffer compressed = ByteBuffer.allocateDirect(PART);
        private final ByteBuffer content = ByteBuffer.allocateDirect(PART).limit(0);
        private boolean ended;

        private OfZstd(CompressionParameters parameters, FrameInput in) {
            super(in);
            if (parameters.sharedDictionary().length > 0) {
                context.loadDict(parameters.sharedDictionary());
            }
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            while (!content.hasRemaining() && !ended) {
                decode();
            }
            if (!content.hasRemaining()) {
                return -1;
            }
            var count = Math.min(length, content.remaining());
            content.get(to, offset, count);
            return count;
        }

        private void decode() throws IOException {
            var hasInput = in.require(1);
            var examined = in.examined();
            compressed.clear();
            compressed
                    .put(examined.limit(Math.min(examined.limit(), examined.position() + PART)))
                    .flip();
            content.clear();
            try {
                ended = context.decompressDirectByteBufferStream(content, compressed);
            } catch (ZstdException e) {
                throw LocalCodec.failure(e);
            }
            in.consume(compressed.position());
            content.flip();
            if (!hasInput && !content.hasRemaining() && !ended) {
                throw LocalCodec.failure(CompressionError.TRUNCATED, "");
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static final class OfLz4 extends ForeignFrame {

        private final LZ4FrameInputStream frame;

        private OfLz4(FrameInput in) throws IOException {
            super(in);
            try {
                frame = LocalCodec.lz4Frame(in);
            } catch (IOException e) {
                throw failure(e);
            }
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            try {
                return frame.read(to, offset, length);
            } catch (IOException | LZ4Exception e) {
                throw failure(e);
            }
        }

        private CompressionException failure(Exception e) throws IOException {
            var error = in.require(1) ? CompressionError.CORRUPT : CompressionError.TRUNCATED;
            return new CompressionException(error, 0, String.valueOf(e.getMessage()), e);
        }

        @Override
        public void close() {
            // The library's stream has only memory of the heap, and would close the input.
        }
    }

    private static final class OfGzip extends ForeignFrame {

        private final Inflater inflater = new Inflater(true);
        private final CRC32 checksum = new CRC32();
        private boolean ended;

        private OfGzip(FrameInput in) throws IOException {
            super(in);
            in.consume(FrameScanner.gzipHeader(in));
        }

        @Override
        int read(byte[] to, int offset, int length) throws IOException {
            var made = 0;
            while (made == 0 && !ended) {
                made = inflate(to, offset, length);
                checksum.update(to, offset, made);
                if (inflater.finished()) {
                    requireTrailer();
                    ended = true;
                }
            }
            return made == 0 ? -1 : made;
        }

        private int inflate(byte[] to, int offset, int length) throws IOException {
            var hasInput = in.require(1);
            var examined = in.examined();
            var before = examined.remaining();
            inflater.setInput(examined);
            int made;
            try {
                made = inflater.inflate(to, offset, length);
            } catch (DataFormatException e) {
                throw new CompressionException(CompressionError.CORRUPT, 0, String.valueOf(e.getMessage()), e);
            }
            in.consume(before - examined.remaining());
            if (!hasInput && made == 0 && !inflater.finished()) {
                throw LocalCodec.failure(CompressionError.TRUNCATED, "");
            }
            return made;
        }

        private void requireTrailer() throws IOException {
            if (!in.require(LocalCodec.GZIP_TRAILER_SIZE)) {
                throw LocalCodec.failure(CompressionError.TRUNCATED, "");
            }
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
