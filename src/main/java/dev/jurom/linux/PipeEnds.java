// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** The two ends of a pipe: one of this process, one of a child. This class is thread-safe. */
final class PipeEnds {

    private static final int READING = 0;
    private static final int WRITING = 1;

    private final int own;
    private final int other;
    private final AtomicBoolean otherClosed = new AtomicBoolean();

    private PipeEnds(int ownEnd) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            SystemCalls.pipe(ends);
            own = ends.getAtIndex(ValueLayout.JAVA_INT, ownEnd);
            other = ends.getAtIndex(ValueLayout.JAVA_INT, 1 - ownEnd);
        }
    }

    /** Makes a pipe from which this process reads. */
    static PipeEnds reading() throws IOException {
        return new PipeEnds(READING);
    }

    /** Makes a pipe to which this process writes. */
    static PipeEnds writing() throws IOException {
        return new PipeEnds(WRITING);
    }

    /** The end of this process, non-blocking, to be closed by the caller. */
    int own() {
        return own;
    }

    /** A file for the child, whose end blocks. Valid until {@link #closeOther}. */
    Path file() {
        return Path.of("/proc/self/fd/" + other);
    }

    /** Leaves the other end with the child that was started. Closing twice has no effect. */
    void closeOther() {
        if (otherClosed.compareAndSet(false, true)) {
            posix_h.close(other);
        }
    }
}
