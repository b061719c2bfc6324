// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.packed.DirectMonotonicReader;
import org.apache.lucene.util.packed.DirectMonotonicWriter;
import org.apache.lucene.util.packed.PackedInts;
import org.apache.lucene.util.packed.PackedLongValues;

/** The first document and the position of each block, which are read from the data file when needed. */
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
        documents = DirectMonotonicReader.getInstance(
                meta.documents, data.randomAccessSlice(meta.end, meta.positionsStart - meta.end));
        positions = DirectMonotonicReader.getInstance(
                meta.positions, data.randomAccessSlice(meta.positionsStart, meta.indexEnd - meta.positionsStart));
    }

    /** Returns the number of the block that contains a document. */
    long blockOf(int document) throws CorruptIndexException {
        var found = documents.binarySearch(0, meta.blocks, document);
        var block = found >= 0 ? found : -2 - found;
        if (block < 0) {
            throw new CorruptIndexException("no block has document " + document, data);
        }
        return block;
    }

    /** Returns the first document of a block; for the number of blocks, the number of documents. */
    int firstDocument(long block) {
        return Math.toIntExact(documents.get(block));
    }

    /** Returns the position of a block; for the number of blocks, the end of the last one. */
    long position(long block) throws CorruptIndexException {
        var position = positions.get(block);
        if (position < 0 || position > meta.end) {
            throw new CorruptIndexException("block " + block + " at position " + position, data);
        }
        return position;
    }

    /** The part of the metadata that describes the index. Immutable, shared by the readers of all threads. */
    static final class Meta {

        /** The number of blocks. */
        final long blocks;

        /** The position behind the last block. */
        final long end;

        private final long positionsStart;
        private final long indexEnd;
        private final DirectMonotonicReader.Meta documents;
        private final DirectMonotonicReader.Meta positions;

        Meta(IndexInput in, IndexInput data) throws IOException {
            blocks = in.readLong();
            end = in.readLong();
            documents = DirectMonotonicReader.loadMeta(in, blocks + 1, BLOCK_SHIFT);
            positionsStart = in.readLong();
            positions = DirectMonotonicReader.loadMeta(in, blocks + 1, BLOCK_SHIFT);
            indexEnd = in.readLong();
            if (end > positionsStart || positionsStart > indexEnd || indexEnd > data.length()) {
                throw new CorruptIndexException(
                        "the index of the blocks is at " + end + " to " + indexEnd + " of " + data.length() + " bytes",
                        data);
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
