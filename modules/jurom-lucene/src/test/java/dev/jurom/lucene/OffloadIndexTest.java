// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes whose stored fields are compressed in real workers. */
class OffloadIndexTest {

    @TempDir
    Path folder;

    private static Compression compression(CompressionMode mode) throws CompressionException {
        return Compression.open(
                CompressionConfiguration.builder().mode(mode).workers(2).build());
    }

    private static IndexWriterConfig configuration(Compression compression) {
        return new IndexWriterConfig().setCodec(new Jurom103Codec(compression)).setUseCompoundFile(false);
    }

    /** Returns the document of a number: the content follows from the number. */
    private static Document document(int number) {
        var random = new Random(number);
        var text = new StringBuilder();
        while (text.length() < 1000) {
            text.append("word").append(random.nextInt(500)).append(' ');
        }
        var bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        var document = new Document();
        document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
        document.add(new StoredField("text", text.toString()));
        document.add(new StoredField("bytes", bytes));
        document.add(new StoredField("int", random.nextInt()));
        document.add(new StoredField("long", random.nextLong()));
        document.add(new StoredField("float", random.nextFloat()));
        document.add(new StoredField("double", random.nextDouble()));
        return document;
    }

    private static void add(IndexWriter writer, int first, int end) throws IOException {
        for (var number = first; number < end; number++) {
            writer.addDocument(document(number));
        }
    }

    /** Requires a clean index whose documents are those of these numbers, in any order. */
    private void requireDocuments(int count) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var reader = DirectoryReader.open(directory);
                var check = new CheckIndex(directory)) {
            assertEquals(count, reader.numDocs());
            var seen = new boolean[count];
            var stored = reader.storedFields();
            for (var i = 0; i < count; i++) {
                var found = stored.document(i);
                var number = Integer.parseInt(found.get("id"));
                assertTrue(!seen[number], () -> "document " + number + " is there twice");
                seen[number] = true;
                var expected = document(number);
                assertEquals(expected.getFields().size(), found.getFields().size());
                for (var field : expected) {
                    assertEquals(field.stringValue(), found.get(field.name()));
                    assertEquals(field.numericValue(), found.getField(field.name()).numericValue());
                    if (field.stringValue() == null) {
                        assertEquals(field.binaryValue(), found.getBinaryValue(field.name()));
                    }
                }
            }
            check.setInfoStream(new PrintStream(OutputStream.nullOutputStream()));
            assertTrue(check.checkIndex().clean);
        }
    }

    @Test
    void workers_compress_what_is_read_without_them() throws IOException {
        try (var directory = FSDirectory.open(folder)) {
            // @start region="configuration"
            try (var compression = Compression.open();
                    var writer = new IndexWriter(
                            directory, new IndexWriterConfig().setCodec(new Jurom103Codec(compression)))) {
                // @end
                add(writer, 0, 2000);
                writer.commit();
                assertTrue(compression.counters().offloadedBytes() > 2_000_000, compression.counters()::toString);
                assertEquals(0, compression.counters().localBlocks());
            }
        }
        requireDocuments(2000);
    }
}
