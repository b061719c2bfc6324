// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** Compresses with each format in the mode SAVE_CPU, and prints the place of the compression. */
public final class RuntimeImageProgram {

    private RuntimeImageProgram() {}

    /** Runs without arguments. */
    public static void main(String[] arguments) throws IOException {
        var content = Samples.mixed(1 << 20, 1);
        for (var format : CompressionFormat.values()) {
            if (!format.concatenates()) {
                continue;
            }
            var configuration = CompressionConfiguration.builder()
                    .mode(CompressionMode.SAVE_CPU)
                    .parameters(CompressionParameters.of(format).withLevel(9))
                    .build();
            try (var compression = Compression.open(configuration)) {
                var compressed = new ByteArrayOutputStream();
                try (var out = compression.outputStream(compressed)) {
                    out.write(content);
                }
                try (var in = compression.inputStream(new ByteArrayInputStream(compressed.toByteArray()))) {
                    var counters = compression.counters();
                    System.out.println(format + " equal " + Arrays.equals(content, in.readAllBytes()) + ", in workers "
                            + (counters.offloadedBlocks() > 0) + ", in the program " + (counters.localBlocks() > 0));
                }
            }
        }
    }
}
