// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressions whose services are {@code urom-daemon} processes, which are killed. */
class StandaloneDaemonTest {

    private static final int BLOCK = 64 << 10;
    private static final CompressionConfiguration CONFIGURATION = CompressionConfiguration.builder()
            .mode(CompressionMode.SAVE_CPU)
            .blockSize(BLOCK)
            .build();

    @TempDir
    Path folder;

    private final String usual = Environment.get(ServiceFile.VARIABLE);

    @AfterEach
    void restoreVariable() {
        Environment.restore(ServiceFile.VARIABLE, usual);
    }

    /** Starts a daemon whose files are in this folder, and waits until it listens. */
    private static Process daemon(Path folder) throws IOException {
        var output = Files.createDirectories(folder).resolve("output");
        var daemon = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", // as src/main/install/daemon-options
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UromDaemonMain.class.getName(),
                        "--allow-root",
                        "--listen",
                        "unix:" + folder.resolve("socket"),
                        "--service-file",
                        folder.resolve("services").toString(),
                        "-m",
                        Integer.toString(CONFIGURATION.maxMessageSize()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Waiting.until("the daemon listens", () -> {
            assertTrue(daemon.isAlive(), () -> read(output));
            return read(output).contains("listening");
        });
        return daemon;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void kill(Process daemon) {
        var processes = daemon.descendants().toList();
        daemon.destroyForcibly();
        Waiting.until(
                "the daemon and its workers have exited",
                () -> !daemon.isAlive() && processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Compresses and decompresses a block and a stream. Returns the number of blocks that workers have compressed. */
    private static long roundTrips(Compression compression, long seed) throws IOException {
        var before = compression.counters().offloadedBlocks();
        var block = Samples.mixed(BLOCK, seed);
        var frame = compression
                .compress(
                        MemorySegment.ofArray(block),
                        MemorySegment.ofArray(new byte[(int) compression.maxCompressedSize(BLOCK)]))
                .join();
        var text = new byte[BLOCK];
        assertEquals(
                BLOCK,
                compression
                        .decompress(frame, MemorySegment.ofArray(text))
                        .join()
                        .byteSize());
        assertArrayEquals(block, text);

        var content = Samples.mixed(3 * BLOCK, seed);
        var parameters = compression.configuration().parameters();
        assertArrayEquals(
                content,
                CompressionStreamTest.decompressed(
                        compression, parameters, CompressionStreamTest.compressed(compression, parameters, content)));
        return compression.counters().offloadedBlocks() - before;
    }

    @Test
    void blocks_and_streams_return_to_the_workers_of_a_daemon_that_was_killed() throws IOException {
        var daemon = daemon(folder);
        Environment.set(ServiceFile.VARIABLE, folder.resolve("services").toString());
        try (var compression = Compression.open(CONFIGURATION)) {
            assertEquals(1, compression.counters().workers());
            assertTrue(roundTrips(compression, 1) > 0);

            kill(daemon);
            assertEquals(0, roundTrips(compression, 2));
            assertTrue(compression.counters().fallbacks() > 0);

            daemon = daemon(folder);
            Waiting.until(
                    "a worker of the new daemon runs",
                    () -> compression.counters().workers() == 1);
            assertTrue(roundTrips(compression, 3) > 0);
        } finally {
            kill(daemon);
        }
    }

    private static Compression open(ServiceLocation location) throws CompressionException {
        return Compression.open(CONFIGURATION.toBuilder().service(location).build());
    }

    @Test
    void compressions_of_a_process_use_different_services() throws IOException {
        var first = folder.resolve("first");
        var second = folder.resolve("second");
        var daemon = daemon(first);
        var other = daemon(second);
        Environment.set(ServiceFile.VARIABLE, first.resolve("services").toString());
        try (var named = open(ServiceLocation.environment());
                var file = open(ServiceLocation.file(second.resolve("services")));
                var address = open(ServiceLocation.address("unix:" + second.resolve("socket")));
                var embedded = open(ServiceLocation.embedded())) {
            for (var compression : List.of(named, file, address, embedded)) {
                assertTrue(roundTrips(compression, 1) > 0, compression::toString);
            }

            kill(daemon);

            assertEquals(0, roundTrips(named, 2));
            for (var compression : List.of(file, address, embedded)) {
                assertTrue(roundTrips(compression, 2) > 0, compression::toString);
                assertEquals(0, compression.counters().fallbacks(), compression::toString);
            }
        } finally {
            kill(daemon);
            kill(other);
        }
    }
}
