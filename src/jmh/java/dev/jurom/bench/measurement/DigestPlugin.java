// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** The counterpart of {@code worker_digest.c}: the same commands, with {@code java.util.zip}. */
public final class DigestPlugin implements WorkerPlugin {

    /** The name of the plugin. */
    public static final String NAME = "worker_java_digest";

    /** The operation that compresses; all others compute a CRC-32C. */
    public static final long DEFLATE = 1;

    private final CRC32C crc = new CRC32C();
    private final Deflater deflater = new Deflater();

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
        var payload = command.payload();
        var bytes = payload.asSlice(Long.BYTES);
        if (payload.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) == DEFLATE) {
            responder.reply(compress(bytes, responder.room()));
        } else {
            crc.reset();
            crc.update(bytes.asByteBuffer());
            responder.room().set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) crc.getValue());
            responder.reply(Integer.BYTES);
        }
    }

    private long compress(MemorySegment bytes, MemorySegment room) {
        deflater.reset();
        deflater.setInput(bytes.asByteBuffer());
        deflater.finish();
        return deflater.deflate(room.asByteBuffer());
    }

    @Override
    public void close() {
        deflater.end();
    }
}
