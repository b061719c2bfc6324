// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/**
 * The files of stored fields, with Lucene's headers and checksums. The data file has the blocks and the index of the
 * blocks. The metadata file has the size of the largest frame content (int), the numbers of incomplete blocks and of
 * their documents (longs), and the part that {@link BlockIndex} writes.
 *
 * <p>A block has the number of its documents (an int: twice the number, plus one if the block is incomplete), the
 * length of its content (a long), and frames: the lengths of content and frame (two ints) and one zstd frame. Only a
 * document that is larger than a block has more than one frame. The content is the documents: length (vLong) and
 * fields. A field has eight times its number plus its type (vLong), and its value: a string or bytes behind their
 * length (vInt), a zInt, a zLong, or the bits of a float (int) or double (long).
 */
final class OffloadStoredFieldsFormat extends StoredFieldsFormat {

    static final String DATA_EXTENSION = "jfd";
    static final String META_EXTENSION = "jfm";
    static final String DATA_CODEC = "JuromStoredFieldsData";
    static final String META_CODEC = "JuromStoredFieldsMeta";

    /** The largest size of a block's frame content; a compression may have smaller blocks. */
    static final int BLOCK_SIZE = 64 << 10;

    static final int BLOCK_HEADER_SIZE = Integer.BYTES + Long.BYTES;
    static final int FRAME_HEADER_SIZE = 2 * Integer.BYTES;

    static final int TYPE_BITS = 3;
    static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
    static final int STRING = 0;
    static final int BYTES = 1;
    static final int INT = 2;
    static final int LONG = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;

    private final Supplier<Compression> compression;

    OffloadStoredFieldsFormat(Supplier<Compression> compression) {
        this.compression = compression;
    }

    static String fileName(SegmentInfo segment, String extension) {
        return IndexFileNames.segmentFileName(segment.name, "", extension);
    }

    @Override
    public StoredFieldsReader fieldsReader(
            Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context) throws IOException {
        return OffloadStoredFieldsReader.open(directory, segment, fields, context);
    }

    @Override
    public StoredFieldsWriter fieldsWriter(Directory directory, SegmentInfo segment, IOContext context)
            throws IOException {
        return new OffloadStoredFieldsWriter(compression.get(), directory, segment, context);
    }
}
