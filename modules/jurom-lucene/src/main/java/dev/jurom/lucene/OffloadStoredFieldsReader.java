// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.IOUtils;

/**
 * Reads stored fields. The frame of the last document is kept, so that its neighbours are read without
 * decompression.
 *
 * <p>Confined to one thread at a time; a clone is for another thread.
 */
final class OffloadStoredFieldsReader extends StoredFieldsReader {

    private final FieldInfos fields;
    private final IndexInput data;
    private final BlockIndex.Meta meta;
    private final BlockIndex index;
    private final int maxFrameContent;
    private final long dirtyBlocks;
    private final long dirtyDocuments;
    private final Content content = new Content();
    private long block = -1; // of the content
    private int nextDocument; // at the end of the current one
    private boolean closed;

    private OffloadStoredFieldsReader(
            FieldInfos fields,
            IndexInput data,
            BlockIndex.Meta meta,
            int maxFrameContent,
            long dirtyBlocks,
            long dirtyDocuments)
            throws IOException {
        this.fields = fields;
        this.data = data;
        this.meta = meta;
        this.index = new BlockIndex(meta, data);
        this.maxFrameContent = maxFrameContent;
        this.dirtyBlocks = dirtyBlocks;
        this.dirtyDocuments = dirtyDocuments;
    }

    /** Opens the files of a segment. */
    static OffloadStoredFieldsReader open(
            Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context) throws IOException {
        var data = directory.openInput(
                OffloadStoredFieldsFormat.fileName(segment, OffloadStoredFieldsFormat.DATA_EXTENSION),
                context.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM));
        try (var in = directory.openInput(
                OffloadStoredFieldsFormat.fileName(segment, OffloadStoredFieldsFormat.META_EXTENSION),
                IOContext.READONCE)) {
            CodecUtil.retrieveChecksum(data); // finds a truncated file, before it is read past its end
            FileHeader.check(data, OffloadStoredFieldsFormat.DATA_CODEC, segment.getId());
            CodecUtil.checksumEntireFile(in);
            FileHeader.check(in, OffloadStoredFieldsFormat.META_CODEC, segment.getId());
            return open(fields, data, in, segment.maxDoc());
        } catch (Throwable e) {
            IOUtils.closeWhileHandlingException(data);
            throw e;
        }
    }

    private static OffloadStoredFieldsReader open(FieldInfos fields, IndexInput data, IndexInput in, int documents)
            throws IOException {
        try {
            var maxFrameContent = in.readInt();
            var dirtyBlocks = in.readLong();
            var dirtyDocuments = in.readLong();
            var meta = new BlockIndex.Meta(in, data, documents);
            if (maxFrameContent <= 0 || maxFrameContent > OffloadStoredFieldsFormat.BLOCK_SIZE) {
                throw new CorruptIndexException("frames have up to " + maxFrameContent + " bytes of content", in);
            }
            if (dirtyBlocks < 0
                    || dirtyBlocks > meta.blocks
                    || dirtyDocuments < dirtyBlocks
                    || dirtyDocuments > documents) {
                throw new CorruptIndexException(
                        dirtyBlocks + " blocks with " + dirtyDocuments + " documents are incomplete", in);
            }
            if (in.getFilePointer() != in.length() - CodecUtil.footerLength()) {
                throw new CorruptIndexException("the metadata end at " + in.getFilePointer(), in);
            }
            return new OffloadStoredFieldsReader(fields, data, meta, maxFrameContent, dirtyBlocks, dirtyDocuments);
        } catch (EOFException e) {
            throw new CorruptIndexException("the metadata are incomplete", in, e);
        }
    }

    BlockIndex index() {
        return index;
    }

    IndexInput data() {
        return data;
    }

    long blocks() {
        return meta.blocks;
    }

    long dirtyBlocks() {
        return dirtyBlocks;
    }

    long dirtyDocuments() {
        return dirtyDocuments;
    }

    int maxFrameContent() {
        return maxFrameContent;
    }

    /** Returns the content of the block of the document that {@link #seekDocument} was last called for. */
    DataInput content() {
        return content;
    }

    /** Reads the header of a block; the data is then at its first frame. */
    OffloadStoredFieldsWriter.BlockHeader seekBlock(long number) throws IOException {
        block = -1;
        var position = index.position(number);
        var end = position + index.size(number);
        data.seek(position);
        var count = data.readInt();
        var header = new OffloadStoredFieldsWriter.BlockHeader(count >>> 1, (count & 1) != 0, data.readLong());
        var expected = index.firstDocument(number + 1) - index.firstDocument(number);
        if (header.documents() != expected) {
            throw new CorruptIndexException(
                    "block " + number + " has " + header.documents() + " documents instead of " + expected, data);
        }
        // The lengths in the content, which determine what a visitor allocates, are bounded by this size.
        var first = data.getFilePointer();
        var size = 0L;
        for (var at = first; at < end; ) {
            data.seek(at);
            var frame = readFrameHeader(end);
            size += frame.contentSize();
            at += OffloadStoredFieldsFormat.FRAME_HEADER_SIZE + frame.size();
        }
        if (size != header.size()) {
            throw new CorruptIndexException(
                    "block " + number + " has " + size + " bytes of content instead of " + header.size(), data);
        }
        data.seek(first);
        return header;
    }

    /** The header of a frame: the sizes of its content and of the frame in bytes. */
    private record FrameHeader(int contentSize, int size) {}

    /** Reads the header of the frame that the data is at. The frame ends at this position at the latest. */
    private FrameHeader readFrameHeader(long end) throws IOException {
        var start = data.getFilePointer();
        if (end - start < OffloadStoredFieldsFormat.FRAME_HEADER_SIZE) {
            throw new CorruptIndexException("a block ends within the header of the frame at " + start, data);
        }
        var header = new FrameHeader(data.readInt(), data.readInt());
        if (header.contentSize <= 0 || header.contentSize > maxFrameContent) {
            throw new CorruptIndexException(
                    "the frame at " + start + " has " + header.contentSize + " bytes of content", data);
        }
        if (header.size <= 0
                || header.size > CompressionFormat.maxCompressedSize(header.contentSize)
                || header.size > end - data.getFilePointer()) {
            throw new CorruptIndexException("the frame at " + start + " has " + header.size + " bytes", data);
        }
        return header;
    }

    /** Moves the content to a document and returns the length of its fields in bytes. */
    long seekDocument(int document) throws IOException {
        if (closed) {
            throw new AlreadyClosedException("This reader is closed: " + data);
        }
        if (document < 0 || document >= meta.documentCount) {
            throw new IllegalArgumentException("There is no document " + document + " of " + meta.documentCount);
        }
        var number = index.blockOf(document);
        if (number != block || document < nextDocument) {
            content.start(seekBlock(number).size());
            nextDocument = index.firstDocument(number);
            block = number;
        }
        try {
            content.skipDocument();
            while (nextDocument < document) {
                content.startDocument();
                content.skipDocument();
                nextDocument++;
            }
            nextDocument++;
            return content.startDocument();
        } catch (Throwable e) {
            block = -1;
            throw e;
        }
    }

    @Override
    public void document(int document, StoredFieldVisitor visitor) throws IOException {
        seekDocument(document);
        while (content.left() > 0) {
            var code = content.readNumber(Integer.SIZE - 1 + OffloadStoredFieldsFormat.TYPE_BITS);
            var number = (int) (code >>> OffloadStoredFieldsFormat.TYPE_BITS);
            var field = fields.fieldInfo(number);
            var type = (int) code & OffloadStoredFieldsFormat.TYPE_MASK;
            if (field == null) {
                throw new CorruptIndexException("document " + document + " has the unknown field " + number, data);
            }
            switch (visitor.needsField(field)) {
                case YES -> readField(type, field, visitor);
                case NO -> skipField(type);
                case STOP -> {
                    return;
                }
            }
        }
    }

    private void readField(int type, FieldInfo field, StoredFieldVisitor visitor) throws IOException {
        switch (type) {
            case OffloadStoredFieldsFormat.STRING -> {
                var bytes = new byte[content.readLength()];
                content.readBytes(bytes, 0, bytes.length);
                visitor.stringField(field, new String(bytes, StandardCharsets.UTF_8));
            }
            case OffloadStoredFieldsFormat.BYTES -> {
                var length = content.readLength();
                var end = content.left() - length;
                visitor.binaryField(field, new StoredFieldDataInput(content, length));
                content.skipBytes(content.left() - end);
            }
            case OffloadStoredFieldsFormat.INT ->
                visitor.intField(field, BitUtil.zigZagDecode((int) content.readNumber(Integer.SIZE)));
            case OffloadStoredFieldsFormat.LONG ->
                visitor.longField(field, BitUtil.zigZagDecode(content.readNumber(Long.SIZE)));
            case OffloadStoredFieldsFormat.FLOAT -> visitor.floatField(field, Float.intBitsToFloat(content.readInt()));
            case OffloadStoredFieldsFormat.DOUBLE ->
                visitor.doubleField(field, Double.longBitsToDouble(content.readLong()));
            default -> throw unknownType(type);
        }
    }

    private void skipField(int type) throws IOException {
        switch (type) {
            case OffloadStoredFieldsFormat.STRING, OffloadStoredFieldsFormat.BYTES ->
                content.skipBytes(content.readLength());
            case OffloadStoredFieldsFormat.INT -> content.readNumber(Integer.SIZE);
            case OffloadStoredFieldsFormat.LONG -> content.readNumber(Long.SIZE);
            case OffloadStoredFieldsFormat.FLOAT -> content.skipBytes(Float.BYTES);
            case OffloadStoredFieldsFormat.DOUBLE -> content.skipBytes(Double.BYTES);
            default -> throw unknownType(type);
        }
    }

    private CorruptIndexException unknownType(int type) {
        return new CorruptIndexException("a field has the unknown type " + type, data);
    }

    @Override
    public void prefetch(int document) throws IOException {
        var number = index.blockOf(document);
        data.prefetch(index.position(number), index.size(number));
    }

    @Override
    public StoredFieldsReader clone() {
        if (closed) {
            throw new AlreadyClosedException("This reader is closed: " + data);
        }
        try {
            return new OffloadStoredFieldsReader(
                    fields, data.clone(), meta, maxFrameContent, dirtyBlocks, dirtyDocuments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public StoredFieldsReader getMergeInstance() {
        return clone();
    }

    @Override
    public void checkIntegrity() throws IOException {
        CodecUtil.checksumEntireFile(data);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        data.close();
    }

    @Override
    public String toString() {
        return "OffloadStoredFieldsReader[" + data + "]";
    }

    /** Decompresses in this process: opened when the first frame is read. */
    private static final class Local {

        static final Compression COMPRESSION = open();

        private static Compression open() {
            try {
                return Compression.open(CompressionConfiguration.builder()
                        .mode(CompressionMode.LOCAL)
                        .build());
            } catch (CompressionException e) {
                throw new AssertionError(e); // only the mode OFFLOAD fails
            }
        }
    }

    /** The content of a block, which is decompressed frame by frame. */
    private final class Content extends DataInput {

        private byte[] frame = {};
        private byte[] compressed = {};
        private int at; // in the frame
        private int end;
        private long framePosition = -1; // in the data; -1: the frame is not valid
        private long frameEnd;
        private int frameSize;
        private long unread; // bytes behind the frame
        private long position; // in the block
        private long documentEnd;

        /** Starts a block, whose first frame the data is at. */
        void start(long size) {
            at = 0;
            end = 0;
            unread = size;
            position = 0;
            documentEnd = 0;
        }

        long startDocument() throws IOException {
            documentEnd = position + end - at + unread; // of the block, as long as the size is not read
            var size = readNumber(Long.SIZE - 1);
            if (size > left()) {
                throw new CorruptIndexException(
                        "a document has " + size + " bytes, and its block " + left() + " more", data);
            }
            documentEnd = position + size;
            return size;
        }

        /** Reads a number of at most this many bits, seven in each byte. */
        long readNumber(int bits) throws IOException {
            var number = 0L;
            for (var shift = 0; shift < bits; shift += 7) {
                var part = readByte();
                var low = part & 0x7FL;
                if (low >>> Math.min(7, bits - shift) != 0) {
                    break;
                }
                number |= low << shift;
                if (part >= 0) {
                    return number;
                }
            }
            throw new CorruptIndexException("a number has more than " + bits + " bits", data);
        }

        /** Reads the length of a value in bytes, which is within the document. */
        int readLength() throws IOException {
            var length = readNumber(Integer.SIZE - 1);
            if (length > left()) {
                throw new CorruptIndexException(
                        "a field has " + length + " bytes, and its document " + left() + " more", data);
            }
            return (int) length;
        }

        void skipDocument() throws IOException {
            skipBytes(left());
        }

        long left() {
            return documentEnd - position;
        }

        /** Makes the next frame the current one: decompresses it unless it is kept. */
        private void nextFrame() throws IOException {
            var start = data.getFilePointer();
            if (start == framePosition) {
                data.seek(frameEnd);
            } else {
                var current = block;
                framePosition = -1;
                block = -1; // if this fails, the next document is searched for again
                decompress(start);
                block = current;
                framePosition = start;
                frameEnd = data.getFilePointer();
            }
            unread -= frameSize;
            at = 0;
            end = frameSize;
        }

        private void decompress(long start) throws IOException {
            var header = readFrameHeader(meta.end); // which was read with those of the block
            frameSize = header.contentSize;
            var length = header.size;
            frame = ArrayUtil.growNoCopy(frame, frameSize);
            compressed = ArrayUtil.growNoCopy(compressed, length);
            data.readBytes(compressed, 0, length);
            long size;
            try {
                size = Local.COMPRESSION
                        .decompress(
                                MemorySegment.ofArray(compressed).asSlice(0, length),
                                MemorySegment.ofArray(frame).asSlice(0, frameSize))
                        .join()
                        .byteSize();
            } catch (CompletionException e) {
                var cause = e.getCause() == null ? e : e.getCause();
                throw new CorruptIndexException("the frame at " + start + ": " + cause.getMessage(), data, cause);
            }
            if (size != frameSize) {
                throw new CorruptIndexException(
                        "the frame at " + start + " has " + size + " bytes of content instead of " + frameSize, data);
            }
        }

        /** Returns the number of bytes to read from the current frame: at least one, at most {@code wanted}. */
        private int available(long wanted) throws IOException {
            if (wanted > left()) {
                throw new CorruptIndexException(
                        "a field exceeds its document by " + (wanted - left()) + " bytes", data);
            }
            if (at == end) {
                if (unread == 0) {
                    throw new CorruptIndexException("a block ends within a document", data);
                }
                nextFrame();
            }
            return (int) Math.min(wanted, end - at);
        }

        @Override
        public byte readByte() throws IOException {
            available(1);
            position++;
            return frame[at++];
        }

        @Override
        public void readBytes(byte[] target, int offset, int length) throws IOException {
            for (var done = 0; done < length; ) {
                var part = available(length - done);
                System.arraycopy(frame, at, target, offset + done, part);
                at += part;
                position += part;
                done += part;
            }
        }

        @Override
        public void skipBytes(long count) throws IOException {
            if (count < 0) {
                throw new IllegalArgumentException("Cannot skip " + count + " bytes");
            }
            for (var left = count; left > 0; ) {
                var part = available(left);
                at += part;
                position += part;
                left -= part;
            }
        }
    }
}
