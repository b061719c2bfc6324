// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program {@code wire_echo}: decodes frames with the C codec and encodes them again. Compiled
 * with sanitizers, so that an out-of-bounds read aborts it.
 */
final class WireEcho implements AutoCloseable {

    /** The result of the C codec: the encoded bytes, which are empty after an error. */
    record Answer(DocaError error, byte[] bytes) {}

    private static final int HEAD = 8;

    private final Path program;
    private final Process process;

    WireEcho() {
        try {
            program = Files.createTempFile("jurom-wire-echo", "");
            compile();
            process = new ProcessBuilder(program.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compile() throws IOException {
        var words = new ArrayList<>(List.of(
                "cc",
                "-std=c11",
                "-D_GNU_SOURCE",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-I",
                Command.ROOT.resolve("headers").toString(),
                "-I",
                Command.ROOT.resolve("src/main/c").toString(),
                "-o",
                program.toString(),
                Command.ROOT.resolve("src/test/c/wire/wire_echo.c").toString(),
                Command.ROOT.resolve("src/test/c/wire/any_frame.c").toString()));
        try (var files = Files.newDirectoryStream(Command.ROOT.resolve("src/main/c/wire"), "*.c")) {
            files.forEach(file -> words.add(file.toString()));
        }
        Command.run(words);
    }

    /** Decodes and encodes bytes with the C codec. */
    Answer echo(byte[] bytes, int maxMessageSize) {
        try {
            var request = ByteBuffer.allocate(HEAD + bytes.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(maxMessageSize)
                    .putInt(bytes.length)
                    .put(bytes);
            process.getOutputStream().write(request.array());
            process.getOutputStream().flush();
            var head = ByteBuffer.wrap(read(HEAD)).order(ByteOrder.LITTLE_ENDIAN);
            return new Answer(DocaError.of(head.getInt(0)), read(head.getInt(4)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] read(int length) throws IOException {
        var bytes = process.getInputStream().readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("wire_echo has exited: see standard error");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(program);
    }
}
