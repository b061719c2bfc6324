// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionFormat;
import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.codecs.CompoundFormat;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FieldInfosFormat;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.LiveDocsFormat;
import org.apache.lucene.codecs.NormsConsumer;
import org.apache.lucene.codecs.NormsFormat;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PointsFormat;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.PointsWriter;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.TermVectorsFormat;
import org.apache.lucene.codecs.TermVectorsReader;
import org.apache.lucene.codecs.TermVectorsWriter;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Bits;

/**
 * A codec that compresses stored fields by zstd in UROM workers, and otherwise delegates to a codec of Lucene. New
 * segments have the codec of the {@code lucene-core} that writes them, which each segment records; segments of earlier
 * releases need {@code lucene-backward-codecs}, as with the codecs of Lucene.
 *
 * <p>Lucene finds it by the name {@value #NAME} to read an index. Stored fields are decompressed in this process,
 * so that searching needs neither a service nor workers.
 *
 * {@snippet class="dev.jurom.lucene.OffloadIndexTest" region="configuration"}
 *
 * <p>This class is thread-safe.
 */
public final class Jurom103Codec extends Codec {

    /** The name of the codec, which each segment records. */
    public static final String NAME = "Jurom103";

    private final StoredFieldsFormat storedFields;

    /**
     * Creates a codec that opens a compression with the default configuration when it first writes stored
     * fields. All codecs of this constructor share it, and it is closed when the JVM exits.
     */
    public Jurom103Codec() {
        super(NAME);
        storedFields = new OffloadStoredFieldsFormat(() -> Shared.COMPRESSION);
    }

    /**
     * Creates a codec that writes stored fields with a compression. A block of stored fields has 64 KiB, or the
     * block size of the compression if that is smaller.
     *
     * @param compression the compression, which the caller closes after the last index writer that uses the codec
     * @throws IllegalArgumentException if the format of the compression is not zstd, or if it has a dictionary
     */
    public Jurom103Codec(Compression compression) {
        super(NAME);
        var parameters = compression.configuration().parameters();
        if (parameters.format() != CompressionFormat.ZSTD || parameters.dictionary().length > 0) {
            throw new IllegalArgumentException(
                    "Stored fields need zstd without a dictionary, and the compression has " + parameters);
        }
        storedFields = new OffloadStoredFieldsFormat(() -> compression);
    }

    private static Codec delegate(SegmentInfo segment) {
        return DelegatingSegmentInfoFormat.codec(segment);
    }

    @Override
    public StoredFieldsFormat storedFieldsFormat() {
        return storedFields;
    }

    @Override
    public SegmentInfoFormat segmentInfoFormat() {
        return new DelegatingSegmentInfoFormat();
    }

    @Override
    public PostingsFormat postingsFormat() {
        return new PostingsFormat(NAME) {
            @Override
            public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
                return delegate(state.segmentInfo).postingsFormat().fieldsConsumer(state);
            }

            @Override
            public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
                return delegate(state.segmentInfo).postingsFormat().fieldsProducer(state);
            }
        };
    }

    @Override
    public DocValuesFormat docValuesFormat() {
        return new DocValuesFormat(NAME) {
            @Override
            public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
                return delegate(state.segmentInfo).docValuesFormat().fieldsConsumer(state);
            }

            @Override
            public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
                return delegate(state.segmentInfo).docValuesFormat().fieldsProducer(state);
            }
        };
    }

    @Override
    public TermVectorsFormat termVectorsFormat() {
        return new TermVectorsFormat() {
            @Override
            public TermVectorsReader vectorsReader(
                    Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context) throws IOException {
                return delegate(segment).termVectorsFormat().vectorsReader(directory, segment, fields, context);
            }

            @Override
            public TermVectorsWriter vectorsWriter(Directory directory, SegmentInfo segment, IOContext context)
                    throws IOException {
                return delegate(segment).termVectorsFormat().vectorsWriter(directory, segment, context);
            }
        };
    }

    @Override
    public FieldInfosFormat fieldInfosFormat() {
        return new FieldInfosFormat() {
            @Override
            public FieldInfos read(Directory directory, SegmentInfo segment, String suffix, IOContext context)
                    throws IOException {
                return delegate(segment).fieldInfosFormat().read(directory, segment, suffix, context);
            }

            @Override
            public void write(
                    Directory directory, SegmentInfo segment, String suffix, FieldInfos fields, IOContext context)
                    throws IOException {
                delegate(segment).fieldInfosFormat().write(directory, segment, suffix, fields, context);
            }
        };
    }

    @Override
    public NormsFormat normsFormat() {
        return new NormsFormat() {
            @Override
            public NormsConsumer normsConsumer(SegmentWriteState state) throws IOException {
                return delegate(state.segmentInfo).normsFormat().normsConsumer(state);
            }

            @Override
            public NormsProducer normsProducer(SegmentReadState state) throws IOException {
                return delegate(state.segmentInfo).normsFormat().normsProducer(state);
            }
        };
    }

    @Override
    public LiveDocsFormat liveDocsFormat() {
        return new LiveDocsFormat() {
            @Override
            public Bits readLiveDocs(Directory directory, SegmentCommitInfo segment, IOContext context)
                    throws IOException {
                return delegate(segment.info).liveDocsFormat().readLiveDocs(directory, segment, context);
            }

            @Override
            public void writeLiveDocs(
                    Bits live, Directory directory, SegmentCommitInfo segment, int deleted, IOContext context)
                    throws IOException {
                delegate(segment.info).liveDocsFormat().writeLiveDocs(live, directory, segment, deleted, context);
            }

            @Override
            public void files(SegmentCommitInfo segment, Collection<String> files) throws IOException {
                delegate(segment.info).liveDocsFormat().files(segment, files);
            }
        };
    }

    @Override
    public CompoundFormat compoundFormat() {
        return new CompoundFormat() {
            @Override
            public CompoundDirectory getCompoundReader(Directory directory, SegmentInfo segment) throws IOException {
                return delegate(segment).compoundFormat().getCompoundReader(directory, segment);
            }

            @Override
            public void write(Directory directory, SegmentInfo segment, IOContext context) throws IOException {
                delegate(segment).compoundFormat().write(directory, segment, context);
            }
        };
    }

    @Override
    public PointsFormat pointsFormat() {
        return new PointsFormat() {
            @Override
            public PointsWriter fieldsWriter(SegmentWriteState state) throws IOException {
                return delegate(state.segmentInfo).pointsFormat().fieldsWriter(state);
            }

            @Override
            public PointsReader fieldsReader(SegmentReadState state) throws IOException {
                return delegate(state.segmentInfo).pointsFormat().fieldsReader(state);
            }
        };
    }

    @Override
    public KnnVectorsFormat knnVectorsFormat() {
        return new KnnVectorsFormat(NAME) {
            @Override
            public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
                return delegate(state.segmentInfo).knnVectorsFormat().fieldsWriter(state);
            }

            @Override
            public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
                return delegate(state.segmentInfo).knnVectorsFormat().fieldsReader(state);
            }

            @Override
            public int getMaxDimensions(String field) {
                return DelegatingSegmentInfoFormat.newest().knnVectorsFormat().getMaxDimensions(field);
            }
        };
    }

    /** The compression of codecs that have none: reading an index does not open it. */
    private static final class Shared {
        static final Compression COMPRESSION = Compression.open();
    }
}
