// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The C program {@code counters_writer}, compiled with sanitizers so that a write out of bounds aborts it.
 */
final class CountersWriter implements AutoCloseable {

    private final Process process;
    private final Path path;
    private final long ticksPerSecond;

    /** Starts the program, which creates its counter file in the given folder. */
    CountersWriter(Path folder) throws IOException {
        var program = folder.resolve("counters_writer");
        compile(program);
        process = new ProcessBuilder(program.toString(), folder.resolve("w-1").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var words = new BufferedReader(process.inputReader()).readLine().split(" ");
        path = Path.of(words[0]);
        ticksPerSecond = Long.parseLong(words[1]);
    }

    private static void compile(Path program) throws IOException {
        var words = new ArrayList<>(List.of(
                "cc",
                "-std=gnu11",
                "-D_GNU_SOURCE",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-pthread",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                Command.ROOT.resolve("src/main/c").toString(),
                "-I",
                Command.ROOT.resolve("headers").toString(),
                "-o",
                program.toString(),
                Command.ROOT.resolve("src/main/c/common/error.c").toString(),
                Command.ROOT.resolve("src/test/c/counters/counters_writer.c").toString()));
        try (var files = Files.newDirectoryStream(Command.ROOT.resolve("src/main/c/counters"), "*.c")) {
            files.forEach(file -> words.add(file.toString()));
        }
        Command.run(words);
    }

    long process() {
        return process.pid();
    }

    Path path() {
        return path;
    }

    long ticksPerSecond() {
        return ticksPerSecond;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        Waiting.until("the program has ended", () -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new IOException("counters_writer has failed: see standard error");
        }
    }
}
