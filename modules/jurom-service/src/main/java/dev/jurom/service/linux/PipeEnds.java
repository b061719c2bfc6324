// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The two ends of a pipe: one of this process, one of a child process. This class is thread-safe.
 */
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

    /** Creates a pipe from which this process reads. */
    static PipeEnds reading() throws IOException {
        return new PipeEnds(READING);
    }

    /** Creates a pipe to which this process writes. */
    static PipeEnds writing() throws IOException {
        return new PipeEnds(WRITING);
    }

    /** Returns the end of this process, which is non-blocking and which the caller must close. */
    int own() {
        return own;
    }

    /** Returns the end for the child, which does not block yet. Valid until {@link #closeOther}. */
    int other() {
        return other;
    }

    /** Closes the end of the child in this process. Has no effect if it is closed. */
    void closeOther() {
        if (otherClosed.compareAndSet(false, true)) {
            posix_h.close(other);
        }
    }
}
