// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import dev.jurom.spark.OffloadCompressionCodec;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * A job that generates records, sorts them by their keys, and writes them to a file for each partition. Each record
 * has a number, from which its unique key and its value follow.
 */
final class SortJob {

    static final int VALUE = 100; // bytes
    static final int TASKS = 8;
    private static final Duration EXECUTORS_SEEN = Duration.ofSeconds(60);
    private static final String WORDS =
            "worker service block frame task stage shuffle record merge spill executor driver";

    private SortJob() {}

    /**
     * The result of a job.
     *
     * @param time from the submission to the end
     * @param cpuOfExecutors the CPU time of the executors during the job
     * @param cpuOfWorkers the CPU time of the workers during the job
     * @param tasks the events of the tasks
     * @param bytes of all executors
     */
    record Outcome(Duration time, Duration cpuOfExecutors, Duration cpuOfWorkers, TaskLog tasks, Bytes bytes) {}

    /**
     * The uncompressed bytes that executors have compressed or decompressed.
     *
     * @param offloaded by workers
     * @param local by the executors themselves
     */
    record Bytes(long offloaded, long local) {

        Bytes plus(Bytes other) {
            return new Bytes(offloaded + other.offloaded, local + other.local);
        }

        double shareOfWorkers() {
            return (double) offloaded / Math.max(1, offloaded + local);
        }
    }

    /** Executes the job in a new application, and an action when the job begins. */
    static Outcome run(
            SparkConf conf, long records, Path output, Cluster cluster, Service service, Consumer<TaskLog> beginning)
            throws IOException, InterruptedException {
        Files.createDirectories(output);
        try (var spark = new JavaSparkContext(conf)) {
            var log = new TaskLog();
            spark.sc().addSparkListener(log);
            bytesOfExecutors(spark); // waits until all executors run
            var cpuOfExecutors = cluster.cpuOfExecutors();
            var cpuOfWorkers = service.cpuOfWorkers();
            beginning.accept(log);
            var begin = System.nanoTime();
            sort(spark, records, output);
            return new Outcome(
                    Duration.ofNanos(System.nanoTime() - begin),
                    cluster.cpuOfExecutors().minus(cpuOfExecutors),
                    service.cpuOfWorkers().minus(cpuOfWorkers),
                    log,
                    bytesOfExecutors(spark));
        }
    }

    private static void sort(JavaSparkContext spark, long records, Path output) {
        var folder = output.toString();
        var firsts = LongStream.range(0, TASKS).boxed().toList();
        spark.parallelize(firsts, TASKS)
                .flatMapToPair(first -> LongStream.iterate(first, n -> n < records, n -> n + TASKS)
                        .mapToObj(number -> new Tuple2<>(key(number), value(number)))
                        .iterator())
                .sortByKey(true, TASKS)
                .foreachPartition(sorted -> write(sorted, Path.of(folder)));
    }

    /** Returns a permutation of the 64-bit numbers, so that keys are unique. */
    static long key(long number) {
        var mixed = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    static byte[] value(long number) {
        var random = key(~number);
        var value = new byte[VALUE];
        for (var i = 0; i < VALUE; i++) {
            if (i % 4 == 0) {
                random = key(random + 1);
            }
            value[i] = (byte) WORDS.charAt((int) ((random & 0x7) * 9 + i % 9));
        }
        return value;
    }

    private static void write(Iterator<Tuple2<Long, byte[]>> sorted, Path folder) throws IOException {
        var task = TaskContext.get();
        var part = folder.resolve("part-" + task.attemptNumber() + "-" + task.partitionId());
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part), 1 << 16))) {
            while (sorted.hasNext()) {
                var record = sorted.next();
                out.writeLong(record._1());
                out.write(record._2());
            }
        }
        Files.move(part, file(folder, task.partitionId()), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path file(Path folder, int partition) {
        return folder.resolve("part-" + partition);
    }

    /** Returns the files of a result, in the order of their keys. */
    static List<Path> files(Path folder) {
        return Stream.iterate(0, partition -> partition + 1)
                .limit(TASKS)
                .map(partition -> file(folder, partition))
                .toList();
    }

    /** Returns the sums of all executors, which tasks read there. */
    private static Bytes bytesOfExecutors(JavaSparkContext spark) {
        Map<String, Bytes> byExecutor = new HashMap<>();
        var end = System.nanoTime() + EXECUTORS_SEEN.toNanos();
        while (byExecutor.size() < Cluster.EXECUTORS) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("tasks ran only in the executors " + byExecutor.keySet());
            }
            for (var answer : spark.parallelize(List.of(0, 1, 2, 3), 4)
                    .map(task -> {
                        Thread.sleep(100); // so that the other executor takes the next task
                        var counters = OffloadCompressionCodec.counters();
                        return new Tuple2<>(
                                SparkEnv.get().executorId(),
                                new long[] {counters.offloadedBytes(), counters.localBytes()});
                    })
                    .collect()) {
                byExecutor.put(answer._1(), new Bytes(answer._2()[0], answer._2()[1]));
            }
        }
        return byExecutor.values().stream().reduce(new Bytes(0, 0), Bytes::plus);
    }
}
