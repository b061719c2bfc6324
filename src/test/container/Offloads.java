// SPDX-License-Identifier: Apache-2.0

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import dev.jurom.core.AccessFlag;
import dev.jurom.core.Device;
import dev.jurom.core.MemoryMap;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;

/** A host that uses worker_compress and a plugin in Java, which is this class too. */
public final class Offloads implements WorkerPlugin {

    private static final String NAME = "worker_echo";
    private static final StructCodec<MemorySegment> BYTES = bytes();
    private static final Offload<MemorySegment, MemorySegment> ECHO = Offload.of(NAME, 1, BYTES, BYTES);
    private static final int BLOCK = 2000;
    private static final String TEXT = "hello";

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

    /** Returns the bytes, or the first bytes of the memory that they export. */
    @Override
    public void command(Command command, Responder responder) {
        var bytes = command.read(BYTES);
        if (bytes.byteSize() > TEXT.length()) {
            var copy = MemorySegment.ofArray(new byte[TEXT.length()]);
            try (var memory = command.importMemory(bytes)) {
                memory.read(0, copy);
            }
            bytes = copy;
        }
        responder.reply(bytes, BYTES);
    }

    /**
     * Compresses a block and decompresses it in workers, and calls the plugin in Java with a text, or with memory
     * that contains the text.
     *
     * @param arguments {@code messages} or {@code memory}
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("messages")) {
            compress();
            call(MemorySegment.ofArray(TEXT.getBytes(StandardCharsets.US_ASCII)));
        } else {
            exportMemory();
        }
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

    private static void exportMemory() throws InterruptedException {
        try (var arena = Arena.ofConfined();
                var device = Device.open();
                var map = MemoryMap.create()
                        .setRange(arena.allocateFrom(TEXT))
                        .setPermissions(EnumSet.of(AccessFlag.PCI_READ_ONLY))
                        .addDevice(device)
                        .start()) {
            call(MemorySegment.ofArray(map.exportPci(device)));
        }
    }

    private static void call(MemorySegment request) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(NAME))) {
            var answer =
                    new String(worker.call(ECHO, request).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
            require(answer.equals(TEXT), "the plugin in Java returned " + answer);
            System.out.println("answer " + answer);
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
