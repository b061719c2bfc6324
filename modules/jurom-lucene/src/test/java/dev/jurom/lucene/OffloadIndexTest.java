// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionError;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes whose stored fields are compressed in real workers. */
class OffloadIndexTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int BLOCK_SIZE = 64 << 10;

    @TempDir
    Path folder;

    private static CompressionConfiguration.Builder configuration(CompressionMode mode) {
        return CompressionConfiguration.builder().mode(mode).blockSize(BLOCK_SIZE);
    }

    private static IndexWriterConfig writing(Compression compression) {
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

    /** Requires a clean index with this number of documents, each found by its id and equal to the added one. */
    private void requireDocuments(int count) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var reader = DirectoryReader.open(directory);
                var check = new CheckIndex(directory)) {
            assertEquals(count, reader.numDocs());
            var searcher = new IndexSearcher(reader);
            var stored = reader.storedFields();
            for (var i = 0; i < count; i++) {
                var found = stored.document(i);
                var number = Integer.parseInt(found.get("id"));
                var hits = searcher.search(new TermQuery(new Term("id", found.get("id"))), 2).scoreDocs;
                assertEquals(1, hits.length);
                assertEquals(i, hits[0].doc);
                var expected = document(number);
                assertEquals(expected.getFields().size(), found.getFields().size());
                for (var field : expected) {
                    assertEquals(field.stringValue(), found.get(field.name()));
                    assertEquals(
                            field.numericValue(), found.getField(field.name()).numericValue());
                    if (field.stringValue() == null) {
                        assertEquals(field.binaryValue(), found.getBinaryValue(field.name()));
                    }
                }
            }
            for (var leaf : reader.leaves()) {
                leaf.reader().checkIntegrity();
            }
            check.setInfoStream(new PrintStream(OutputStream.nullOutputStream()));
            assertTrue(check.checkIndex().clean);
        }
    }

    @Test
    void workers_compress_what_is_read_without_them() throws IOException {
        // @start region="configuration"
        var compression = Compression.open();
        var configuration = new IndexWriterConfig().setCodec(new Jurom103Codec(compression));
        // @end
        try (compression;
                var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, configuration)) {
            add(writer, 0, 2000);
            writer.commit();
            assertTrue(compression.counters().offloadedBytes() > 2_000_000, compression.counters()::toString);
            assertEquals(0, compression.counters().fallbacks());
        }
        requireDocuments(2000);
    }

    @Test
    void nothing_is_started_to_read_an_index() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.AUTO).build())) {
            index(compression, 100);
        }
        Waiting.until("the workers have exited", () -> EmbeddedWorkers.list().isEmpty());
        assertEquals(Jurom103Codec.class, Codec.forName(Jurom103Codec.NAME).getClass());
        requireDocuments(100);
        assertTrue(EmbeddedWorkers.list().isEmpty());
    }

    private void index(Compression compression, int count) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, writing(compression))) {
            add(writer, 0, count);
        }
    }

    @Test
    void documents_are_added_while_several_blocks_are_in_flight() throws IOException {
        try (var compression =
                        Compression.open(configuration(CompressionMode.OFFLOAD).build());
                var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, writing(compression))) {
            EmbeddedWorkers.signal("STOP");
            add(writer, 0, 200); // three blocks
            assertEquals(0, compression.counters().offloadedBlocks());
            EmbeddedWorkers.signal("CONT");
            writer.commit();
            assertTrue(compression.counters().offloadedBlocks() > 3, compression.counters()::toString);
            assertEquals(0, compression.counters().fallbacks());
        }
        requireDocuments(200);
    }

    @Test
    void a_merge_copies_the_blocks_of_segments_without_deleted_documents() throws IOException {
        try (var compression =
                        Compression.open(configuration(CompressionMode.OFFLOAD).build());
                var directory = FSDirectory.open(folder)) {
            try (var writer = new IndexWriter(directory, writing(compression).setMergePolicy(NoMergePolicy.INSTANCE))) {
                for (var segment = 0; segment < 4; segment++) {
                    add(writer, segment * 500, segment * 500 + 500);
                    writer.commit();
                }
            }
            var flushed = compression.counters().offloadedBytes();
            assertTrue(flushed > 2_000_000, compression.counters()::toString);
            try (var writer = new IndexWriter(directory, writing(compression))) {
                writer.forceMerge(1);
            }
            assertEquals(flushed, compression.counters().offloadedBytes());
            requireDocuments(2000);
            // One segment with deleted documents, and behind it one without.
            try (var writer =
                    new IndexWriter(directory, writing(compression).setMergePolicy(new LogByteSizeMergePolicy()))) {
                writer.deleteDocuments(new Term("id", "7"));
                add(writer, 2000, 2500);
                writer.commit();
                flushed = compression.counters().offloadedBytes();
                writer.forceMerge(1);
            }
            var merged = compression.counters().offloadedBytes() - flushed;
            assertTrue(2_000_000 < merged && merged < 2_400_000, "" + merged);
            assertEquals(0, compression.counters().localBytes());
        }
        requireDocuments(2499);
    }

    @Test
    void documents_may_be_larger_than_a_block() throws IOException {
        var large = new byte[5 * BLOCK_SIZE + 1];
        new Random(1).nextBytes(large);
        try (var compression =
                        Compression.open(configuration(CompressionMode.AUTO).build());
                var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, writing(compression))) {
            for (var number = 0; number < 20; number++) {
                var document = new Document();
                document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
                if (number % 3 == 0) {
                    document.add(new StoredField("large", large));
                }
                document.add(new StoredField("last", number));
                writer.addDocument(document);
            }
            writer.commit();
            writer.deleteDocuments(new Term("id", "0"));
            writer.forceMerge(1);
            assertEquals(0, compression.counters().fallbacks());
        }
        try (var directory = FSDirectory.open(folder);
                var reader = DirectoryReader.open(directory)) {
            var stored = reader.storedFields();
            for (var number = 1; number < 20; number++) {
                var last = stored.document(number - 1, Set.of("last")); // skips the large field
                assertEquals(number, last.getField("last").numericValue());
                var all = stored.document(number - 1);
                assertEquals(number, all.getField("last").numericValue());
                assertEquals(number % 3 == 0 ? new BytesRef(large) : null, all.getBinaryValue("large"));
            }
        }
    }

    @Test
    void an_index_survives_the_kill_of_its_workers_and_of_the_service() throws IOException {
        var count = LONG ? 100_000 : 4000;
        var service = EmbeddedService.open(usual -> usual.toBuilder()
                .maxMessageSize(configuration(CompressionMode.SAVE_CPU).build().maxMessageSize())
                .build());
        try (var compression = Compression.open(
                        configuration(CompressionMode.SAVE_CPU).workers(2).build());
                var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, writing(compression).setRAMBufferSizeMB(1))) {
            var random = new Random(1);
            for (var part = 0; part < count / 500; part++) {
                var killed = part * 500 + random.nextInt(500);
                add(writer, part * 500, killed);
                EmbeddedWorkers.kill();
                if (part == count / 1000) {
                    service.close();
                }
                add(writer, killed, part * 500 + 500);
            }
            writer.forceMerge(1);
            var counters = compression.counters();
            assertTrue(counters.fallbacks() > 0 && counters.offloadedBlocks() > 0, counters::toString);
            assertEquals(0, counters.failures());
        } finally {
            service.close();
        }
        requireDocuments(count);
    }

    @Test
    void without_fallback_a_commit_fails_when_the_worker_is_killed() throws IOException {
        try (var compression =
                        Compression.open(configuration(CompressionMode.OFFLOAD).build());
                var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, writing(compression))) {
            add(writer, 0, 100);
            writer.commit();
            EmbeddedWorkers.signal("STOP");
            add(writer, 100, 300); // three blocks
            EmbeddedWorkers.kill();
            var failure = assertThrows(IOException.class, writer::commit);
            var cause = assertInstanceOf(CompressionException.class, failure.getCause());
            assertEquals(CompressionError.WORKER_FAILED, cause.error());
            assertTrue(failure.getMessage().contains(".jfd"), failure::getMessage);
        }
        requireDocuments(100);
    }

    @Test
    void a_truncated_file_is_named() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.LOCAL).build())) {
            index(compression, 300);
        }
        for (var name : new String[] {"_0.jfd", "_0.jfm"}) {
            var file = folder.resolve(name);
            var content = Files.readAllBytes(file);
            for (var length : new int[] {0, 20, content.length / 2, content.length - 1}) {
                Files.write(file, Arrays.copyOf(content, length));
                var failure = assertThrows(CorruptIndexException.class, () -> requireDocuments(300));
                assertTrue(failure.getMessage().contains(name), failure::getMessage);
            }
            Files.write(file, content);
        }
        requireDocuments(300);
    }

    @Test
    void a_corrupted_file_is_named_and_yields_no_wrong_document() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.LOCAL).build())) {
            index(compression, 300);
        }
        var random = new Random(1);
        for (var name : new String[] {"_0.jfd", "_0.jfm"}) {
            var file = folder.resolve(name);
            var content = Files.readAllBytes(file);
            for (var i = 0; i < (LONG ? 2000 : 50); i++) {
                var corrupted = content.clone();
                // The first bytes, among them the header of the first block, as often as all others.
                var position = random.nextInt(i % 2 == 0 ? 120 : content.length);
                corrupted[position] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, corrupted);
                var failure = assertThrows(IOException.class, () -> requireDocuments(300));
                assertTrue(failure.getMessage().contains(name), failure::getMessage);
                // Lucene reports a changed version as too new or too old.
                assertTrue(
                        failure instanceof CorruptIndexException
                                || failure instanceof IndexFormatTooNewException
                                || failure instanceof IndexFormatTooOldException,
                        failure::toString);
            }
            Files.write(file, content);
        }
    }

    @Test
    void formats_other_than_zstd_are_rejected() throws IOException {
        try (var compression = Compression.open(configuration(CompressionMode.LOCAL)
                .parameters(CompressionParameters.of(CompressionFormat.LZ4))
                .build())) {
            assertThrows(IllegalArgumentException.class, () -> new Jurom103Codec(compression));
        }
    }
}
