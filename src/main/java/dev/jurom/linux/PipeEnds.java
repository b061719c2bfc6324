// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** The two ends of a pipe to which another process is going to write. This class is thread-safe. */
final class PipeEnds {

    private final int input;
    private final int output;
    private final AtomicBoolean outputClosed = new AtomicBoolean();

    /** Makes a pipe. */
    PipeEnds() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            SystemCalls.pipe(ends);
            input = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
            output = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
        }
    }

    /** The end to read from, non-blocking, to be closed by the caller. */
    int input() {
        return input;
    }

    /** A file for the output of a process, whose end blocks. Valid until {@link #closeOutput}. */
    Path file() {
        return Path.of("/proc/self/fd/" + output);
    }

    /** Leaves the end to write to with the process that was started. Closing twice has no effect. */
    void closeOutput() {
        if (outputClosed.compareAndSet(false, true)) {
            posix_h.close(output);
        }
    }
}
