// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.internal.LatencyHistogram;
import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that counter files are read as written in Java and C, and that malformed files are rejected. */
class CounterFileTest {

    private static final int SEEDS = 2000;
    private static final int OTHER_USER = 1;

    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("daemon.counters");
    }

    private CounterWriter writer() throws IOException {
        return CounterWriter.create(path, CounterKind.DAEMON);
    }

    @Test
    void values_are_read_as_written() throws IOException {
        var begin = Instant.now().minusSeconds(1);
        var writer = writer();
        writer.label("unix:/run/x");
        writer.add(Counter.DAEMON_REFUSED, 3);
        writer.add(Counter.DAEMON_REFUSED, -1);
        writer.error(ServiceError.WORKER_KILLED);
        writer.error(ServiceError.LIMIT);
        writer.error(ServiceError.WORKER_KILLED);

        var file = CounterFile.read(path);

        assertEquals(CounterKind.DAEMON, file.kind());
        assertEquals("unix:/run/x", file.label());
        assertEquals(ProcessHandle.current().pid(), file.process());
        assertTrue(file.isAlive());
        assertTrue(file.began().isAfter(begin) && !file.began().isAfter(Instant.now()));
        assertEquals(2, file.value(Counter.DAEMON_REFUSED));
        assertEquals(0, file.value(Counter.DAEMON_SESSIONS));
        assertEquals(
                List.of("A host was rejected: a limit was reached (FULL)", "A worker was terminated by a signal"),
                file.errors().stream().map(DistinctError::text).toList());
        assertEquals(
                List.of(1L, 2L),
                file.errors().stream().map(DistinctError::count).toList());
        assertFalse(file.errors()
                .getFirst()
                .last()
                .isBefore(file.errors().getFirst().first()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    void java_reads_a_file_written_in_c() throws Exception {
        try (var program = new CountersWriter(folder)) {
            var file = CounterFile.read(program.path());

            assertEquals(CounterKind.HOST, file.kind());
            assertEquals(program.process(), file.process());
            assertTrue(file.isAlive());
            assertEquals("counters_writer", file.label());
            for (var counter : Counter.of(CounterKind.HOST)) {
                assertEquals(1000 + counter.index(), file.value(counter));
            }
            assertEquals(IntStream.range(0, 304).sum(), file.latency().count());
            assertEquals(
                    Math.round(LatencyHistogram.lowest(304) * 1e9 / program.ticksPerSecond()),
                    file.latency().longest());
            assertEquals(
                    List.of("A worker was lost: it exited", "An error ?[31mwith a colour"),
                    file.errors().stream().map(DistinctError::text).toList());
            assertEquals(3, file.errors().get(1).count());
        }
    }

    @Test
    void the_layouts_in_c_and_java_are_equal() throws IOException {
        var header = Files.readString(Command.ROOT.resolve("src/main/c/counters/counters.h"));

        Stream.of(
                        "#define COUNTERS_VERSION " + CounterLayout.VERSION + "\n",
                        "#define COUNTERS_LABEL " + CounterLayout.LABEL_SIZE + "\n",
                        "#define COUNTERS_VALUES " + CounterLayout.VALUES + "\n",
                        "#define COUNTERS_BUCKETS " + CounterLayout.BUCKETS + "\n",
                        "#define COUNTERS_ERRORS " + CounterLayout.ERRORS + "\n",
                        "#define COUNTERS_TEXT " + CounterLayout.TEXT_SIZE + "\n",
                        "#define COUNTERS_CALLBACKS " + CounterLayout.CALLBACKS + " ",
                        "values) == " + CounterLayout.VALUES_AT + "\n",
                        "histogram) == " + CounterLayout.HISTOGRAM_AT + "\n",
                        "errors) == " + CounterLayout.ERRORS_AT + " ",
                        "sizeof(struct counters) == " + CounterLayout.SIZE + ",")
                .forEach(line -> assertTrue(header.contains(line), line));
    }

    /** Returns the bucket of a time, as {@code src/main/c/counters/counters_sample.c} computes it. */
    private static int bucket(long ticks) {
        if (ticks < 8) {
            return (int) ticks;
        }
        var power = 63 - Long.numberOfLeadingZeros(ticks);
        return Math.min((power - 2) * 8 + (int) (ticks >> power - 3 & 7), CounterLayout.BUCKETS - 1);
    }

    @Test
    void buckets_are_contiguous() {
        for (var bucket = 0; bucket < CounterLayout.BUCKETS; bucket++) {
            assertEquals(bucket, bucket(LatencyHistogram.lowest(bucket)));
            assertEquals(bucket, bucket(LatencyHistogram.lowest(bucket + 1) - 1));
        }
        assertEquals(CounterLayout.BUCKETS - 1, bucket(Long.MAX_VALUE));
    }

    @Test
    void percentiles_approximate_those_of_the_durations() {
        var counts = new long[CounterLayout.BUCKETS];
        LongStream.rangeClosed(1, 100_000).forEach(time -> counts[bucket(time)]++);
        var histogram = new LatencyHistogram(counts, 1_000_000_000);

        assertEquals(50_000, histogram.percentile(50), 50_000 / 8.0);
        assertEquals(99_000, histogram.percentile(99), 99_000 / 8.0);
        assertTrue(histogram.longest() >= 100_000);
        assertEquals(0, histogram.since(histogram).count());
    }

    @Test
    void a_file_without_a_label_is_not_visible() throws IOException {
        writer(); // sets no label

        assertThrows(NoSuchFileException.class, () -> CounterFile.read(path));
        assertEquals(new CounterDirectory(List.of(), List.of()), CounterDirectory.read(folder, List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100, 8959, 8961, 100_000})
    void a_file_of_another_size_is_rejected_in_one_line(int size) throws IOException {
        writer().label("x");
        Files.write(path, Arrays.copyOf(Files.readAllBytes(path), size));

        var refusal = assertThrows(IOException.class, () -> CounterFile.read(path));

        assertTrue(
                refusal.getMessage().matches(".*/daemon.counters is not a valid counters file: it is too (short|long)"),
                refusal.getMessage());
        assertEquals(
                List.of(refusal.getMessage()),
                CounterDirectory.read(folder, List.of()).unreadable());
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                CounterLayout.VERSION_AT,
                CounterLayout.KIND_AT,
                CounterLayout.SIZE_AT,
                CounterLayout.PROCESS_AT + 4,
                CounterLayout.TICKS_AT + 4
            })
    void an_invalid_header_is_rejected(int at) throws IOException {
        writer().label("x");
        var bytes = Files.readAllBytes(path);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, -7);
        Files.write(path, bytes);

        var refusal = assertThrows(IOException.class, () -> CounterFile.read(path));

        assertTrue(refusal.getMessage().contains(" is not a valid counters file: "), refusal.getMessage());
    }

    @Test
    void links_and_pipes_are_not_opened() throws IOException {
        writer().label("x");
        var link = Files.createSymbolicLink(folder.resolve("link.counters"), path);
        var pipe = folder.resolve("pipe.counters");
        Command.run(List.of("mkfifo", pipe.toString()));

        assertThrows(IOException.class, () -> CounterFile.read(link));
        assertThrows(IOException.class, () -> CounterFile.read(pipe));
    }

    @Test
    void any_bytes_after_a_valid_header_are_tolerated() throws IOException {
        writer().label("x");
        var bytes = Files.readAllBytes(path);
        var random = new Random(1);
        for (var seed = 0; seed < SEEDS; seed++) {
            var noise = new byte[CounterLayout.SIZE - CounterLayout.LABEL_AT];
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bytes, CounterLayout.LABEL_AT, noise.length);
            Files.write(path, bytes);

            var file = CounterFile.read(path);

            file.latency().percentile(99);
            file.latency().longest();
            file.value(Counter.DAEMON_REFUSED);
            assertTrue(file.label().codePoints().noneMatch(Character::isISOControl));
            assertTrue(file.errors().stream()
                    .allMatch(error -> error.text().codePoints().noneMatch(Character::isISOControl)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, no callback",
        "1, open of graph",
        "4, worker_cmd of graph",
        "20, worker_cmd of sandbox",
        "24, host_left of sandbox",
        "25, cancel of sandbox",
        "26, an unknown callback",
        "33, an unknown callback",
        "-1, an unknown callback",
        "-9223372036854775808, an unknown callback",
        "9223372036854775807, an unknown callback",
    })
    void the_running_callback_of_a_worker_is_described(long number, String expected) throws IOException {
        writer().label("graph,sandbox");
        var bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(CounterLayout.CALLBACK_AT, number);
        Files.write(path, bytes.array());

        var file = CounterFile.ofHeldWorker(
                new CountedWorker(1, ProcessHandle.current().pid(), 1), path);

        assertEquals(expected, file.callback());
    }

    @Test
    void the_file_of_an_exited_process_is_not_counted() throws Exception {
        writer().label("x");
        var bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        // Simulate a later process that reuses the process ID.
        bytes.putLong(CounterLayout.PROCESS_START_AT, bytes.getLong(CounterLayout.PROCESS_START_AT) - 1);
        Files.write(path, bytes.array());

        assertFalse(CounterFile.read(path).isAlive());
        assertEquals(List.of(), CounterDirectory.read(folder, List.of()).files());
    }

    @Test
    void a_file_that_names_a_process_of_another_user_is_not_counted() throws IOException {
        writer().label("x");
        assumeTrue(Files.getAttribute(path, "unix:uid").equals(0), "not root");
        Files.setAttribute(path, "unix:uid", OTHER_USER);

        assertFalse(CounterFile.read(path).isAlive());
    }

    /** The worker has such a file open at the descriptor of the memory created by the service. */
    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/proc/uptime", "pipe", "large", "foreign"})
    @Timeout(60)
    void a_file_at_the_descriptor_of_a_workers_counters_is_rejected(String name) throws Exception {
        Command.run("mkfifo", folder.resolve("pipe").toString());
        Command.run("truncate", "-s", "1T", folder.resolve("large").toString());
        writer().label("x");
        Files.move(path, folder.resolve("foreign"));
        if (Files.getAttribute(folder, "unix:uid").equals(0)) {
            Files.setAttribute(folder.resolve("foreign"), "unix:uid", OTHER_USER);
        } else {
            assumeTrue(!name.equals("foreign"), "not root");
        }
        var worker = new ProcessBuilder(
                        "sh",
                        "-c",
                        "exec 5<>\"$0\" || exec 5<\"$0\"; echo; read end",
                        folder.resolve(name).toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertEquals(0, worker.inputReader().readLine().length());
            var start = RunningProcess.of(worker.pid()).orElseThrow().start();

            var refusal = assertThrows(
                    IOException.class,
                    () -> CounterFile.ofWorker(new CountedWorker(1, worker.pid(), start), ownUser()));

            assertTrue(
                    refusal.getMessage()
                            .matches("/proc/[0-9]+/fd/5 is (not a regular file|not a valid"
                                    + " counters file: it is not the memory that the service created)"),
                    refusal.getMessage());
        } finally {
            worker.destroyForcibly();
        }
    }

    private static int ownUser() {
        return RunningProcess.of(ProcessHandle.current().pid()).orElseThrow().userId();
    }
}
