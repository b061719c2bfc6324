// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.UnsafeShuffleWriter;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Jobs of Spark in this JVM, which is their driver and executor, with real workers. */
class ShuffleTest {

    private static final int MAPS = 2;
    private static final int PARTITIONS = 8;
    private static final int RECORDS = 20_000; // of each map task
    private static final int SPILL = 4_000; // records
    private static final int VALUE = 100; // bytes

    /** An action of the first task at a record in the middle of its output. */
    private static volatile Runnable disturbance = () -> {};

    private static final AtomicBoolean disturbed = new AtomicBoolean();
    private static final AtomicLong BLOCKS_FETCHED = new AtomicLong();

    private static SparkConf conf(String master, String mode) {
        return new SparkConf(false)
                .setMaster(master)
                .setAppName("ShuffleTest")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.serializer", KryoSerializer.class.getName())
                .set("spark.shuffle.sort.bypassMergeThreshold", "1")
                .set("spark.shuffle.spill.numElementsForceSpillThreshold", Integer.toString(SPILL))
                .set("spark.io.compression.codec", OffloadCompressionCodec.class.getName())
                .set("spark.jurom.driver.mode", mode)
                .set("spark.jurom.blockSize", "64k");
    }

    private static JavaPairRDD<Long, byte[]> shuffled(JavaSparkContext spark) {
        var maps = IntStream.range(0, MAPS).boxed().toList();
        return spark.parallelize(maps, MAPS)
                .flatMapToPair(map -> IntStream.range(0, RECORDS)
                        .mapToObj(record -> record(map * RECORDS + record))
                        .iterator())
                .partitionBy(new HashPartitioner(PARTITIONS));
    }

    private static Tuple2<Long, byte[]> record(int number) {
        if (number == RECORDS / 2) {
            disturbance.run();
        }
        var value = new byte[VALUE];
        new Random(number).nextBytes(value);
        for (var i = 0; i < VALUE / 2; i++) {
            value[i] = (byte) (number >> 8);
        }
        return new Tuple2<>((long) number, value);
    }

    /** Compares the records of a shuffle with the written ones, one by one. */
    private static void assertComplete(List<Tuple2<Long, byte[]>> records) {
        assertEquals(MAPS * RECORDS, records.size());
        var sorted = new ArrayList<>(records);
        sorted.sort((a, b) -> Long.compare(a._1(), b._1()));
        for (var i = 0; i < sorted.size(); i++) {
            assertEquals(i, sorted.get(i)._1());
            assertArrayEquals(record(i)._2(), sorted.get(i)._2());
        }
    }

    @Test
    void spills_are_merged_and_blocks_are_fetched_in_batches() {
        try (var log = new MergeLog();
                var spark = new JavaSparkContext(conf("local[2]", "OFFLOAD"))) {
            log.begin();
            var before = OffloadCompressionCodec.counters();
            var shuffled = shuffled(spark);

            assertComplete(shuffled.collect());

            assertEquals(MAPS, log.count("Using transferTo-based fast merge"), log::toString);
            assertEquals(0, log.count("Using slow merge"), log::toString);
            assertTrue(log.count("in Spill") >= MAPS * (RECORDS / SPILL), log::toString);

            spark.setLocalProperty(SortShuffleManager.FETCH_SHUFFLE_BLOCKS_IN_BATCH_ENABLED_KEY(), "true");
            assertComplete(fetchedByOneTask(spark, shuffled));
            assertEquals(MAPS, BLOCKS_FETCHED.get()); // one for all partitions of a map task
            assertEquals(before.localBytes(), OffloadCompressionCodec.counters().localBytes());
        }
    }

    @ParameterizedTest
    @CsvSource({"spark.jurom.mode, remote", "spark.jurom.level, 23", "spark.jurom.blocksize, 64k"})
    void an_application_with_a_wrong_setting_does_not_start(String name, String value) {
        var conf = conf("local[2]", "LOCAL").set(name, value);

        try (var spark = new JavaSparkContext(conf)) {
            var failure =
                    assertThrows(SparkException.class, () -> shuffled(spark).count());
            assertTrue(failure.getMessage().contains("IllegalArgumentException: " + name), failure::getMessage);
            assertFalse(failure.getMessage().contains("InvocationTargetException"), failure::getMessage);
        }
        conf.set("spark.plugins", OffloadPlugin.class.getName());
        var failure = assertThrows(IllegalArgumentException.class, () -> new JavaSparkContext(conf));
        assertTrue(failure.getMessage().startsWith(name), failure::getMessage);
    }

    @Test
    void cached_blocks_are_as_small_as_those_of_spark() {
        var zstd = conf("local[2]", "LOCAL").set("spark.io.compression.codec", "zstd");
        var expected = sizeOfCachedPairs(zstd);
        var before = OffloadCompressionCodec.counters();

        var size = sizeOfCachedPairs(conf("local[2]", "LOCAL"));

        assertTrue(size <= expected, () -> size + " bytes instead of " + expected);
        var after = OffloadCompressionCodec.counters();
        var blocks = after.localBlocks() - before.localBlocks();
        var bytes = after.localBytes() - before.localBytes();
        // Each partition and each broadcast ends with an incomplete block.
        assertTrue(blocks <= bytes / (64 << 10) + 10, () -> blocks + " blocks of " + bytes + " bytes");
    }

    /** Returns the memory of 100,000 pairs that are cached as Kryo serializes them. */
    private static long sizeOfCachedPairs(SparkConf conf) {
        try (var spark = new JavaSparkContext(conf.set("spark.rdd.compress", "true"))) {
            var cached = spark.parallelize(List.of(0, 1), 2)
                    .flatMapToPair(part -> IntStream.range(0, 50_000)
                            .mapToObj(i -> new Tuple2<>(part * 50_000 + i, "value " + i))
                            .iterator())
                    .persist(StorageLevel.MEMORY_ONLY_SER());
            assertEquals(100_000, cached.count());
            var right = cached.filter(pair -> pair._2().equals("value " + pair._1() % 50_000));
            assertEquals(100_000, right.count());
            return spark.sc().getRDDStorageInfo()[0].memSize();
        }
    }

    /** Executes a task that reads all partitions of a shuffle, as a query with coalesced partitions does. */
    private static List<Tuple2<Long, byte[]>> fetchedByOneTask(
            JavaSparkContext spark, JavaPairRDD<Long, byte[]> shuffled) {
        var dependency =
                (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
        var handle = dependency.shuffleHandle();
        return spark.parallelize(List.of(0), 1)
                .<Tuple2<Long, byte[]>>flatMap(number -> {
                    var task = TaskContext.get();
                    var metrics = task.taskMetrics().createTempShuffleReadMetrics();
                    var reader = SparkEnv.get()
                            .shuffleManager()
                            .<Long, byte[]>getReader(handle, 0, PARTITIONS, task, metrics);
                    var records = new ArrayList<Tuple2<Long, byte[]>>();
                    for (var all = reader.read(); all.hasNext(); ) {
                        var record = all.next();
                        records.add(new Tuple2<>(record._1(), record._2()));
                    }
                    BLOCKS_FETCHED.set(metrics.localBlocksFetched());
                    return records.iterator();
                })
                .collect();
    }

    @Test
    void a_job_survives_the_kill_of_its_workers() {
        try (var spark = new JavaSparkContext(conf("local[2]", "SAVE_CPU"))) {
            var failures = failuresOf(spark);
            var before = OffloadCompressionCodec.counters();
            disturbOnce(EmbeddedWorkers::kill);

            assertComplete(shuffled(spark).collect());

            assertEquals(List.of(), failures);
            assertTrue(OffloadCompressionCodec.counters().offloadedBytes() > before.offloadedBytes());
            assertTrue(disturbed.get());
        }
    }

    @Test
    void without_fallback_tasks_fail_with_the_cause_and_are_executed_again() {
        try (var spark = new JavaSparkContext(conf("local[2,4]", "OFFLOAD").set("spark.jurom.timeout", "2s"))) {
            var failures = failuresOf(spark);
            var before = OffloadCompressionCodec.counters();
            disturbOnce(() -> EmbeddedWorkers.signal("STOP"));

            assertComplete(shuffled(spark).collect());

            Waiting.until("the failures are reported", () -> !failures.isEmpty());
            assertTrue(failures.getFirst().contains("the worker failed"), failures::toString);
            assertEquals(before.localBytes(), OffloadCompressionCodec.counters().localBytes());
        }
    }

    private static void disturbOnce(Runnable action) {
        disturbed.set(false);
        disturbance = () -> {
            if (disturbed.compareAndSet(false, true)) {
                action.run();
            }
        };
    }

    /** Returns a list that receives the reasons of failed tasks. */
    private static List<String> failuresOf(JavaSparkContext spark) {
        var failures = new CopyOnWriteArrayList<String>();
        spark.sc().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.reason() instanceof TaskFailedReason reason) {
                    failures.add(reason.toErrorString());
                }
            }
        });
        return failures;
    }

    /** The messages of Spark about merges of spills. */
    private static final class MergeLog extends AbstractAppender implements AutoCloseable {

        private static final String LOGGER = UnsafeShuffleWriter.class.getName();
        private final List<String> messages = new CopyOnWriteArrayList<>();

        MergeLog() {
            super("merges", null, null, true, Property.EMPTY_ARRAY);
        }

        void begin() {
            start();
            ((Logger) LogManager.getLogger(LOGGER)).addAppender(this);
            Configurator.setLevel(LOGGER, Level.DEBUG);
        }

        @Override
        public void append(LogEvent event) {
            messages.add(event.getMessage().getFormattedMessage());
        }

        long count(String... texts) {
            return messages.stream()
                    .filter(message -> Arrays.stream(texts).allMatch(message::contains))
                    .count();
        }

        @Override
        public void close() {
            ((Logger) LogManager.getLogger(LOGGER)).removeAppender(this);
            Configurator.setLevel(LOGGER, Level.INFO);
        }

        @Override
        public String toString() {
            return messages.toString();
        }
    }
}
