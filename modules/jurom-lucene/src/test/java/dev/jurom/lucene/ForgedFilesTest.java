// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DocumentStoredFieldVisitor;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose fields were changed, with the checksum that follows from the changed bytes. */
class ForgedFilesTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int BLOCK_SIZE = 1 << 10;
    private static final String DATA = "_0.jfd";
    private static final String META = "_0.jfm";
    private static final String DELEGATE = "_0.jfc";
    private static final long[] EXTREMES = {
        0, 1, -1, 2, 127, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE
    };

    @TempDir
    java.nio.file.Path folder;

    private static Compression compression;

    @BeforeAll
    static void open() throws CompressionException {
        compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.LOCAL)
                .blockSize(BLOCK_SIZE)
                .build());
    }

    @AfterAll
    static void close() {
        compression.close();
    }

    private static IndexWriterConfig configuration() {
        return new IndexWriterConfig().setCodec(new Jurom103Codec(compression)).setUseCompoundFile(false);
    }

    private static Document document(int number) {
        var bytes = new byte[number == 3 ? 3 * BLOCK_SIZE : 20];
        new Random(number).nextBytes(bytes);
        var document = new Document();
        document.add(new StoredField("text", "text of " + number));
        document.add(new StoredField("bytes", bytes));
        document.add(new StoredField("int", number));
        document.add(new StoredField("long", (long) number));
        document.add(new StoredField("float", (float) number));
        document.add(new StoredField("double", (double) number));
        return document;
    }

    /** Writes a segment of several blocks, one of them of several frames. */
    private static void write(Directory directory) throws IOException {
        try (var writer = new IndexWriter(directory, configuration().setMergePolicy(NoMergePolicy.INSTANCE))) {
            for (var number = 0; number < 20; number++) {
                writer.addDocument(document(number));
            }
        }
    }

    private static byte[] bytes(Directory directory, String file) throws IOException {
        try (var in = directory.openInput(file, IOContext.READONCE)) {
            var bytes = new byte[(int) in.length()];
            in.readBytes(bytes, 0, bytes.length);
            return bytes;
        }
    }

    /** Replaces a file by this content with the right checksum. */
    private static void forge(Directory directory, String file, byte[] content) throws IOException {
        var forged = content.clone();
        var crc = new CRC32();
        crc.update(forged, 0, forged.length - Long.BYTES);
        ByteBuffer.wrap(forged).putLong(forged.length - Long.BYTES, crc.getValue());
        directory.deleteFile(file);
        try (var out = directory.createOutput(file, IOContext.DEFAULT)) {
            out.writeBytes(forged, forged.length);
        }
    }

    private static boolean isFrame(byte[] content, int position) {
        return !LONG && position > 150 && position < content.length - 60;
    }

    private interface Variants {
        void accept(byte[] variant) throws IOException;
    }

    /**
     * Passes on variants of a file that each differ in one field, and shorter ones. Most of them differ at the
     * beginning, which has the headers, or at the end, which has the index.
     */
    private static void forEachVariant(byte[] content, int step, Variants variants) throws IOException {
        var end = content.length - CodecUtil.footerLength();
        for (var position = 0; position < end; position += isFrame(content, position) ? 97 * step : step) {
            for (var bit = 0; bit < Byte.SIZE; bit++) {
                var variant = content.clone();
                variant[position] ^= (byte) (1 << bit);
                variants.accept(variant);
            }
            for (var size : new int[] {Byte.BYTES, Integer.BYTES, Long.BYTES}) {
                for (var value : EXTREMES) {
                    if (position + size <= end) {
                        var field = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                        var variant = content.clone();
                        field.putLong(value).get(0, variant, position, size);
                        variants.accept(variant);
                    }
                }
            }
        }
        for (var length = CodecUtil.footerLength(); length < content.length; length += 7 * step) {
            variants.accept(Arrays.copyOfRange(content, content.length - length, content.length)); // its end alone
            var variant = Arrays.copyOf(content, length); // its beginning, with the footer
            var footer = length - CodecUtil.footerLength();
            System.arraycopy(content, end, variant, footer, CodecUtil.footerLength());
            variants.accept(variant);
        }
    }

    /** Reads everything in each way. Fails unless that succeeds or the files are reported as corrupt. */
    private static void read(Directory directory, SegmentCommitInfo segment, FieldInfos fields) throws IOException {
        var info = segment.info;
        var skipping = new StoredFieldVisitor() {
            @Override
            public Status needsField(FieldInfo field) {
                return Status.NO;
            }
        };
        try (var reader =
                info.getCodec().storedFieldsFormat().fieldsReader(directory, info, fields, IOContext.DEFAULT)) {
            for (var number = info.maxDoc() - 1; number >= 0; number--) {
                requireCorrupt(number, id -> reader.prefetch(id));
                requireCorrupt(number, id -> reader.document(id, new DocumentStoredFieldVisitor()));
                requireCorrupt(number, id -> reader.document(id, skipping));
            }
            try (var copy = reader.clone()) {
                for (var number = 0; number < info.maxDoc(); number++) {
                    requireCorrupt(number, id -> copy.document(id, new DocumentStoredFieldVisitor()));
                }
            }
        } catch (CorruptIndexException | IndexFormatTooNewException | IndexFormatTooOldException e) {
            // found when the files were opened
        }
    }

    private interface Reading {
        void of(int document) throws IOException;
    }

    private static void requireCorrupt(int document, Reading reading) throws IOException {
        try {
            reading.of(document);
        } catch (CorruptIndexException e) {
            // expected
        }
    }

    private static FieldInfos fields(Directory directory, SegmentCommitInfo segment) throws IOException {
        return segment.info.getCodec().fieldInfosFormat().read(directory, segment.info, "", IOContext.DEFAULT);
    }

    private static void forgeEachField(Directory directory, int step) throws IOException {
        write(directory);
        var segment = SegmentInfos.readLatestCommit(directory).info(0);
        var fields = fields(directory, segment);
        for (var file : List.of(META, DATA)) {
            var content = bytes(directory, file);
            forEachVariant(content, step, variant -> {
                forge(directory, file, variant);
                read(directory, segment, fields);
            });
            forge(directory, file, content);
        }
    }

    @Test
    void only_corrupt_index_exceptions_leave_a_reader() throws IOException {
        try (var directory = new ByteBuffersDirectory()) {
            forgeEachField(directory, 1);
        }
    }

    @Test
    void that_holds_for_mapped_files_and_channels() throws IOException {
        try (var mapped = FSDirectory.open(folder.resolve("mapped"));
                var channels = new NIOFSDirectory(folder.resolve("channels"))) {
            forgeEachField(mapped, 13);
            forgeEachField(channels, 17);
        }
    }

    @Test
    void a_forged_record_of_the_delegate_is_corrupt() throws IOException {
        try (var directory = new ByteBuffersDirectory()) {
            write(directory);
            var content = bytes(directory, DELEGATE);
            forEachVariant(content, 1, variant -> {
                forge(directory, DELEGATE, variant);
                try {
                    SegmentInfos.readLatestCommit(directory);
                    assertTrue(Arrays.equals(content, 0, content.length - 8, variant, 0, variant.length - 8));
                } catch (CorruptIndexException | IndexFormatTooNewException | IndexFormatTooOldException e) {
                    // expected
                }
            });
        }
    }

    /** Replaces the stored fields of a segment by one block of this content. */
    private static void writeBlock(Directory directory, SegmentInfo segment, byte[] content) throws IOException {
        var frame = new byte[(int) compression.maxCompressedSize(content.length)];
        var size = (int) compression
                .compress(MemorySegment.ofArray(content), MemorySegment.ofArray(frame))
                .join()
                .byteSize();
        directory.deleteFile(DATA);
        directory.deleteFile(META);
        try (var data = directory.createOutput(DATA, IOContext.DEFAULT);
                var meta = directory.createOutput(META, IOContext.DEFAULT)) {
            FileHeader.write(data, OffloadStoredFieldsFormat.DATA_CODEC, segment.getId());
            var index = new BlockIndex.Writer();
            index.add(segment.maxDoc(), data.getFilePointer());
            data.writeInt(segment.maxDoc() << 1);
            data.writeLong(content.length);
            data.writeInt(content.length);
            data.writeInt(size);
            data.writeBytes(frame, size);
            FileHeader.write(meta, OffloadStoredFieldsFormat.META_CODEC, segment.getId());
            meta.writeInt(BLOCK_SIZE);
            meta.writeLong(0);
            meta.writeLong(0);
            index.finish(meta, data);
            CodecUtil.writeFooter(meta);
            CodecUtil.writeFooter(data);
        }
    }

    /** Returns the content of the only block of a segment. */
    private static byte[] content(Directory directory) throws IOException {
        var headers = CodecUtil.indexHeaderLength(OffloadStoredFieldsFormat.DATA_CODEC, "")
                + OffloadStoredFieldsFormat.BLOCK_HEADER_SIZE;
        var data = ByteBuffer.wrap(bytes(directory, DATA)).order(ByteOrder.LITTLE_ENDIAN);
        var frame = MemorySegment.ofArray(data.array())
                .asSlice(headers + OffloadStoredFieldsFormat.FRAME_HEADER_SIZE, data.getInt(headers + Integer.BYTES));
        var content = new byte[data.getInt(headers)];
        compression.decompress(frame, MemorySegment.ofArray(content)).join();
        return content;
    }

    @Test
    void a_forged_length_within_a_block_is_corrupt() throws IOException {
        try (var directory = new ByteBuffersDirectory()) {
            try (var writer = new IndexWriter(directory, configuration())) {
                writer.addDocument(document(0));
                writer.addDocument(document(1));
            }
            var segment = SegmentInfos.readLatestCommit(directory).info(0);
            var fields = fields(directory, segment);
            var content = content(directory);
            for (var position = 0; position < content.length; position++) {
                for (var value = 0; value < 256; value += position < 40 ? 1 : 17) {
                    var variant = content.clone();
                    variant[position] = (byte) value;
                    writeBlock(directory, segment.info, variant);
                    read(directory, segment, fields);
                }
                for (var forged : new String[] {
                    "\u00ff\u00ff\u00ff\u00ff\u0007", // the largest int
                    "\u00ff\u00ff\u00ff\u00ff\u000f", // -1
                    "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u007f", // the largest long
                    "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff", // no number
                }) {
                    var number = forged.getBytes(StandardCharsets.ISO_8859_1);
                    var variant = content.clone();
                    System.arraycopy(number, 0, variant, position, Math.min(number.length, variant.length - position));
                    writeBlock(directory, segment.info, variant);
                    read(directory, segment, fields);
                }
            }
        }
    }

    @Test
    void a_merge_reports_forged_files_as_corrupt() throws IOException {
        try (var directory = new ByteBuffersDirectory()) {
            write(directory);
            try (var writer = new IndexWriter(directory, configuration().setMergePolicy(NoMergePolicy.INSTANCE))) {
                writer.addDocument(document(20));
            }
            for (var file : List.of(META, DATA)) {
                var content = bytes(directory, file);
                forEachVariant(content, 11, variant -> {
                    forge(directory, file, variant);
                    var merging = configuration()
                            .setMergePolicy(new LogDocMergePolicy())
                            .setMergeScheduler(new SerialMergeScheduler())
                            .setCommitOnClose(false);
                    try (var writer = new IndexWriter(directory, merging)) {
                        writer.forceMerge(1);
                    } catch (CorruptIndexException | IndexFormatTooNewException | IndexFormatTooOldException e) {
                        // expected
                    }
                });
                forge(directory, file, content);
            }
        }
    }
}
