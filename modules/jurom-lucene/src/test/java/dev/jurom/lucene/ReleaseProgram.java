// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FSDirectory;

/** Writes and reads indexes with the release of Lucene on its class path. */
final class ReleaseProgram {

    /** The number of documents that each {@code write} or {@code append} adds. */
    static final int DOCUMENTS = 50;

    private ReleaseProgram() {}

    /**
     * Executes the commands in the arguments: {@code write FOLDER}, {@code append FOLDER}, {@code merge FOLDER},
     * {@code read FOLDER} and {@code default}.
     */
    public static void main(String[] arguments) throws IOException {
        try (var compression = Compression.open(
                CompressionConfiguration.builder().mode(CompressionMode.LOCAL).build())) {
            for (var i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "default" -> useDefaultCodec();
                    case "write" -> write(compression, Path.of(arguments[++i]));
                    case "append" -> append(compression, Path.of(arguments[++i]));
                    case "merge" -> merge(compression, Path.of(arguments[++i]));
                    case "read" -> read(Path.of(arguments[++i]));
                    default -> throw new IllegalArgumentException(arguments[i]);
                }
            }
        }
    }

    private static void useDefaultCodec() throws IOException {
        try (var directory = new ByteBuffersDirectory();
                var writer = new IndexWriter(directory, new IndexWriterConfig())) {
            writer.addDocument(document(0));
            writer.commit();
            System.out.println("default codec " + Codec.getDefault());
        }
    }

    private static IndexWriterConfig configuration(Compression compression) {
        return new IndexWriterConfig().setCodec(new Jurom103Codec(compression)).setMergePolicy(NoMergePolicy.INSTANCE);
    }

    private static Document document(int number) {
        var document = new Document();
        document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
        document.add(new TextField("text", "word" + number + " of all", Field.Store.YES));
        document.add(new NumericDocValuesField("value", number));
        document.add(new IntPoint("point", number));
        document.add(new KnnFloatVectorField("vector", new float[] {number, 1}));
        document.add(new StoredField("bytes", ("bytes of " + number).getBytes(StandardCharsets.UTF_8)));
        return document;
    }

    /** Creates an index of one segment of several files and one of a compound file. */
    private static void write(Compression compression, Path folder) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, configuration(compression))) {
            for (var number = 0; number < DOCUMENTS; number++) {
                writer.getConfig().setUseCompoundFile(number < DOCUMENTS / 2);
                writer.addDocument(document(number));
                if (number == DOCUMENTS / 2 - 1) {
                    writer.commit();
                }
            }
        }
    }

    /** Adds documents to an index of other releases, after it has changed each of their segments. */
    private static void append(Compression compression, Path folder) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var writer = new IndexWriter(directory, configuration(compression))) {
            var count = writer.getDocStats().numDocs;
            for (var number = 0; number < count; number++) {
                writer.updateNumericDocValue(new Term("id", Integer.toString(number)), "value", number);
            }
            for (var first = 0; first < count; first += DOCUMENTS) {
                writer.updateDocument(new Term("id", Integer.toString(first)), document(first));
            }
            for (var number = count; number < count + DOCUMENTS; number++) {
                writer.addDocument(document(number));
            }
        }
    }

    private static void merge(Compression compression, Path folder) throws IOException {
        try (var directory = FSDirectory.open(folder);
                var writer =
                        new IndexWriter(directory, new IndexWriterConfig().setCodec(new Jurom103Codec(compression)))) {
            writer.forceMerge(1);
        }
    }

    /** Requires that each document of an index is found by each of its fields, and prints the number of documents. */
    private static void read(Path folder) throws IOException {
        var report = new ByteArrayOutputStream();
        try (var directory = FSDirectory.open(folder);
                var reader = DirectoryReader.open(directory);
                var check = new CheckIndex(directory)) {
            var searcher = new IndexSearcher(reader);
            var values = MultiDocValues.getNumericValues(reader, "value");
            for (var id = 0; id < reader.maxDoc(); id++) {
                require(values.advanceExact(id), "value", id);
                var number = (int) values.longValue();
                var found = reader.storedFields().document(id);
                require(found.get("id").equals("" + number), "id", number);
                require(found.get("text").equals("word" + number + " of all"), "text", number);
                require(found.getBinaryValue("bytes").utf8ToString().equals("bytes of " + number), "bytes", number);
                require(searcher.count(new TermQuery(new Term("text", "word" + number))) >= 1, "term", number);
                require(searcher.count(IntPoint.newExactQuery("point", number)) >= 1, "point", number);
            }
            var nearest = new KnnFloatVectorQuery("vector", new float[] {1, 1}, 3);
            require(searcher.search(nearest, 3).scoreDocs.length == 3, "vector", 1);
            check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8));
            if (!check.checkIndex().clean) {
                throw new AssertionError(report.toString(StandardCharsets.UTF_8));
            }
            System.out.println(folder.getFileName() + ": " + reader.numDocs() + " documents");
        }
    }

    private static void require(boolean right, String field, int number) {
        if (!right) {
            throw new AssertionError("the field " + field + " of document " + number + " is wrong");
        }
    }
}
