// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.spark.OffloadCompressionCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.Tuple2;

/** Measures jobs with the codec beside those with Spark's codecs, and compares them with goals. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures sorts, joins and cached blocks with Spark's zstd and LZ4, with the codec and without compression, on a"
                        + " standalone cluster of this machine. Prints tables in Markdown, with goals.")
final class SparkBench implements Callable<Integer> {

    private static final String NONE = "none"; // the cost of the job alone
    private static final String ZSTD = "zstd";
    private static final String LZ4 = "lz4";
    private static final String AUTO = "AUTO";
    private static final String SAVE_CPU = "SAVE_CPU";
    private static final int RUNS = 3; // of a job in an application; the last one counts
    private static final int FEW_PARTITIONS = 8;
    private static final Map<Integer, Double> SAVE_CPU_GOALS = Map.of(3, 0.5, 9, 0.25); // by level
    private static final int PAIRS = 100_000;
    private static final double SECOND = 1e9; // nanoseconds
    private static final double MIB = 1 << 20;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Number of records of 108 bytes of a sort; a join has as many on each side"
                    + " (default: ${DEFAULT-VALUE}).")
    private long records;

    @Option(
            names = "--jobs",
            paramLabel = "JOB",
            split = ",",
            defaultValue = "sort,join,cache",
            description = "Jobs: sort, join and cache (default: ${DEFAULT-VALUE}).")
    private List<String> jobs;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            split = ",",
            defaultValue = "8,200,2000",
            description = "Numbers of partitions of sorts and joins (default: ${DEFAULT-VALUE}).")
    private List<Integer> partitions;

    @Option(
            names = "--levels",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,3,9",
            description = "Levels of zstd (default: ${DEFAULT-VALUE}).")
    private List<Integer> levels;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Applications of each codec, interleaved (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--unpinned",
            description = "Let the executors and the service share all cores. By default, the executors are pinned to"
                    + " core 0, and the service with its workers to core 1.")
    private boolean unpinned;

    /**
     * The cost of a job.
     *
     * @param seconds from the submission to the end
     * @param cpuSeconds the CPU time of the executors
     * @param bytes the size of cached blocks
     */
    private record Cost(double seconds, double cpuSeconds, long bytes) {}

    private interface Job {
        /** Executes the job once. Returns the size of cached blocks. */
        long run(JavaSparkContext spark);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return SparkDemo.onCluster(CompressionConfiguration.DEFAULT_BLOCK_SIZE, !unpinned, this::measure);
    }

    private int measure(Path folder, Cluster cluster, Service service) throws IOException, InterruptedException {
        System.out.printf(
                "| job | codec | time | of zstd | executors' CPU | of zstd | size |%n|---|---|---|---|---|---|---|%n");
        var goals = new ArrayList<String>();
        for (var job : jobs) {
            if (job.equals("cache")) {
                var costs = costs(3, cluster, service, SparkBench::cache);
                print("cache " + PAIRS + " pairs with Kryo", costs);
                var zstd = costs.get(ZSTD);
                goals.add(goal("cache", "time of AUTO", "zstd", costs.get(AUTO).seconds() / zstd.seconds(), 1));
                goals.add(goal(
                        "cache",
                        "size of AUTO",
                        "zstd",
                        (double) costs.get(AUTO).bytes() / zstd.bytes(),
                        1));
                continue;
            }
            for (var count : partitions) {
                for (var level : levels) {
                    var name = job + ", " + count + " partitions, level " + level;
                    var costs = costs(level, cluster, service, job(job, count));
                    print(name, costs);
                    addGoals(goals, name, count, level, costs);
                }
            }
        }
        System.out.printf("%n| job | figure | against | measured | goal | met |%n|---|---|---|---|---|---|%n");
        goals.forEach(System.out::println);
        return 0;
    }

    private Job job(String name, int count) {
        var number = records;
        return switch (name) {
            case "sort" ->
                spark -> {
                    require(number, pairs(spark, number).sortByKey(true, count).count());
                    return 0;
                };
            case "join" ->
                spark -> {
                    require(
                            number,
                            pairs(spark, number)
                                    .join(pairs(spark, number), count)
                                    .count());
                    return 0;
                };
            default -> throw new IllegalArgumentException(name + " is not a job: the jobs are sort, join and cache");
        };
    }

    private static void require(long expected, long count) {
        if (count != expected) {
            throw new IllegalStateException(count + " records instead of " + expected);
        }
    }

    private static JavaPairRDD<Long, byte[]> pairs(JavaSparkContext spark, long records) {
        return spark.parallelize(LongStream.range(0, SortJob.TASKS).boxed().toList(), SortJob.TASKS)
                .flatMapToPair(first -> LongStream.iterate(first, n -> n < records, n -> n + SortJob.TASKS)
                        .mapToObj(n -> new Tuple2<>(SortJob.key(n), SortJob.value(n)))
                        .iterator());
    }

    private static long cache(JavaSparkContext spark) {
        var cached = spark.parallelize(List.of(0, 1), 2)
                .flatMapToPair(part -> IntStream.range(0, PAIRS / 2)
                        .mapToObj(i -> new Tuple2<>(part * PAIRS / 2 + i, "value " + i))
                        .iterator())
                .persist(StorageLevel.MEMORY_ONLY_SER());
        require(PAIRS, cached.count());
        var bytes = spark.sc().getRDDStorageInfo()[0].memSize();
        cached.unpersist(true);
        return bytes;
    }

    /** Returns the median costs of each codec. */
    private Map<String, Cost> costs(int level, Cluster cluster, Service service, Job job) {
        var all = new LinkedHashMap<String, List<Cost>>();
        for (var round = 0; round < rounds; round++) {
            for (var codec : List.of(ZSTD, LZ4, AUTO, SAVE_CPU, NONE)) {
                all.computeIfAbsent(codec, name -> new ArrayList<>())
                        .add(cost(conf(codec, level, cluster, service), cluster, job));
            }
        }
        var costs = new LinkedHashMap<String, Cost>();
        all.forEach((codec, of) -> costs.put(
                codec,
                new Cost(
                        of.stream().mapToDouble(Cost::seconds).sorted().toArray()[rounds / 2],
                        of.stream().mapToDouble(Cost::cpuSeconds).sorted().toArray()[rounds / 2],
                        of.getLast().bytes())));
        return costs;
    }

    private static SparkConf conf(String codec, int level, Cluster cluster, Service service) {
        var compress = Boolean.toString(!codec.equals(NONE));
        var conf = SparkDemo.conf(cluster)
                .set("spark.rdd.compress", compress)
                .set("spark.shuffle.compress", compress)
                .set("spark.shuffle.spill.compress", compress);
        if (codec.equals(NONE)) {
            return conf;
        }
        if (codec.equals(ZSTD) || codec.equals(LZ4)) {
            return conf.set("spark.io.compression.codec", codec)
                    .set("spark.io.compression.zstd.level", Integer.toString(level));
        }
        return conf.set("spark.io.compression.codec", OffloadCompressionCodec.class.getName())
                .set(
                        "spark.executorEnv.DOCA_UROM_SERVICE_FILE",
                        service.serviceFile().toString())
                .set("spark.jurom.mode", codec)
                .set("spark.jurom.level", Integer.toString(level));
    }

    /** Executes a job several times in a new application. Returns the cost of the last time. */
    private static Cost cost(SparkConf conf, Cluster cluster, Job job) {
        try (var spark = new JavaSparkContext(conf)) {
            for (var run = 1; run < RUNS; run++) {
                job.run(spark);
            }
            var cpu = cluster.cpuOfExecutors();
            var begin = System.nanoTime();
            var bytes = job.run(spark);
            var seconds = (System.nanoTime() - begin) / SECOND;
            return new Cost(seconds, cluster.cpuOfExecutors().minus(cpu).toNanos() / SECOND, bytes);
        }
    }

    private static void print(String job, Map<String, Cost> costs) {
        var zstd = costs.get(ZSTD);
        costs.forEach((codec, cost) -> System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.2f s | %.2f | %.2f s | %.2f | %s |%n",
                job,
                codec,
                cost.seconds(),
                cost.seconds() / zstd.seconds(),
                cost.cpuSeconds(),
                cost.cpuSeconds() / zstd.cpuSeconds(),
                cost.bytes() == 0 ? "" : String.format(Locale.ROOT, "%.2f MiB", cost.bytes() / MIB)));
    }

    private static void addGoals(List<String> goals, String job, int partitions, int level, Map<String, Cost> costs) {
        var zstd = costs.get(ZSTD);
        var best = Math.min(zstd.seconds(), costs.get(LZ4).seconds());
        var time = level > 1 && partitions <= FEW_PARTITIONS ? 0.7 : 1;
        goals.add(goal(
                job,
                "time of AUTO",
                "the better of zstd and LZ4",
                costs.get(AUTO).seconds() / best,
                time));
        var cpu = SAVE_CPU_GOALS.get(level);
        if (cpu != null) {
            goals.add(goal(
                    job,
                    "executors' CPU of SAVE_CPU",
                    "zstd",
                    costs.get(SAVE_CPU).cpuSeconds() / zstd.cpuSeconds(),
                    cpu));
        }
    }

    private static String goal(String job, String figure, String against, double measured, double goal) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f | <= %s | %s |",
                job,
                figure,
                against,
                measured,
                goal,
                measured <= goal ? "yes" : "**no**");
    }
}
