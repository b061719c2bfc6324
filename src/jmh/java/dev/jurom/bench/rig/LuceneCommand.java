// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.rig.LuceneRun.Result;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import dev.jurom.lucene.Jurom103Codec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene103.Lucene103Codec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench lucene}: an index whose stored fields are compressed in workers. */
@Command(
        name = "lucene",
        mixinStandardHelpOptions = true,
        description = "Measure indexing during queries, with stored fields that are compressed in workers, by zstd"
                + " in the process, and by Lucene's BEST_COMPRESSION.")
final class LuceneCommand implements Callable<Integer> {

    private static final double MIB = 1 << 20;
    private static final String DEFAULT = "Lucene, `BEST_SPEED` (default)";
    private static final String BEST_COMPRESSION = "Lucene, `BEST_COMPRESSION`";
    private static final Map<Integer, Double> TIME_GOALS = Map.of(3, 0.95, 9, 1.1); // by level
    private static final double CPU_GOAL = 0.85;
    private static final double FETCH_GOAL = 0.35;

    @Option(
            names = "--documents",
            defaultValue = "100000",
            description = "Number of documents of an index (default: ${DEFAULT-VALUE}).")
    private int documents;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description =
                    "Number of indexes of each codec, after an uncounted first index (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--workers", defaultValue = "1", description = "Number of workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--levels",
            split = ",",
            defaultValue = "1,3,9",
            description = "Levels of zstd in workers (default: ${DEFAULT-VALUE}).")
    private List<Integer> levels;

    @Option(names = "--write", description = "Write the table to docs/lucene.md.")
    private boolean write;

    @Override
    public Integer call() throws Exception {
        var run = new LuceneRun(documents);
        var results = new LinkedHashMap<String, List<Result>>();
        var compressions = new ArrayList<Compression>();
        try {
            var codecs = new LinkedHashMap<String, Codec>();
            codecs.put(DEFAULT, new Lucene103Codec(Lucene103Codec.Mode.BEST_SPEED));
            codecs.put(BEST_COMPRESSION, new Lucene103Codec(Lucene103Codec.Mode.BEST_COMPRESSION));
            codecs.put("zstd in the process, `LOCAL`", codec(compressions, CompressionMode.LOCAL, 3));
            for (var level : levels) {
                codecs.put(auto(level), codec(compressions, CompressionMode.AUTO, level));
            }
            for (var round = 0; round <= rounds; round++) {
                for (var codec : codecs.entrySet()) {
                    var result = run.index(codec.getValue());
                    if (round > 0) {
                        results.computeIfAbsent(codec.getKey(), name -> new ArrayList<>())
                                .add(result);
                    }
                }
            }
            var fallbacks = compressions.stream()
                    .mapToLong(compression -> compression.counters().fallbacks())
                    .sum();
            if (fallbacks > 0) {
                throw new IllegalStateException(fallbacks + " blocks were not compressed in workers");
            }
        } finally {
            compressions.forEach(Compression::close);
        }
        var text = text(run, results) + "\n" + goals(results);
        System.out.print(text);
        if (write) {
            Page.LUCENE.replace("measurements", "lucene --documents " + documents + " --rounds " + rounds, text);
        }
        return 0;
    }

    private static String auto(int level) {
        return "zstd in workers, `AUTO`, level " + level;
    }

    private Codec codec(List<Compression> compressions, CompressionMode mode, int level) throws CompressionException {
        var compression = Compression.open(CompressionConfiguration.builder()
                .mode(mode)
                .parameters(CompressionParameters.of(CompressionFormat.ZSTD).withLevel(level))
                .workers(workers)
                .build());
        compressions.add(compression);
        return new Jurom103Codec(compression);
    }

    /** Compares the levels that have goals with Lucene's codec. */
    private Table goals(Map<String, List<Result>> results) {
        var table = new Table("stored fields", "figure", "against", "measured", "goal", "met");
        for (var level : levels) {
            var of = auto(level);
            var time = TIME_GOALS.get(level);
            if (time != null) {
                goal(table, results, of, "index time", DEFAULT, Result::seconds, time);
                goal(table, results, of, "application's CPU", DEFAULT, Result::cpuSeconds, CPU_GOAL);
                goal(table, results, of, "random fetch", BEST_COMPRESSION, Result::fetchNanos, FETCH_GOAL);
            }
        }
        return table;
    }

    private static void goal(
            Table table,
            Map<String, List<Result>> results,
            String of,
            String figure,
            String against,
            ToDoubleFunction<Result> value,
            double bound) {
        var measured = median(results.get(of), value) / median(results.get(against), value);
        var goal = Goal.atMost(bound);
        table.row(
                of,
                figure,
                against,
                format("%.2f", measured),
                goal.text(CacheDomain.SEPARATE, Relation.RATIO),
                goal.verdict(CacheDomain.SEPARATE, measured));
    }

    private String text(LuceneRun run, Map<String, List<Result>> results) {
        var table = new Table(
                "stored fields",
                "index time",
                "application's CPU",
                "query p50",
                "p99",
                "p99.9",
                "garbage collection",
                "index size",
                "random fetch");
        results.forEach((name, all) -> table.row(
                name,
                format("%.1f s", median(all, Result::seconds)),
                format("%.1f s", median(all, Result::cpuSeconds)),
                percentile(all, 50),
                percentile(all, 99),
                percentile(all, 99.9),
                format("%.0f ms", median(all, Result::collectionMillis)),
                format("%.1f MiB", median(all, Result::bytes) / MIB),
                Figures.time(median(all, Result::fetchNanos))));
        return format(
                """
                %d rounds, interleaved, after a warm-up round; times and sizes: medians; percentiles: of all \
                queries. Each index has %d documents of %.0f bytes on average, in which lines of the sources of jurom \
                are the body, and a path, a number and random hexadecimal digits are further fields; all are stored. Workers: %d. \
                One thread adds documents; another one searches a word of the body %d times a second in a reader that \
                is reopened each second, and reads the stored fields of the first %d documents. Latency counts from \
                the due time of the query. CPU and garbage collection: of the application's process with both \
                threads, merges and the service. Random fetch: mean time to read the stored fields of a random \
                document, of %d.

                %s""",
                rounds, documents, run.meanSize(), workers, LuceneRun.RATE, LuceneRun.TOP, LuceneRun.FETCHES, table);
    }

    private static double median(List<Result> results, ToDoubleFunction<Result> value) {
        var sorted = results.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String percentile(List<Result> results, double percentile) {
        var all = results.getFirst().latencies().copy();
        results.stream().skip(1).forEach(result -> all.add(result.latencies()));
        return Figures.time(all.getValueAtPercentile(percentile));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
