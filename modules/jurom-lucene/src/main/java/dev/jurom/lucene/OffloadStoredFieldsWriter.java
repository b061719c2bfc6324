// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionParameters;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.codecs.compressing.MatchingReaders;
import org.apache.lucene.index.DocIDMerger;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Writes stored fields. A full block is submitted to the workers and written when the blocks before it are: the
 * calling thread continues with the next documents and waits only if too many blocks are in flight.
 *
 * <p>A merge copies the compressed blocks of segments without deleted documents.
 *
 * <p>Confined to one thread at a time.
 */
final class OffloadStoredFieldsWriter extends StoredFieldsWriter {

    private static final int MAX_DOCUMENTS = 1024; // of a block
    private static final int MAX_VLONG_SIZE = 9;
    private static final int MAX_DIRTY_PERCENT = 1;

    private final Compression compression;
    private final CompressionParameters parameters;
    private final int blockSize;
    private final int maxInFlight;
    private final Directory directory;
    private final SegmentInfo segment;
    private final IOContext context;
    private final IndexOutput data;
    private final BlockIndex.Writer index = new BlockIndex.Writer();
    private final ByteBuffersDataOutput document = ByteBuffersDataOutput.newResettableInstance();
    private final ByteBuffersDataOutput block = ByteBuffersDataOutput.newResettableInstance();
    private final ArrayDeque<Frame> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Frame> unused = new ArrayDeque<>();
    private int documents; // in the block
    private int maxFrameContent;
    private long dirtyBlocks;
    private long dirtyDocuments;
    private @Nullable Throwable failure; // the first one, after which the files are not written to

    OffloadStoredFieldsWriter(Compression compression, Directory directory, SegmentInfo segment, IOContext context)
            throws IOException {
        this.compression = compression;
        this.directory = directory;
        this.segment = segment;
        this.context = context;
        var configuration = compression.configuration();
        parameters = configuration.parameters().withChecksum(true);
        blockSize = Math.min(OffloadStoredFieldsFormat.BLOCK_SIZE, compression.blockSize());
        maxInFlight = configuration.blocksInFlight() * configuration.workers();
        maxFrameContent = blockSize;
        data = create(OffloadStoredFieldsFormat.DATA_EXTENSION, OffloadStoredFieldsFormat.DATA_CODEC);
    }

    private IndexOutput create(String extension, String codec) throws IOException {
        var out = directory.createOutput(OffloadStoredFieldsFormat.fileName(segment, extension), context);
        try {
            FileHeader.write(out, codec, segment.getId());
            return out;
        } catch (Throwable e) {
            try (out) {
                throw e;
            }
        }
    }

    @Override
    public void startDocument() {}

    @Override
    public void finishDocument() throws IOException {
        write(this::addDocument);
    }

    /** An action that changes the files or the document. */
    private interface Writing {
        void run() throws IOException;
    }

    /** Executes an action unless an earlier one has failed, because the data after a missing block would be wrong. */
    private void write(Writing action) throws IOException {
        if (failure != null) {
            throw new IOException(data + ": an earlier write has failed: " + failure.getMessage(), failure);
        }
        try {
            action.run();
        } catch (Throwable e) {
            failure = e;
            throw e;
        }
    }

    private void addDocument() throws IOException {
        var size = document.size();
        if (documents > 0 && block.size() + MAX_VLONG_SIZE + size > blockSize) {
            submitBlock(false);
        }
        block.writeVLong(size);
        document.copyTo(block);
        document.reset();
        documents++;
        if (block.size() >= blockSize || documents == MAX_DOCUMENTS) {
            submitBlock(false);
        }
    }

    private void startField(FieldInfo field, int type) throws IOException {
        document.writeVLong((long) field.number << OffloadStoredFieldsFormat.TYPE_BITS | type);
    }

    @Override
    public void writeField(FieldInfo field, int value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.INT);
        document.writeZInt(value);
    }

    @Override
    public void writeField(FieldInfo field, long value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.LONG);
        document.writeZLong(value);
    }

    @Override
    public void writeField(FieldInfo field, float value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.FLOAT);
        document.writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public void writeField(FieldInfo field, double value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.DOUBLE);
        document.writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public void writeField(FieldInfo field, BytesRef value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.BYTES);
        document.writeVInt(value.length);
        document.writeBytes(value.bytes, value.offset, value.length);
    }

    @Override
    public void writeField(FieldInfo field, StoredFieldDataInput value) throws IOException {
        write(() -> {
            startField(field, OffloadStoredFieldsFormat.BYTES);
            document.writeVInt(value.getLength());
            document.copyBytes(value.getDataInput(), value.getLength());
        });
    }

    @Override
    public void writeField(FieldInfo field, String value) throws IOException {
        startField(field, OffloadStoredFieldsFormat.STRING);
        document.writeString(value);
    }

    /** Submits the block, which is dirty if it is incomplete. */
    private void submitBlock(boolean dirty) throws IOException {
        var content = block.toDataInput();
        var header = new BlockHeader(documents, dirty, block.size());
        for (var left = block.size(); left > 0; ) {
            if (inFlight.size() == maxInFlight) {
                writeOldest();
            }
            var frame = unused.isEmpty() ? new Frame(blockSize) : unused.pop();
            var size = (int) Math.min(left, blockSize);
            content.readBytes(frame.content, 0, size);
            frame.submit(compression, parameters, left == block.size() ? header : null, size);
            inFlight.add(frame);
            left -= size;
        }
        block.reset();
        documents = 0;
        while (!inFlight.isEmpty() && inFlight.element().isDone()) {
            writeOldest();
        }
    }

    /** Waits for the oldest frame in flight and writes it. */
    private void writeOldest() throws IOException {
        var frame = inFlight.remove();
        var length = frame.await(data);
        if (frame.header != null) {
            startBlock(frame.header);
        }
        data.writeInt(frame.size);
        data.writeInt(length);
        data.writeBytes(frame.compressed, 0, length);
        unused.push(frame);
    }

    private void startBlock(BlockHeader header) throws IOException {
        index.add(header.documents, data.getFilePointer());
        data.writeInt(header.documents << 1 | (header.dirty ? 1 : 0));
        data.writeLong(header.size);
        if (header.dirty) {
            dirtyBlocks++;
            dirtyDocuments += header.documents;
        }
    }

    private void writeAll() throws IOException {
        if (documents > 0) {
            submitBlock(true);
        }
        while (!inFlight.isEmpty()) {
            writeOldest();
        }
    }

    @Override
    public void finish(int expected) throws IOException {
        write(() -> writeEnd(expected));
    }

    private void writeEnd(int expected) throws IOException {
        writeAll();
        if (index.documents() != expected) {
            throw new IllegalStateException(
                    data + ": " + index.documents() + " documents were written instead of " + expected);
        }
        try (var meta = create(OffloadStoredFieldsFormat.META_EXTENSION, OffloadStoredFieldsFormat.META_CODEC)) {
            meta.writeInt(maxFrameContent);
            meta.writeLong(dirtyBlocks);
            meta.writeLong(dirtyDocuments);
            index.finish(meta, data);
            CodecUtil.writeFooter(meta);
        }
        CodecUtil.writeFooter(data);
    }

    @Override
    public int merge(MergeState state) throws IOException {
        var merged = new int[1];
        write(() -> merged[0] = writeMerged(state));
        finish(merged[0]);
        return merged[0];
    }

    /** Writes the documents of a merge, and returns their number. */
    private int writeMerged(MergeState state) throws IOException {
        var matching = new MatchingReaders(state);
        var sources = new ArrayList<Source>();
        for (var reader = 0; reader < state.storedFieldsReaders.length; reader++) {
            state.storedFieldsReaders[reader].checkIntegrity();
            sources.add(new Source(state, reader, matching.matchingReaders[reader]));
        }
        var merger = DocIDMerger.of(sources, state.needsIndexSort);
        var merged = 0;
        var source = merger.next();
        while (source != null) {
            var first = source.document;
            var last = first;
            var next = merger.next();
            while (next == source && source.copiesBlocks && source.document == last + 1) {
                last++;
                next = merger.next();
            }
            if (source.same == null) {
                startDocument();
                state.storedFieldsReaders[source.reader].document(first, source.visitor);
                finishDocument();
            } else if (source.copiesBlocks) {
                copyBlocks(source.same, first, last + 1);
            } else {
                copyDocument(source.same, first);
            }
            merged += last - first + 1;
            source = next;
        }
        return merged;
    }

    /** Copies documents; blocks that contain no others are copied in compressed form. */
    private void copyBlocks(OffloadStoredFieldsReader reader, int first, int end) throws IOException {
        for (var next = first; next < end; ) {
            var number = reader.index().blockOf(next);
            var nextBlock = reader.index().firstDocument(number + 1);
            if (next == reader.index().firstDocument(number) && nextBlock <= end) {
                writeAll();
                copyBlock(reader, number);
                next = nextBlock;
            } else {
                while (next < Math.min(nextBlock, end)) {
                    copyDocument(reader, next++);
                }
            }
        }
    }

    private void copyBlock(OffloadStoredFieldsReader reader, long number) throws IOException {
        startBlock(reader.seekBlock(number));
        var in = reader.data();
        data.copyBytes(in, reader.index().position(number + 1) - in.getFilePointer());
        maxFrameContent = Math.max(maxFrameContent, reader.maxFrameContent());
    }

    private void copyDocument(OffloadStoredFieldsReader reader, int number) throws IOException {
        document.copyBytes(reader.content(), reader.seekDocument(number));
        finishDocument();
    }

    @Override
    public long ramBytesUsed() {
        return document.ramBytesUsed()
                + block.ramBytesUsed()
                + index.ramBytesUsed()
                + (inFlight.size() + unused.size()) * (blockSize + CompressionFormat.maxCompressedSize(blockSize));
    }

    @Override
    public void close() throws IOException {
        data.close();
    }

    /** The header of a block. */
    record BlockHeader(int documents, boolean dirty, long size) {}

    /** A frame and its buffers, which are used again. */
    private static final class Frame {

        final byte[] content;
        final byte[] compressed;
        int size; // of the content

        @Nullable
        BlockHeader header; // of the block that begins with this

        private CompletableFuture<MemorySegment> result = new CompletableFuture<>();

        Frame(int blockSize) {
            content = new byte[blockSize];
            compressed = new byte[Math.toIntExact(CompressionFormat.maxCompressedSize(blockSize))];
        }

        void submit(
                Compression compression, CompressionParameters parameters, @Nullable BlockHeader block, int length) {
            header = block;
            size = length;
            result = compression.compress(
                    parameters, MemorySegment.ofArray(content).asSlice(0, length), MemorySegment.ofArray(compressed));
        }

        boolean isDone() {
            return result.isDone();
        }

        /** Returns the length of the frame. Blocks for at most the time-out of the compression. */
        int await(IndexOutput out) throws IOException {
            try {
                return (int) result.join().byteSize();
            } catch (CompletionException e) {
                var cause = e.getCause() == null ? e : e.getCause();
                throw new IOException(out + ": " + cause.getMessage(), cause);
            }
        }
    }

    /** The documents of a segment that is merged. */
    private final class Source extends DocIDMerger.Sub {

        final int reader;
        final MergeVisitor visitor;
        final @Nullable OffloadStoredFieldsReader same; // with the same numbers of fields
        final boolean copiesBlocks;
        private final int count;
        int document = -1;

        Source(MergeState state, int reader, boolean matching) {
            super(state.docMaps[reader]);
            this.reader = reader;
            visitor = new MergeVisitor(state, reader);
            same = matching && state.storedFieldsReaders[reader] instanceof OffloadStoredFieldsReader r ? r : null;
            copiesBlocks = same != null && state.liveDocs[reader] == null && !isTooDirty(same);
            count = state.maxDocs[reader];
        }

        /** Returns whether to compress incomplete blocks again, because they compress badly. */
        private static boolean isTooDirty(OffloadStoredFieldsReader reader) {
            return reader.dirtyDocuments() > MAX_DOCUMENTS
                    && reader.dirtyBlocks() * 100 > reader.blocks() * MAX_DIRTY_PERCENT;
        }

        @Override
        public int nextDoc() {
            document++;
            return document == count ? DocIdSetIterator.NO_MORE_DOCS : document;
        }
    }
}
