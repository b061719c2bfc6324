// SPDX-License-Identifier: Apache-2.0
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compresses a file by zstd in a worker process. */
public class CompressFile {

    public static void main(String[] arguments) throws IOException {
        var workersOnly =
                CompressionConfiguration.builder().mode(CompressionMode.OFFLOAD).build();
        try (var compression = Compression.open(workersOnly)) {
            try (var in = Files.newInputStream(Path.of(arguments[0]));
                    var out = compression.outputStream(Files.newOutputStream(Path.of(arguments[1])))) {
                in.transferTo(out);
            }
            System.out.println("blocks in workers: " + compression.counters().offloadedBlocks());
        }
    }
}
