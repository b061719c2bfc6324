// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.spark.OffloadCompressionCodec;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sorts records on a standalone cluster, with Spark's zstd and with workers, and compares both. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = SparkBench.class,
        description = "Sorts generated records on a standalone Spark cluster of this machine, first with Spark's own"
                + " zstd and then with zstd in workers, and compares the results record by record.")
final class SparkDemo implements Callable<Integer> {

    private static final double LEAST_SHARE = 0.5;
    private static final double MIB = 1 << 20;
    private static final Path HOME = Path.of(System.getProperty("jurom.spark.home"));
    private static final String EXECUTOR_PATH = System.getProperty("jurom.spark.executor.path");
    private static final Path DAEMON = Path.of(System.getProperty("jurom.spark.daemon"));

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Number of records of 108 bytes (default: ${DEFAULT-VALUE}).")
    private long records;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "SAVE_CPU",
            description = "spark.jurom.mode: OFFLOAD, SAVE_CPU or AUTO (default: ${DEFAULT-VALUE}).")
    private String mode;

    @Option(names = "--kill", description = "Kill the workers and then the service while they compress.")
    private boolean kill;

    @Option(
            names = "--level",
            paramLabel = "N",
            defaultValue = "3",
            description = "Level of zstd (default: ${DEFAULT-VALUE}).")
    private int level;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            defaultValue = "262144",
            description = "Size of a block (default: ${DEFAULT-VALUE}).")
    private int blockSize;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of workers of the machine (default: ${DEFAULT-VALUE}).")
    private int workers;

    private SparkDemo() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SparkDemo()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return onCluster(blockSize, false, this::compare);
    }

    /** The work of a command on a cluster. */
    interface Work {
        int run(Path folder, Cluster cluster, Service service) throws IOException, InterruptedException;
    }

    /** Starts a service and a cluster, on a core each if they are pinned, and ends them after the work. */
    static int onCluster(int blockSize, boolean pinned, Work work) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("jurom-spark-");
        var messageSize =
                CompressionConfiguration.builder().blockSize(blockSize).build().maxMessageSize();
        try (var service = new Service(DAEMON, folder, messageSize, core(1, pinned));
                var cluster = new Cluster(folder, HOME, core(0, pinned))) {
            return work.run(folder, cluster, service);
        } finally {
            delete(folder);
        }
    }

    private static List<String> core(int core, boolean pinned) {
        return pinned ? List.of("taskset", "-c", Integer.toString(core)) : List.of();
    }

    private int compare(Path folder, Cluster cluster, Service service) throws IOException, InterruptedException {
        System.out.printf(
                "cluster   a master, %d workers, %1$d executors of 512 MiB and one core; one UROM service%n",
                Cluster.EXECUTORS);
        System.out.printf(
                "job       sort %d records of %d bytes (%.0f MiB); zstd level %d, blocks of %d KiB, %d UROM worker(s)%n",
                records, 8 + SortJob.VALUE, records * (8 + SortJob.VALUE) / MIB, level, blockSize >> 10, workers);
        System.out.printf(
                "%-12s %8s %14s %12s %12s %12s %8s%n",
                "", "time", "executors' CPU", "workers' CPU", "shuffle", "spills", "failures");

        var zstd = folder.resolve("zstd");
        print("Spark's zstd", SortJob.run(zstd(cluster), records, zstd, cluster, service, tasks -> {}));

        var offloaded = folder.resolve("offloaded");
        var killer = new Killer(cluster, service);
        var outcome = SortJob.run(
                offloaded(cluster, service), records, offloaded, cluster, service, kill ? killer::start : tasks -> {});
        print("workers", outcome);
        if (kill) {
            killer.requireDone();
            System.out.println(
                    "kill      the workers, then the service, with blocks in flight; another service was started");
        }

        var bytes = outcome.bytes();
        System.out.printf(
                "share     %.3f: workers processed %.1f MiB, executors %.1f MiB%n",
                bytes.shareOfWorkers(), bytes.offloaded() / MIB, bytes.local() / MIB);
        for (var failure : outcome.tasks().failures()) {
            System.out.println("failure   " + failure.lines().findFirst().orElse(""));
        }
        SortedRecords.requireEqual(zstd, offloaded, records);
        System.out.printf("result    both results have the same %d records in the same order%n", records);
        requireExpected(outcome);
        return 0;
    }

    private void requireExpected(SortJob.Outcome outcome) {
        var bytes = outcome.bytes();
        var failures = outcome.tasks().failures().size();
        if (mode.equals("OFFLOAD")) {
            require(bytes.local() == 0, "executors processed blocks in the mode OFFLOAD");
            require(kill == failures > 0, failures + " tasks failed");
        } else {
            require(failures == 0, failures + " tasks failed");
            require(!kill || bytes.local() > 0, "the kill had no effect");
            require(
                    kill || mode.equals("AUTO") || bytes.shareOfWorkers() >= LEAST_SHARE,
                    "workers processed too small a share");
        }
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalStateException("the outcome is not as expected: " + problem);
        }
    }

    private static void print(String name, SortJob.Outcome outcome) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %8s %14s %12s %8.1f MiB %8.1f MiB %8d%n",
                name,
                seconds(outcome.time()),
                seconds(outcome.cpuOfExecutors()),
                seconds(outcome.cpuOfWorkers()),
                outcome.tasks().shuffleBytes() / MIB,
                outcome.tasks().spilledBytes() / MIB,
                outcome.tasks().failures().size());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    static SparkConf conf(Cluster cluster) {
        return new SparkConf(false)
                .setMaster(cluster.url())
                .setAppName("jurom")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.cores.max", Integer.toString(Cluster.EXECUTORS))
                .set("spark.executor.cores", "1")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", EXECUTOR_PATH)
                .set("spark.serializer", KryoSerializer.class.getName())
                .set("spark.shuffle.sort.bypassMergeThreshold", "1"); // the writer of shuffles with many partitions
    }

    private SparkConf zstd(Cluster cluster) {
        return conf(cluster)
                .set("spark.io.compression.codec", "zstd")
                .set("spark.io.compression.zstd.level", Integer.toString(level))
                .set("spark.io.compression.zstd.bufferSize", blockSize + "b");
    }

    private SparkConf offloaded(Cluster cluster, Service service) {
        return conf(cluster)
                .set("spark.io.compression.codec", OffloadCompressionCodec.class.getName())
                .set(
                        "spark.executorEnv.DOCA_UROM_SERVICE_FILE",
                        service.serviceFile().toString())
                .set("spark.jurom.mode", mode)
                .set("spark.jurom.level", Integer.toString(level))
                .set("spark.jurom.blockSize", blockSize + "b")
                .set("spark.jurom.workers", Integer.toString(workers));
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
