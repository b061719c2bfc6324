// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of the package. */
class CompressionExampleTest {

    @TempDir
    Path folder;

    @Test
    void a_stream_is_read_by_zstd_and_by_this() throws IOException {
        var content = Samples.mixed(3_000_000, 1);
        var file = folder.resolve("records.zst");
        byte[] read;

        // @start region="stream"
        try (var compression = Compression.open()) {
            try (var out = compression.outputStream(Files.newOutputStream(file))) {
                out.write(content);
            }
            try (var in = compression.inputStream(new BufferedInputStream(Files.newInputStream(file)))) {
                read = in.readAllBytes();
            }
        }
        // @end

        assertArrayEquals(content, read);
        Command.run(
                "zstd",
                "-q",
                "-d",
                file.toString(),
                "-o",
                folder.resolve("records").toString());
        assertArrayEquals(content, Files.readAllBytes(folder.resolve("records")));
    }

    @Test
    void a_block_is_compressed_into_a_buffer() {
        try (var arena = Arena.ofShared()) {
            var source = arena.allocateFrom("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
            var text = arena.allocate(source.byteSize());

            // @start region="block"
            try (var compression = Compression.open()) {
                var buffer = arena.allocate(compression.maxCompressedSize(source.byteSize()));
                var frame = compression.compress(source, buffer).join();
                compression.decompress(frame, text).join();
            }
            // @end

            assertEquals(source.getString(0), text.getString(0));
        }
    }
}
