// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdIOException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Compresses and decompresses blocks in this process. Input and output are parts of a {@code byte[]}: native memory of
 * the caller, which may become invalid at any time, is never passed to native code.
 * All methods return the length of the output, and write nothing past the end of the destination. Thread-safe.
 */
final class LocalCodec implements AutoCloseable {

    /** The largest level of {@link Deflater}. */
    static final int MAX_DEFLATE_LEVEL = 9;

    private static final int HIGH_LZ4_LEVEL = 3; // the first one of the slower algorithm
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 255, 8, 0, 'J', 'U', 4, 0
    };

    /** The length of the header of a gzip member with the extra field. */
    static final int GZIP_HEADER_SIZE = GZIP_HEADER.length + Integer.BYTES;

    /** The length of the checksum and the content's length behind a gzip member. */
    static final int GZIP_TRAILER_SIZE = 2 * Integer.BYTES;

    private final ZstdContexts contexts = new ZstdContexts(Runtime.getRuntime().availableProcessors());

    /** Compresses a block to one frame. */
    long compress(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var format = parameters.format();
        requireLevel(parameters);
        return switch (format) {
            case ZSTD -> compressZstd(parameters, source, destination);
            case LZ4 -> compressLz4(parameters, source, destination);
            case GZIP -> compressGzip(parameters, source, destination);
            case ZLIB -> deflate(parameters, false, source, destination);
            case DEFLATE -> deflate(parameters, true, source, destination);
        };
    }

    /** Decompresses exactly one frame. */
    long decompress(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        requireDictionary(parameters);
        return switch (parameters.format()) {
            case ZSTD -> decompressZstd(parameters, source, destination);
            case LZ4 -> decompressLz4(source, destination);
            case GZIP -> decompressGzip(source, destination);
            case ZLIB -> inflateAll(false, source, destination);
            case DEFLATE -> inflateAll(true, source, destination);
        };
    }

    private static void requireLevel(CompressionParameters parameters) throws CompressionException {
        var format = parameters.format();
        if (parameters.level() < format.minLevel() || parameters.level() > format.maxLevel()) {
            throw failure(
                    CompressionError.INVALID_LEVEL,
                    "level " + parameters.level() + " of " + format + ", whose levels are " + format.minLevel() + " to "
                            + format.maxLevel());
        }
        requireDictionary(parameters);
    }

    private static void requireDictionary(CompressionParameters parameters) throws CompressionException {
        if (parameters.format() != CompressionFormat.ZSTD && parameters.sharedDictionary().length > 0) {
            throw failure(CompressionError.DICTIONARY, parameters.format() + " has no dictionaries here");
        }
    }

    static CompressionException failure(CompressionError error, String detail) {
        return new CompressionException(error, 0, detail, null);
    }

    private long compressZstd(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var from = Bytes.of(source);
        var to = Bytes.of(destination);
        var compressor = contexts.takeCompressor(from.length());
        try {
            var context = compressor.context;
            context.setLevel(parameters.level()).setChecksum(parameters.checksum());
            loadDictionary(parameters, context::loadDict);
            return context.compressByteArray(
                    to.array(), to.offset(), to.length(), from.array(), from.offset(), from.length());
        } catch (ZstdException e) {
            throw new CompressionException(error(e.getErrorCode()), 0, String.valueOf(e.getMessage()), e);
        } finally {
            contexts.release(compressor);
        }
    }

    private long decompressZstd(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var from = Bytes.of(source);
        var to = Bytes.of(destination);
        var content = -1L;
        var context = contexts.takeDecompressor();
        try {
            loadDictionary(parameters, context::loadDict);
            content = requireOneZstdFrame(from);
            if (content > to.length()) {
                throw outputTooLarge(to.length());
            }
            return context.decompressByteArray(
                    to.array(), to.offset(), to.length(), from.array(), from.offset(), from.length());
        } catch (ZstdException e) {
            var error = error(e.getErrorCode());
            var isLonger = error == CompressionError.OUTPUT_TOO_LARGE && content >= 0; // than the frame states
            throw new CompressionException(
                    isLonger ? CompressionError.CORRUPT : error, 0, String.valueOf(e.getMessage()), e);
        } finally {
            contexts.release(context);
        }
    }

    private static void loadDictionary(CompressionParameters parameters, Consumer<byte[]> loader)
            throws CompressionException {
        try {
            if (parameters.sharedDictionary().length > 0) {
                loader.accept(parameters.sharedDictionary());
            }
        } catch (ZstdException e) {
            throw new CompressionException(CompressionError.DICTIONARY, 0, String.valueOf(e.getMessage()), e);
        }
    }

    private static CompressionException outputTooLarge(int room) {
        return failure(CompressionError.OUTPUT_TOO_LARGE, "the buffer has " + room + " bytes");
    }

    /**
     * Requires one frame, as the worker does: the library would decode further ones. Returns the stated content, or -1.
     */
    private static long requireOneZstdFrame(Bytes source) throws CompressionException {
        try {
            if (FrameScanner.zstdFrame(source.input()) != source.length()) {
                throw failure(CompressionError.CORRUPT, "bytes follow the frame");
            }
            return FrameScanner.ZstdHeader.of(source.input()).content();
        } catch (CompressionException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError(e); // memory only
        }
    }

    /** Returns the failure of a stream that has room for its output and has not ended. */
    static CompressionException failure(ZstdIOException e) {
        var error = error(e.getErrorCode());
        return new CompressionException(
                error == CompressionError.OUTPUT_TOO_LARGE ? CompressionError.CORRUPT : error,
                0,
                String.valueOf(e.getMessage()),
                e);
    }

    /** Returns the error for a code of the library if the input is complete and the dictionary is valid. */
    private static CompressionError error(long code) {
        if (code == Zstd.errDstSizeTooSmall()) {
            return CompressionError.OUTPUT_TOO_LARGE;
        }
        if (code == Zstd.errDictionaryWrong()) {
            return CompressionError.DICTIONARY;
        }
        if (code == Zstd.errMemoryAllocation() || code == Zstd.errFrameParameterWindowTooLarge()) {
            return CompressionError.MEMORY;
        }
        return CompressionError.CORRUPT;
    }

    private static long compressLz4(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var from = Bytes.of(source);
        var frame = new ByteArrayOutputStream();
        var factory = LZ4Factory.fastestInstance();
        var compressor = parameters.level() < HIGH_LZ4_LEVEL
                ? factory.fastCompressor()
                : factory.highCompressor(parameters.level());
        var bits = parameters.checksum()
                ? new FLG.Bits[] {FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_SIZE, FLG.Bits.CONTENT_CHECKSUM}
                : new FLG.Bits[] {FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_SIZE};
        var hash = XXHashFactory.fastestInstance().hash32();
        try (var out =
                new LZ4FrameOutputStream(frame, blockSize(from.length()), from.length(), compressor, hash, bits)) {
            out.write(from.array(), from.offset(), from.length());
        } catch (IOException e) {
            throw new AssertionError(e); // memory only
        }
        return copy(frame.toByteArray(), destination);
    }

    private static long copy(byte[] bytes, MemorySegment destination) throws CompressionException {
        if (bytes.length > destination.byteSize()) {
            throw failure(
                    CompressionError.OUTPUT_TOO_LARGE,
                    bytes.length + " bytes, and the buffer has " + destination.byteSize());
        }
        MemorySegment.copy(bytes, 0, destination, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return bytes.length;
    }

    private static BLOCKSIZE blockSize(int length) {
        if (length <= 64 << 10) {
            return BLOCKSIZE.SIZE_64KB;
        }
        if (length <= 256 << 10) {
            return BLOCKSIZE.SIZE_256KB;
        }
        return length <= 1 << 20 ? BLOCKSIZE.SIZE_1MB : BLOCKSIZE.SIZE_4MB;
    }

    private static long decompressLz4(MemorySegment source, MemorySegment destination) throws CompressionException {
        try {
            return decompressLz4(Bytes.of(source).input(), Bytes.of(destination));
        } catch (CompressionException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError(e); // memory only
        }
    }

    private static long decompressLz4(FrameInput in, Bytes to) throws IOException {
        var header = Lz4.Header.of(in);
        if (header.content() > to.length()) {
            throw outputTooLarge(to.length());
        }
        in.consume(header.length());
        var made = 0;
        int word;
        do {
            FrameScanner.require(in, Integer.BYTES);
            word = in.i32(0);
            var whole = header.blockLength(word);
            FrameScanner.require(in, whole);
            if (word == 0) {
                var checksum = new XxHash32();
                checksum.update(to.array(), to.offset(), header.contentChecksum() ? made : 0);
                Lz4.requireEnd(header, in, made, checksum);
            } else {
                made += decodeBlock(header, in, word, to, made);
            }
            in.consume(whole);
        } while (word != 0);
        if (in.buffered() > 0) {
            throw failure(CompressionError.CORRUPT, "bytes follow the frame");
        }
        return made;
    }

    private static int decodeBlock(Lz4.Header header, FrameInput in, int word, Bytes to, int made)
            throws CompressionException {
        var size = word & ~Lz4.UNCOMPRESSED;
        Lz4.requireChecksum(header, in, size);
        var block = in.position() + Integer.BYTES;
        var history = header.linked() ? made : 0;
        var length = word < 0 ? size : Lz4.contentLength(in.array(), block, size, history, header.maxBlock());
        if (length > to.length() - made) {
            throw outputTooLarge(to.length());
        }
        if (word < 0) {
            System.arraycopy(in.array(), block, to.array(), to.offset() + made, size);
        } else {
            Lz4.decode(in.array(), block, size, to.array(), to.offset() + made);
        }
        return length;
    }

    private static long compressGzip(CompressionParameters parameters, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var frame = GZIP_HEADER_SIZE + GZIP_TRAILER_SIZE;
        if (destination.byteSize() < frame) {
            throw failure(CompressionError.OUTPUT_TOO_LARGE, "the buffer has " + destination.byteSize() + " bytes");
        }
        var length = deflate(
                parameters, true, source, destination.asSlice(GZIP_HEADER_SIZE, destination.byteSize() - frame));
        var header = destination.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        header.put(GZIP_HEADER).putInt(Math.toIntExact(length + frame));
        header.position(Math.toIntExact(GZIP_HEADER_SIZE + length));
        header.putInt((int) checksum(source)).putInt((int) source.byteSize());
        return length + frame;
    }

    private static long checksum(MemorySegment content) {
        var checksum = new CRC32();
        checksum.update(content.asByteBuffer());
        return checksum.getValue();
    }

    private static long deflate(
            CompressionParameters parameters, boolean raw, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var deflater = new Deflater(Math.min(parameters.level(), MAX_DEFLATE_LEVEL), raw);
        try {
            deflater.setInput(source.asByteBuffer());
            deflater.finish();
            var out = destination.asByteBuffer();
            while (!deflater.finished()) {
                if (deflater.deflate(out) == 0 && !deflater.finished()) {
                    throw failure(CompressionError.OUTPUT_TOO_LARGE, "the buffer is full");
                }
            }
            return out.position();
        } finally {
            deflater.end();
        }
    }

    private static long inflateAll(boolean raw, MemorySegment source, MemorySegment destination)
            throws CompressionException {
        var in = source.asByteBuffer();
        var out = destination.asByteBuffer();
        inflate(raw, in, out);
        if (in.hasRemaining()) {
            throw failure(CompressionError.CORRUPT, "bytes follow the frame");
        }
        return out.position();
    }

    private static void inflate(boolean raw, ByteBuffer in, ByteBuffer out) throws CompressionException {
        var inflater = new Inflater(raw);
        var one = ByteBuffer.allocate(1); // detects content that exceeds the room
        try {
            inflater.setInput(in);
            while (!inflater.finished()) {
                var made = inflater.inflate(out.hasRemaining() ? out : one);
                if (one.position() > 0) {
                    throw failure(CompressionError.OUTPUT_TOO_LARGE, "the buffer has " + out.limit() + " bytes");
                }
                if (made == 0 && inflater.needsDictionary()) {
                    throw failure(CompressionError.DICTIONARY, "the content needs a dictionary");
                }
                if (made == 0 && !inflater.finished() && !in.hasRemaining()) {
                    throw failure(CompressionError.TRUNCATED, "");
                }
            }
        } catch (DataFormatException e) {
            throw new CompressionException(CompressionError.CORRUPT, 0, String.valueOf(e.getMessage()), e);
        } finally {
            inflater.end();
        }
    }

    private static long decompressGzip(MemorySegment source, MemorySegment destination) throws CompressionException {
        var in = source.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        var out = destination.asByteBuffer();
        try {
            in.position(FrameScanner.gzipHeader(Bytes.of(source).input()));
        } catch (CompressionException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError(e); // memory only
        }
        inflate(true, in, out);
        if (in.remaining() < GZIP_TRAILER_SIZE) {
            throw failure(CompressionError.TRUNCATED, "");
        }
        if (in.getInt() != (int) checksum(destination.asSlice(0, out.position())) || in.getInt() != out.position()) {
            throw failure(CompressionError.CORRUPT, "the checksum or the length is wrong");
        }
        if (in.hasRemaining()) {
            throw failure(CompressionError.CORRUPT, "bytes follow the frame");
        }
        return out.position();
    }

    /** Frees the native memory that blocks have left. */
    @Override
    public void close() {
        contexts.close();
    }

    /** A range of an array. */
    private record Bytes(byte[] array, int offset, int length) {

        static Bytes of(MemorySegment segment) {
            return new Bytes(
                    (byte[]) segment.heapBase().orElseThrow(), (int) segment.address(), (int) segment.byteSize());
        }

        FrameInput input() {
            return new FrameInput(array, offset, length);
        }
    }
}
