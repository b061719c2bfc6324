// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.CompressionError;
import dev.jurom.compress.CompressionException;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.ZStdCompressionCodec;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Streams of the codec in the process of a driver, with real workers. */
class OffloadCompressionCodecTest {

    private static final int BLOCK = 64 << 10;
    private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);
    private static final byte[] CONTENT = content(10 * BLOCK + 1);

    private static SparkConf conf(String mode) {
        return new SparkConf(false).set("spark.jurom.driver.mode", mode).set("spark.jurom.blockSize", "64k");
    }

    private static CompressionCodec codec(SparkConf conf) {
        return CompressionCodec.createCodec(conf, OffloadCompressionCodec.class.getName());
    }

    /** Returns bytes that zstd can halve. */
    private static byte[] content(int size) {
        var bytes = new byte[size];
        new Random(1).nextBytes(bytes);
        for (var i = 0; i < size; i++) {
            bytes[i] &= 0x0f;
        }
        return bytes;
    }

    private static byte[] compressed(CompressionCodec codec, byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = codec.compressedOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] decompressed(CompressionCodec codec, byte[] frames) throws IOException {
        try (var in = codec.compressedInputStream(new ByteArrayInputStream(frames))) {
            return in.readAllBytes();
        }
    }

    @Test
    void workers_compress_and_decompress_what_the_codec_of_spark_reads_and_writes() throws IOException {
        var codec = codec(conf("OFFLOAD"));
        var zstd = new ZStdCompressionCodec(new SparkConf(false));
        var before = OffloadCompressionCodec.counters();

        var frames = compressed(codec, CONTENT);

        assertTrue(frames.length < CONTENT.length * 3 / 4, () -> frames.length + " bytes");
        assertArrayEquals(CONTENT, decompressed(zstd, frames));
        assertArrayEquals(CONTENT, decompressed(codec, frames));
        var after = OffloadCompressionCodec.counters();
        assertEquals(2L * CONTENT.length, after.offloadedBytes() - before.offloadedBytes());
        assertEquals(before.localBytes(), after.localBytes());
        assertArrayEquals(CONTENT, decompressed(codec, compressed(zstd, CONTENT)));
    }

    @Test
    void all_codecs_with_the_same_settings_share_workers() throws IOException {
        compressed(codec(conf("OFFLOAD")), CONTENT);
        var before = OffloadCompressionCodec.counters();

        compressed(codec(conf("OFFLOAD")), CONTENT);
        assertEquals(before.workersStarted(), OffloadCompressionCodec.counters().workersStarted());

        compressed(codec(conf("OFFLOAD").set("spark.jurom.level", "1").set("spark.jurom.workers", "2")), CONTENT);
        assertEquals(
                before.workersStarted() + 2, OffloadCompressionCodec.counters().workersStarted());
    }

    @Test
    void a_driver_compresses_by_itself_unless_it_has_a_mode() throws IOException {
        var before = OffloadCompressionCodec.counters();
        compressed(codec(new SparkConf(false).set("spark.jurom.mode", "OFFLOAD")), CONTENT);

        var after = OffloadCompressionCodec.counters();
        assertEquals(CONTENT.length, after.localBytes() - before.localBytes());
        assertEquals(before.offloadedBytes(), after.offloadedBytes());
    }

    @Test
    void an_executor_starts_no_service_of_its_own() throws IOException {
        var conf = new SparkConf(false).set("spark.executor.id", "1");
        var before = OffloadCompressionCodec.counters();

        assertArrayEquals(CONTENT, decompressed(codec(conf), compressed(codec(conf), CONTENT)));
        var after = OffloadCompressionCodec.counters();
        assertEquals(2L * CONTENT.length, after.localBytes() - before.localBytes());
        assertEquals(before.workersStarted(), after.workersStarted());
        assertEquals(after.localBlocks() - before.localBlocks(), after.fallbacks() - before.fallbacks());

        var offload = codec(conf.clone().set("spark.jurom.mode", "OFFLOAD"));
        var failure = assertThrows(IllegalStateException.class, () -> compressed(offload, CONTENT));
        assertTrue(failure.getMessage().contains("spark.executorEnv.DOCA_UROM_SERVICE_FILE"), failure::getMessage);
    }

    @Test
    void an_incomplete_stream_can_be_read_up_to_its_last_complete_frame() throws IOException {
        var codec = codec(conf("OFFLOAD"));
        var bytes = new ByteArrayOutputStream();
        var out = codec.compressedContinuousOutputStream(bytes);
        out.write(CONTENT, 0, 100);
        out.flush();
        out.write(CONTENT, 100, 100);
        out.flush();
        var incomplete = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 1);

        try (var in = codec.compressedContinuousInputStream(new ByteArrayInputStream(incomplete))) {
            assertArrayEquals(Arrays.copyOf(CONTENT, 100), in.readAllBytes());
        }
        var failure = assertThrows(CompressionException.class, () -> decompressed(codec, incomplete));
        assertEquals(CompressionError.TRUNCATED, failure.error());
    }

    @ParameterizedTest
    @ValueSource(classes = {KryoSerializer.class, JavaSerializer.class})
    void a_serializer_that_flushes_completes_no_frame(Class<? extends Serializer> serializer) throws Exception {
        var conf = conf("LOCAL").set("spark.kryoserializer.buffer", "4k");
        var codec = codec(conf);
        var instance =
                serializer.getConstructor(SparkConf.class).newInstance(conf).newInstance();
        var before = OffloadCompressionCodec.counters();
        var compressed = new ByteArrayOutputStream();

        try (var objects = instance.serializeStream(codec.compressedOutputStream(compressed))) {
            for (var i = 0; i < 20_000; i++) {
                objects.writeObject(new Tuple2<>(i, "value " + i), ANY);
                if (i % 10 == 0) {
                    objects.flush();
                }
            }
        }

        var after = OffloadCompressionCodec.counters();
        var bytes = after.localBytes() - before.localBytes();
        assertEquals((bytes + BLOCK - 1) / BLOCK, after.localBlocks() - before.localBlocks());
        try (var objects = instance.deserializeStream(
                codec.compressedInputStream(new ByteArrayInputStream(compressed.toByteArray())))) {
            for (var i = 0; i < 20_000; i++) {
                assertEquals(new Tuple2<>(i, "value " + i), objects.readObject(ANY));
            }
        }
    }

    @Test
    void streams_of_interrupted_tasks_close_their_files_and_release_their_workers() throws Exception {
        var codec = codec(conf("OFFLOAD"));
        compressed(codec, CONTENT);
        var fallbacks = OffloadCompressionCodec.counters().fallbacks();
        var closed = new int[1];

        for (var task = 0; task < 50; task++) {
            var file = new FilterOutputStream(new ByteArrayOutputStream()) {
                @Override
                public void close() {
                    closed[0]++;
                }
            };
            var out = codec.compressedOutputStream(file);
            out.write(CONTENT, 0, 3 * BLOCK);
            Thread.currentThread().interrupt();
            try {
                out.close();
            } catch (InterruptedIOException e) {
                // the blocks in flight are abandoned
            } finally {
                assertTrue(Thread.interrupted());
            }
            codec.compressedInputStream(new ByteArrayInputStream(compressed(codec, CONTENT)))
                    .close();
        }

        assertEquals(50, closed[0]);
        assertArrayEquals(CONTENT, decompressed(codec, compressed(codec, CONTENT)));
        assertEquals(fallbacks, OffloadCompressionCodec.counters().fallbacks());
    }

    @Test
    void a_failed_worker_is_not_reported_as_corruption_and_the_next_stream_waits_for_another_worker()
            throws IOException {
        var codec = codec(conf("OFFLOAD").set("spark.jurom.timeout", "20s"));
        var frames = compressed(codec, content(300 * BLOCK));

        try (var in = codec.compressedInputStream(new ByteArrayInputStream(frames))) {
            in.readNBytes(BLOCK);
            EmbeddedWorkers.kill();
            var failure = assertThrows(UncheckedIOException.class, in::readAllBytes);
            var cause = assertInstanceOf(CompressionException.class, failure.getCause());
            assertTrue(cause.error().isOfWorker(), cause::getMessage);
        }

        assertArrayEquals(CONTENT, decompressed(codec, compressed(codec, CONTENT)));
        Waiting.until(
                "all workers run again",
                () -> EmbeddedWorkers.list().size()
                        == OffloadCompressionCodec.counters().workers());
    }

    @Test
    void corrupt_data_are_reported_to_spark_as_such() throws IOException {
        var codec = codec(conf("OFFLOAD"));
        var frames = compressed(codec, CONTENT);
        frames[0] ^= 1;

        try (InputStream in = codec.compressedInputStream(new ByteArrayInputStream(frames))) {
            assertThrows(IOException.class, in::readAllBytes);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spark.jurom.blocksize, 64k, the settings are",
        "spark.jurom.driver.mode, remote, 'it must be OFFLOAD, SAVE_CPU, AUTO or LOCAL'",
        "spark.jurom.mode, remote, 'it must be OFFLOAD, SAVE_CPU, AUTO or LOCAL'",
        "spark.jurom.level, 23, it must be between",
        "spark.jurom.blockSize, 10x, spark.jurom.blockSize",
        "spark.jurom.blockSize, 10, it must be between",
        "spark.jurom.workers, 0, it must be between",
        "spark.jurom.timeout, soon, spark.jurom.timeout",
    })
    void a_wrong_setting_is_named(String name, String value, String text) {
        var conf = new SparkConf(false).set(name, value);

        var failure = assertThrows(IllegalArgumentException.class, () -> compressed(codec(conf), CONTENT));

        assertTrue(failure.getMessage().contains(text), failure::getMessage);
        assertTrue(failure.getMessage().contains("spark.jurom."), failure::getMessage);
    }
}
