// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests directories in which one write fails, as when the disk is full for a moment. */
class FailedWritesTest {

    private static final int DOCUMENTS = 20;
    private static final int BLOCK_SIZE = 1 << 10;
    private static final FieldInfo FIELD = new FieldInfo(
            "field",
            0,
            false,
            false,
            false,
            IndexOptions.NONE,
            DocValuesType.NONE,
            DocValuesSkipIndexType.NONE,
            -1,
            Map.of(),
            0,
            0,
            0,
            0,
            VectorEncoding.FLOAT32,
            VectorSimilarityFunction.EUCLIDEAN,
            false,
            false);

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

    /** Returns incompressible bytes. */
    private static byte[] content(int document) {
        var bytes = new byte[600];
        new Random(document).nextBytes(bytes);
        return bytes;
    }

    /** A directory whose stored fields fail once, at the write that reaches a position. */
    private static final class Failing extends FilterDirectory {

        private final long position;
        private long written;
        private boolean failed;
        private long writtenAfterFailure;

        Failing(long position) {
            super(new ByteBuffersDirectory());
            this.position = position;
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            var out = super.createOutput(name, context);
            return !name.matches(".*\\.jf[dm]")
                    ? out
                    : new FilterIndexOutput(name, name, out) {
                        private void count(int length) throws IOException {
                            if (failed) {
                                writtenAfterFailure += length;
                            }
                            written += length;
                            if (!failed && written >= position) {
                                failed = true;
                                throw new IOException("no space left on device");
                            }
                        }

                        @Override
                        public void writeByte(byte value) throws IOException {
                            count(1);
                            super.writeByte(value);
                        }

                        @Override
                        public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
                            count(length);
                            super.writeBytes(bytes, offset, length);
                        }

                        @Override
                        public void writeShort(short value) throws IOException {
                            count(Short.BYTES);
                            super.writeShort(value);
                        }

                        @Override
                        public void writeInt(int value) throws IOException {
                            count(Integer.BYTES);
                            super.writeInt(value);
                        }

                        @Override
                        public void writeLong(long value) throws IOException {
                            count(Long.BYTES);
                            super.writeLong(value);
                        }
                    };
        }
    }

    private static void add(StoredFieldsWriter writer, int document) throws IOException {
        writer.startDocument();
        writer.writeField(FIELD, new BytesRef(content(document)));
        writer.finishDocument();
    }

    @Test
    void after_a_failed_write_each_call_fails_and_nothing_is_written() throws IOException {
        var codec = new Jurom103Codec(compression);
        for (var position = 60; ; position += 97) {
            try (var directory = new Failing(position)) {
                var segment = new SegmentInfo(
                        directory,
                        Version.LATEST,
                        Version.LATEST,
                        "_0",
                        DOCUMENTS,
                        false,
                        false,
                        codec,
                        Map.of(),
                        StringHelper.randomId(),
                        Map.of(),
                        null);
                var failures = new ArrayList<IOException>();
                try (var writer = codec.storedFieldsFormat().fieldsWriter(directory, segment, IOContext.DEFAULT)) {
                    for (var document = 0; document <= DOCUMENTS; document++) {
                        try {
                            if (document < DOCUMENTS) {
                                add(writer, document);
                            } else {
                                writer.finish(DOCUMENTS);
                            }
                        } catch (IOException e) {
                            failures.add(e);
                        }
                    }
                    if (!directory.failed) {
                        return; // the position is behind the end
                    }
                    assertThrows(IOException.class, () -> add(writer, 0));
                    var last = assertThrows(IOException.class, () -> writer.finish(DOCUMENTS));
                    var first = failures.getFirst();
                    assertEquals("no space left on device", first.getMessage());
                    assertNotSame(first, last);
                    assertSame(first, last.getCause());
                    assertTrue(last.getMessage().contains("_0.jfd"), last::getMessage);
                }
                assertEquals(0, directory.writtenAfterFailure, "at " + position);
            }
        }
    }

    @Test
    void an_index_contains_all_documents_that_were_committed_without_an_exception() throws IOException {
        for (var position = 60; ; position += 397) {
            try (var directory = new Failing(position)) {
                var added = 0;
                var configuration = new IndexWriterConfig().setCodec(new Jurom103Codec(compression));
                try (var writer = new IndexWriter(directory, configuration)) {
                    for (var number = 0; number < DOCUMENTS; number++) {
                        var document = new Document();
                        document.add(new StoredField("bytes", content(number)));
                        writer.addDocument(document);
                        added++;
                    }
                    writer.commit();
                } catch (IOException | IllegalStateException e) {
                    assertTrue(directory.failed, e::toString);
                    continue; // nothing was committed, or the writer is closed
                }
                try (var reader = DirectoryReader.open(directory)) {
                    assertEquals(added, reader.numDocs());
                    for (var number = 0; number < added; number++) {
                        assertEquals(
                                new BytesRef(content(number)),
                                reader.storedFields().document(number).getBinaryValue("bytes"));
                    }
                }
                if (!directory.failed) {
                    return;
                }
            }
        }
    }
}
