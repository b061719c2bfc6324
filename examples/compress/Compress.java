// SPDX-License-Identifier: Apache-2.0
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** Compresses a file by zstd in two worker processes, and compares what they decompress with the file. */
public class Compress {

    private static final int PART = 1 << 16;

    public static void main(String[] arguments) throws IOException {
        var file = Path.of(arguments[0]);
        var target = Path.of(arguments[1]);
        var configuration = CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD) // without a worker, fail instead of compressing in this process
                .workers(2)
                .build();
        try (var compression = Compression.open(configuration)) {
            var begin = System.nanoTime();
            var cpu = cpuTime(ProcessHandle.current());
            try (var in = Files.newInputStream(file);
                    var out = compression.outputStream(Files.newOutputStream(target))) {
                in.transferTo(out);
            }
            System.out.printf(
                    "%s: %d to %d bytes in %.2f s%n",
                    target, Files.size(file), Files.size(target), (System.nanoTime() - begin) / 1e9);
            System.out.printf(
                    "CPU time: %d ms in this process, %d ms in its workers%n",
                    cpuTime(ProcessHandle.current()).minus(cpu).toMillis(),
                    ProcessHandle.current()
                            .descendants()
                            .mapToLong(worker -> cpuTime(worker).toMillis())
                            .sum());

            try (var result = compression.inputStream(new BufferedInputStream(Files.newInputStream(target)));
                    var original = Files.newInputStream(file)) {
                requireEqual(result, original);
            }
            System.out.printf(
                    "decompressed and compared; blocks: %d in workers, %d in this process%n",
                    compression.counters().offloadedBlocks(),
                    compression.counters().localBlocks());
        }
    }

    private static Duration cpuTime(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static void requireEqual(InputStream result, InputStream original) throws IOException {
        byte[] part;
        do {
            part = original.readNBytes(PART);
            if (!Arrays.equals(part, result.readNBytes(PART))) {
                throw new IOException("the decompressed bytes differ from those of the file");
            }
        } while (part.length == PART);
    }
}
