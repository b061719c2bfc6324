// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Indexes generated documents while another thread searches. Each index has the same documents. */
final class LuceneRun {

    /** Queries per second. */
    static final int RATE = 200;

    /** Documents that a query reads. */
    static final int TOP = 10;

    /** Random documents whose stored fields are read for a time. */
    static final int FETCHES = 2000;

    private static final int LINES = 20; // per document
    private static final int TOKEN_BYTES = 16;
    private static final long SEED = 1;
    private static final long SECOND = 1_000_000_000;
    private static final long HIGHEST = 60 * SECOND;
    private static final int DIGITS = 3;
    private static final int LONGEST_WORD = 12;
    private static final int SHORTEST_WORD = 4;

    private final int documents;
    private final List<String> lines;
    private final List<String> words;

    /**
     * The cost of an index.
     *
     * @param seconds the time until all documents are committed
     * @param cpuSeconds CPU time of the process
     * @param collectionMillis time of garbage collections
     * @param bytes size of the index
     * @param latencies of queries in nanoseconds
     * @param fetchNanos the mean time to read the stored fields of a random document
     */
    record Result(
            double seconds,
            double cpuSeconds,
            double collectionMillis,
            double bytes,
            Histogram latencies,
            double fetchNanos) {}

    LuceneRun(int documents) {
        this.documents = documents;
        lines = SourceText.files().stream()
                .flatMap(file -> new String(SourceText.read(file), StandardCharsets.UTF_8).lines())
                .toList();
        words = lines.stream()
                .flatMap(line -> List.of(line.split("[^a-z]+")).stream())
                .filter(word -> word.length() >= SHORTEST_WORD && word.length() <= LONGEST_WORD)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the average number of bytes of the stored fields of a document. */
    double meanSize() {
        var random = new Random(SEED);
        var sum = 0L;
        for (var i = 0; i < documents; i++) {
            for (var field : document(random, i)) {
                sum += field.stringValue().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return (double) sum / documents;
    }

    private Document document(Random random, int number) {
        var first = random.nextInt(lines.size() - LINES);
        var token = new byte[TOKEN_BYTES];
        random.nextBytes(token);
        var document = new Document();
        document.add(new StringField("path", "/lines/" + first, Field.Store.YES));
        document.add(new StoredField("number", Integer.toString(number)));
        document.add(new StoredField("token", HexFormat.of().formatHex(token)));
        document.add(new TextField("body", String.join("\n", lines.subList(first, first + LINES)), Field.Store.YES));
        return document;
    }

    /** Writes an index in a new folder, and deletes it. */
    Result index(Codec codec) throws IOException {
        System.gc();
        var folder = Files.createTempDirectory("jurom-bench");
        try (var directory = FSDirectory.open(folder);
                var analyzer = new StandardAnalyzer();
                var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer).setCodec(codec))) {
            var collections = collectionMillis();
            var cpu = CpuClock.nanos();
            var begin = System.nanoTime();
            var queries = new Queries(writer);
            add(writer);
            var end = System.nanoTime();
            var latencies = queries.end();
            var cpuSeconds = (CpuClock.nanos() - cpu) / SECOND;
            var collectionMillis = collectionMillis() - collections;
            return new Result(
                    (end - begin) / (double) SECOND,
                    cpuSeconds,
                    collectionMillis,
                    size(directory),
                    latencies,
                    fetch(writer));
        } finally {
            delete(folder);
        }
    }

    /** Reads the stored fields of random documents. Returns the mean time of the second half. */
    private static double fetch(IndexWriter writer) throws IOException {
        try (var reader = DirectoryReader.open(writer)) {
            var random = new Random(SEED);
            var fields = reader.storedFields();
            var begin = 0L;
            for (var i = 0; i < 2 * FETCHES; i++) {
                if (i == FETCHES) {
                    begin = System.nanoTime();
                }
                fields.document(random.nextInt(reader.maxDoc()));
            }
            return (System.nanoTime() - begin) / (double) FETCHES;
        }
    }

    private void add(IndexWriter writer) throws IOException {
        var random = new Random(SEED);
        for (var i = 0; i < documents; i++) {
            writer.addDocument(document(random, i));
        }
        writer.commit();
    }

    private static double collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static double size(Directory directory) throws IOException {
        var sum = 0L;
        for (var file : directory.listAll()) {
            sum += directory.fileLength(file);
        }
        return sum;
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A thread that searches at a fixed rate. */
    private final class Queries {

        private final SearcherManager searchers;
        private final Histogram latencies = new Histogram(HIGHEST, DIGITS);
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private volatile boolean ended;

        Queries(IndexWriter writer) throws IOException {
            searchers = new SearcherManager(writer, null);
            Thread.ofPlatform().daemon().name("queries").start(() -> {
                try {
                    run();
                    done.complete(null);
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
        }

        private void run() throws IOException {
            var random = new Random(SEED);
            var begin = System.nanoTime();
            for (var count = 0L; !ended; count++) {
                var due = begin + count * SECOND / RATE;
                for (var left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                if (count % RATE == 0) {
                    searchers.maybeRefresh();
                }
                search(words.get(random.nextInt(words.size())));
                latencies.recordValue(Math.min(HIGHEST, System.nanoTime() - due));
            }
        }

        private void search(String word) throws IOException {
            IndexSearcher searcher = searchers.acquire();
            try {
                var hits = searcher.search(new TermQuery(new Term("body", word)), TOP).scoreDocs;
                var fields = searcher.storedFields();
                var read = new ArrayList<Document>();
                for (var hit : hits) {
                    read.add(fields.document(hit.doc));
                }
            } finally {
                searchers.release(searcher);
            }
        }

        Histogram end() throws IOException {
            ended = true;
            done.join();
            searchers.close();
            return latencies;
        }
    }
}
