// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.sink.CsvSink;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Applications with the plugin, whose executor is a process of its own. */
@Timeout(300)
class OffloadPluginTest {

    private static final Duration EXECUTOR = Duration.ofSeconds(120); // start of the process
    private static final Path HOME = Path.of(System.getenv("SPARK_HOME"));
    private static final int RECORDS = 20_000; // of each map task
    private static final int VALUE = 100; // bytes

    @TempDir
    private Path metrics;

    @BeforeEach
    void createHome() throws IOException {
        Files.createDirectories(HOME.resolve("jars")); // which Spark requires, although the class path has all of them
    }

    private SparkConf conf(String master) {
        return new SparkConf(false)
                .setMaster(master)
                .setAppName("OffloadPluginTest")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", System.getProperty("jurom.jvm"))
                .set("spark.io.compression.codec", OffloadCompressionCodec.class.getName())
                .set("spark.plugins", OffloadPlugin.class.getName())
                .set("spark.metrics.conf.*.sink.csv.class", CsvSink.class.getName())
                .set("spark.metrics.conf.*.sink.csv.period", "1")
                .set("spark.metrics.conf.*.sink.csv.unit", "seconds")
                .set("spark.metrics.conf.*.sink.csv.directory", metrics.toString())
                .set("spark.jurom.mode", "SAVE_CPU")
                .set("spark.jurom.blockSize", "64k");
    }

    private SparkConf cluster(EmbeddedService service) {
        return conf("local-cluster[1,1,1024]")
                .set(
                        "spark.executorEnv.DOCA_UROM_SERVICE_FILE",
                        service.serviceFile().toString());
    }

    private static EmbeddedService open(int maxMessageSize) {
        return EmbeddedService.open(
                usual -> usual.toBuilder().maxMessageSize(maxMessageSize).build());
    }

    private static void shuffle(JavaSparkContext spark) {
        var count = spark.parallelize(List.of(0, 1), 2)
                .flatMapToPair(map -> IntStream.range(0, RECORDS)
                        .mapToObj(OffloadPluginTest::record)
                        .iterator())
                .partitionBy(new HashPartitioner(2))
                .count();
        assertEquals(2 * RECORDS, count);
    }

    private static Tuple2<Integer, byte[]> record(int number) {
        var value = new byte[VALUE];
        new Random(number).nextBytes(value);
        return new Tuple2<>(number, value);
    }

    /** Returns the last value of a metric in the sink of an executor or the driver; -1 if there is none yet. */
    private double metric(JavaSparkContext spark, String process, String name) {
        var file = metrics.resolve(spark.sc().applicationId() + "." + process + ".plugin."
                + OffloadPlugin.class.getName() + "." + name + ".csv");
        var lines = read(file).lines().toList();
        return lines.size() < 2 ? -1 : Double.parseDouble(lines.getLast().split(",")[1]);
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_executor_has_metrics_in_the_sinks_and_a_line_in_the_log_of_the_driver() {
        try (var log = new LinesOfPlugin();
                var service = open(69_632)) {
            try (var spark = new JavaSparkContext(cluster(service))) {
                Waiting.within(
                        EXECUTOR,
                        "the executor has a worker before its first task",
                        () -> metric(spark, "0", "workers") == 1);
                shuffle(spark);

                Waiting.until("the sink has the bytes", () -> metric(spark, "0", "workerBytes") > RECORDS * VALUE);
                assertTrue(metric(spark, "0", "workerBlocks") > 0);
                assertTrue(metric(spark, "0", "workerNanos") > 0);
                assertEquals(0, metric(spark, "0", "withoutWorkers"));
            }
            var line = log.only("compression in executor 0: ");
            assertEquals(Level.INFO, line.getLevel());
            assertTrue(text(line).contains("because no worker could process them: 0"), () -> text(line));
            assertFalse(text(line).contains(" 0.0 % of the bytes in workers"), () -> text(line));
        }
    }

    @Test
    void an_executor_that_lost_its_service_shows_that_in_a_metric_and_in_the_log_of_the_driver() {
        var service = open(69_632);
        try (var log = new LinesOfPlugin()) {
            try (var spark = new JavaSparkContext(cluster(service))) {
                Waiting.within(EXECUTOR, "the executor has a worker", () -> metric(spark, "0", "workers") == 1);

                service.close();
                Waiting.until("the metric shows it", () -> metric(spark, "0", "withoutWorkers") == 1);
                shuffle(spark);

                Waiting.until("the sink has the blocks", () -> metric(spark, "0", "fallbacks") > 0);
            }
            var line = log.only("compression in executor 0: ");
            assertEquals(Level.WARN, line.getLevel());
            assertTrue(text(line).contains("0.0 % of the bytes in workers"), () -> text(line));
            assertTrue(text(line).contains("Workers or their service failed or were missing"), () -> text(line));
        } finally {
            service.close();
        }
    }

    @Test
    void a_driver_that_compresses_connects_when_the_application_starts() {
        try (var service = open(69_632);
                var spark = new JavaSparkContext(conf("local[1]").set("spark.jurom.driver.mode", "SAVE_CPU"))) {
            assertEquals(1, EmbeddedWorkers.list().size(), service::toString);

            shuffle(spark);

            Waiting.until("the sink has the bytes", () -> metric(spark, "driver", "workerBytes") > RECORDS * VALUE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spark.jurom.level, 23, 'spark.jurom.level is 23: it must be between -131072 and 22'",
        "spark.jurom.workers, 0, 'spark.jurom.workers: The number of workers is 0: it must be between 1 and 64'",
        "spark.jurom.blockSize, 10x, spark.jurom.blockSize is 10x: ",
        "spark.jurom.blockSize, 1m, 'spark.jurom.blockSize: block at offset 0: the block does not fit into a message: 1048576 bytes'",
    })
    void an_application_with_a_wrong_setting_does_not_start(String name, String value, String message) {
        try (var service = open(69_632)) {
            var conf =
                    conf("local[1]").set("spark.jurom.driver.mode", "OFFLOAD").set(name, value);

            var failure = assertThrows(IllegalArgumentException.class, () -> new JavaSparkContext(conf));

            assertTrue(failure.getMessage().startsWith(message), failure::getMessage);
            assertTrue(service.maxMessageSize() < 1 << 20);
        }
    }

    private static String text(LogEvent line) {
        return line.getMessage().getFormattedMessage();
    }

    /** The lines that the plugin has logged in this process, which is the driver. */
    private static final class LinesOfPlugin extends AbstractAppender implements AutoCloseable {

        private static final Logger LOGGER = (Logger) LogManager.getLogger("dev.jurom.spark");
        private final List<LogEvent> lines = new CopyOnWriteArrayList<>();

        LinesOfPlugin() {
            super("lines", null, null, true, Property.EMPTY_ARRAY);
            start();
            LOGGER.addAppender(this);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.toImmutable());
        }

        LogEvent only(String begin) {
            var found =
                    lines.stream().filter(line -> text(line).startsWith(begin)).toList();
            assertEquals(1, found.size(), lines::toString);
            return found.getFirst();
        }

        @Override
        public void close() {
            LOGGER.removeAppender(this);
        }
    }
}
