// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** The program of {@code src/test/c/codec}: it packs the same messages with C's own structs. */
final class CTwin implements AutoCloseable {

    private final Path folder;
    private final Path program;

    /** Compiles it. */
    CTwin() {
        try {
            folder = Files.createTempDirectory("jurom-codec");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        program = folder.resolve("codec");
        var compile = new ArrayList<>(List.of("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror",
                "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
                "-I", Command.ROOT.resolve("headers").toString(), "-o", program.toString()));
        var sources = Command.ROOT.resolve("src/test/c/codec");
        for (var source : List.of("codec.c", "graph.c", "sandbox.c", "rdmo.c", "zoo.c")) {
            compile.add(sources.resolve(source).toString());
        }
        compile.addAll(Command.flags("ucx"));
        Command.run(compile);
    }

    /** Packs many messages in one run of the program; each line is what it reads. */
    List<byte[]> pack(List<String> lines) {
        try {
            var input = folder.resolve("messages");
            Files.write(input, lines);
            var output = Command.run("sh", "-c", "exec \"$0\" < \"$1\"",
                    program.toString(), input.toString());
            return output.lines().map(HexFormat.of()::parseHex).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
