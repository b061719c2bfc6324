// SPDX-License-Identifier: Apache-2.0

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A host that uses worker_compress and a plugin in Java, which is this class too. */
public final class Offloads implements WorkerPlugin {

    private static final String NAME = "worker_echo";
    private static final StructCodec<MemorySegment> BYTES = bytes();
    private static final Offload<MemorySegment, MemorySegment> ECHO = Offload.of(NAME, 1, BYTES, BYTES);
    private static final int BLOCK = 2000;

    private static StructCodec<MemorySegment> bytes() {
        StructBuilder<MemorySegment> struct = StructBuilder.struct("bytes");
        var length = struct.u64("length", MemorySegment::byteSize);
        var bytes = struct.inline("bytes", it -> it, length::get);
        return struct.codec(bytes::get);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public void command(Command command, Responder responder) {
        responder.reply(command.read(BYTES), BYTES);
    }

    /**
     * Compresses a block and decompresses it in workers, and calls the plugin in Java.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        compress();
        echo();
    }

    private static void compress() throws Exception {
        var block = MemorySegment.ofArray(
                "blocks ".repeat(BLOCK).substring(0, BLOCK).getBytes(StandardCharsets.US_ASCII));
        var offloaded = CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .maxMessageSize(4096)
                .build();
        try (var compression = Compression.open(offloaded)) {
            var frame = compression
                    .compress(block, MemorySegment.ofArray(new byte[BLOCK]))
                    .join();
            var result = compression
                    .decompress(frame, MemorySegment.ofArray(new byte[BLOCK]))
                    .join();
            require(result.mismatch(block) == -1, "the block differs after decompression");
            System.out.println("compressed " + block.byteSize() + " to " + frame.byteSize() + " bytes");
        }
    }

    private static void echo() throws InterruptedException {
        var text = "hello";
        var request = MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(NAME))) {
            require(worker.call(ECHO, request).mismatch(request) == -1, "the plugin in Java returned other bytes");
            System.out.println("echo of " + text);
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
