// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/** A pipe from a short-lived process, which is read after the process has exited. Not thread-safe. */
public final class CapturedOutput implements AutoCloseable {

    private static final int BLOCK = 8192;

    private final PipeEnds ends = PipeEnds.reading();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the pipe.
     *
     * @throws IOException if the process has no file descriptor left
     */
    public CapturedOutput() throws IOException {}

    /**
     * Returns the end of the other process.
     *
     * @return a descriptor that is valid until {@link #close}
     */
    public int descriptor() {
        return ends.other();
    }

    /**
     * Returns the output that the pipe holds. Does not block.
     *
     * @param limit maximum number of bytes
     * @return the bytes
     * @throws IOException if they cannot be read
     */
    public byte[] read(int limit) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var arena = Arena.ofConfined()) {
            var block = arena.allocate(BLOCK);
            while (bytes.size() < limit) {
                var count = SystemCalls.read(ends.own(), block.asSlice(0, Math.min(BLOCK, limit - bytes.size())));
                if (count <= 0) {
                    break;
                }
                bytes.writeBytes(block.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return bytes.toByteArray();
    }

    /** Closes both ends; a process that still writes receives an error. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            ends.closeOther();
            posix_h.close(ends.own());
        }
    }
}
