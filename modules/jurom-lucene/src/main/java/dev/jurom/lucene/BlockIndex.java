// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.packed.DirectMonotonicReader;
import org.apache.lucene.util.packed.DirectMonotonicWriter;
import org.apache.lucene.util.packed.PackedInts;
import org.apache.lucene.util.packed.PackedLongValues;

/** The first document and the position of each block, which are read from the data file on demand. */
final class BlockIndex {

    private static final int BLOCK_SHIFT = 10; // of the packed numbers

    private final Meta meta;
    private final IndexInput data;
    private final DirectMonotonicReader documents;
    private final DirectMonotonicReader positions;

    /** Creates an index for one thread. */
    BlockIndex(Meta meta, IndexInput data) throws IOException {
        this.meta = meta;
        this.data = data;
        documents = reader(meta.documents, meta.end, meta.positionsStart);
        positions = reader(meta.positions, meta.positionsStart, meta.indexEnd);
        if (firstDocument(0) != 0 || firstDocument(meta.blocks) != meta.documentCount) {
            throw new CorruptIndexException("the blocks do not have " + meta.documentCount + " documents", data);
        }
    }

    private DirectMonotonicReader reader(DirectMonotonicReader.Meta packed, long start, long end) throws IOException {
        var slice = data.randomAccessSlice(start, end - start);
        try {
            return DirectMonotonicReader.getInstance(packed, slice);
        } catch (IllegalArgumentException e) {
            throw new CorruptIndexException("the index of the blocks is invalid", data, e);
        }
    }

    /** Returns the number of the block that contains a document. */
    long blockOf(int document) throws IOException {
        var found = read(() -> documents.binarySearch(0, meta.blocks, document));
        var block = found >= 0 ? found : -2 - found;
        if (block < 0 || document < firstDocument(block) || document >= firstDocument(block + 1)) {
            throw new CorruptIndexException("no block has document " + document, data);
        }
        return block;
    }

    /** Returns the first document of a block; for the number of blocks, the number of documents. */
    int firstDocument(long block) throws IOException {
        var document = read(() -> documents.get(block));
        if (document < 0 || document > meta.documentCount) {
            throw new CorruptIndexException("block " + block + " begins with document " + document, data);
        }
        return (int) document;
    }

    /** Returns the position of a block; for the number of blocks, the end of the last one. */
    long position(long block) throws IOException {
        var position = read(() -> positions.get(block));
        if (position < 0 || position > meta.end) {
            throw new CorruptIndexException("block " + block + " at position " + position, data);
        }
        return position;
    }

    /** Returns the size of a block in bytes, with its header. */
    long size(long block) throws IOException {
        var size = position(block + 1) - position(block);
        if (size < OffloadStoredFieldsFormat.BLOCK_HEADER_SIZE) {
            throw new CorruptIndexException("block " + block + " has " + size + " bytes", data);
        }
        return size;
    }

    /** Reads packed numbers, whose offsets and widths only Lucene's class can interpret. */
    private long read(LongSupplier numbers) throws IOException {
        try {
            return numbers.getAsLong();
        } catch (AlreadyClosedException e) {
            throw e;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof IOException failure && !(failure instanceof EOFException)) {
                throw failure;
            }
            throw new CorruptIndexException("the index of the blocks is invalid", data, e);
        }
    }

    /** The part of the metadata that describes the index. Immutable, shared by the readers of all threads. */
    static final class Meta {

        /** The number of blocks. */
        final long blocks;

        /** The number of documents of the segment. */
        final int documentCount;

        /** The position behind the last block. */
        final long end;

        private final long positionsStart;
        private final long indexEnd;
        private final DirectMonotonicReader.Meta documents;
        private final DirectMonotonicReader.Meta positions;

        Meta(IndexInput in, IndexInput data, int documentCount) throws IOException {
            this.documentCount = documentCount;
            blocks = in.readLong();
            // Each packed block of at most 1024 numbers takes more than a byte of the metadata.
            if (blocks < 0 || blocks > documentCount || blocks >>> BLOCK_SHIFT > in.length()) {
                throw new CorruptIndexException(
                        "there are " + blocks + " blocks of " + documentCount + " documents", in);
            }
            end = in.readLong();
            documents = DirectMonotonicReader.loadMeta(in, blocks + 1, BLOCK_SHIFT);
            positionsStart = in.readLong();
            positions = DirectMonotonicReader.loadMeta(in, blocks + 1, BLOCK_SHIFT);
            indexEnd = in.readLong();
            var fileEnd = data.length() - CodecUtil.footerLength();
            if (end < 0 || end > positionsStart || positionsStart > indexEnd || indexEnd != fileEnd) {
                throw new CorruptIndexException(
                        "the index of the blocks is at " + end + " to " + indexEnd + ", and its file ends at "
                                + fileEnd,
                        in);
            }
        }
    }

    /** Collects and writes an index. */
    static final class Writer implements Accountable {

        private final PackedLongValues.Builder documents = PackedLongValues.deltaPackedBuilder(PackedInts.COMPACT);
        private final PackedLongValues.Builder positions = PackedLongValues.deltaPackedBuilder(PackedInts.COMPACT);
        private long nextDocument;

        /** Adds a block behind the others. */
        void add(int count, long position) {
            documents.add(nextDocument);
            positions.add(position);
            nextDocument += count;
        }

        /** Returns the number of documents in the blocks. */
        long documents() {
            return nextDocument;
        }

        /** Writes the index behind the blocks. */
        void finish(IndexOutput meta, IndexOutput data) throws IOException {
            var end = data.getFilePointer();
            var blocks = documents.size();
            documents.add(nextDocument);
            positions.add(end);
            meta.writeLong(blocks);
            meta.writeLong(end);
            write(documents.build(), meta, data);
            meta.writeLong(data.getFilePointer());
            write(positions.build(), meta, data);
            meta.writeLong(data.getFilePointer());
        }

        private static void write(PackedLongValues values, IndexOutput meta, IndexOutput data) throws IOException {
            var writer = DirectMonotonicWriter.getInstance(meta, data, values.size(), BLOCK_SHIFT);
            for (var iterator = values.iterator(); iterator.hasNext(); ) {
                writer.add(iterator.next());
            }
            writer.finish();
        }

        @Override
        public long ramBytesUsed() {
            return documents.ramBytesUsed() + positions.ramBytesUsed();
        }
    }
}
