// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that the programs of the distribution write with all of their options, in each mode. */
class ForeignFilesTest {

    private static final int BLOCK = 64 << 10;

    /** Commands that read the content from standard input ({@code <}) or from its file ({@code FILE}). */
    private static final Map<CompressionFormat, List<String>> COMMANDS = Map.of(
            CompressionFormat.ZSTD,
            List.of(
                    "zstd -c < FILE",
                    "zstd -c FILE",
                    "zstd -1 -c < FILE",
                    "zstd -9 -c FILE",
                    "zstd -19 -c < FILE",
                    "zstd --ultra -22 -c < FILE",
                    "zstd --fast=7 -c FILE",
                    "zstd --no-check -c < FILE",
                    "zstd --no-content-size -c FILE",
                    "zstd --long=27 -c < FILE",
                    "zstd -T2 -B65536 -c < FILE",
                    "zstd -T2 --rsyncable -c FILE",
                    "zstd --single-thread -c FILE",
                    "zstd --no-compress-literals -c FILE",
                    "zstd --target-compressed-block-size=2000 -c < FILE",
                    "pzstd -q -p 2 -c < FILE",
                    "zstd -c FILE; zstd -c FILE"),
            CompressionFormat.LZ4,
            List.of(
                    "lz4 -c < FILE",
                    "lz4 -c FILE",
                    "lz4 -9 -c FILE",
                    "lz4 -12 -c < FILE",
                    "lz4 --fast=9 -c < FILE",
                    "lz4 -B4 -c < FILE",
                    "lz4 -B5 -BD -c < FILE",
                    "lz4 -B4 -BD -c FILE",
                    "lz4 -9 -BD -c < FILE",
                    "lz4 -B6 -BX -c < FILE",
                    "lz4 -B4 -BD -BX -c < FILE",
                    "lz4 --no-frame-crc -c < FILE",
                    "lz4 --content-size -c FILE",
                    "lz4 --content-size -BD -B4 -c FILE",
                    "lz4 --favor-decSpeed -12 -c < FILE",
                    "zstd --format=lz4 -c < FILE",
                    "lz4 -BD -c FILE; lz4 -c FILE"),
            CompressionFormat.GZIP,
            List.of(
                    "gzip -c < FILE",
                    "gzip -c FILE",
                    "gzip -1 -c < FILE",
                    "gzip -9 -N -c FILE",
                    "gzip -n -c FILE",
                    "gzip --rsyncable -c < FILE",
                    "zstd --format=gzip -c < FILE",
                    "gzip -c FILE; printf '\\0\\0\\0\\0'",
                    "gzip -c FILE; echo",
                    "gzip -c FILE; gzip -1 -c FILE"));

    @TempDir
    Path folder;

    private static byte[] content(int number) {
        return switch (number) {
            case 0 -> new byte[0];
            case 1 -> Samples.mixed(1000, 1);
            case 2 -> Samples.mixed(300_000, 2);
            case 3 -> Samples.random(150_000, 3);
            default -> new byte[1 << 20];
        };
    }

    private record Foreign(CompressionFormat format, String command, byte[] content, byte[] frames) {}

    private List<Foreign> generated() throws IOException {
        var files = new ArrayList<Foreign>();
        for (var number = 0; number < 5; number++) {
            var plain = Files.write(folder.resolve("plain"), content(number));
            for (var commands : COMMANDS.entrySet()) {
                for (var command : commands.getValue()) {
                    var frames = folder.resolve("frames");
                    Command.run("sh", "-c", "{ " + command.replace("FILE", plain.toString()) + "; } 2>&1 > " + frames);
                    var copies = command.contains("; gzip") || command.contains("; zstd") || command.contains("; lz4");
                    var content = copies ? Arrays.copyOf(content(number), 2 * content(number).length) : content(number);
                    System.arraycopy(
                            content(number), 0, content, copies ? content.length / 2 : 0, content(number).length);
                    files.add(new Foreign(commands.getKey(), command, content, Files.readAllBytes(frames)));
                }
            }
        }
        return files;
    }

    @Test
    void all_options_of_the_programs_are_read_in_each_mode() throws IOException {
        var files = generated();
        assertTrue(files.size() > 200, () -> files.size() + " files");
        var wrong = new ArrayList<String>();
        for (var mode : CompressionMode.values()) {
            try (var compression = Compression.open(CompressionConfiguration.builder()
                    .mode(mode)
                    .blockSize(BLOCK)
                    .build())) {
                for (var file : files) {
                    var parameters = CompressionParameters.of(file.format());
                    try (var in =
                            new OffloadInputStream(compression, parameters, new ByteArrayInputStream(file.frames()))) {
                        if (!Arrays.equals(file.content(), in.readAllBytes())) {
                            wrong.add(mode + ", " + file.command() + ": other content");
                        }
                    } catch (IOException e) {
                        wrong.add(mode + ", " + file.command() + ", " + file.content().length + " bytes: " + e);
                    }
                }
                assertEquals(0, compression.counters().fallbacks());
            }
        }
        assertEquals(List.of(), wrong);
    }
}
