// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * A pipe to which another process writes, and from which one thread reads. Unlike the stream of a
 * {@link Process}, it can be closed while that thread waits, so that a child of the process which
 * keeps its end open does not block the thread. This class is thread-safe.
 */
public final class InputPipe implements AutoCloseable {

    private final PipeEnds ends = new PipeEnds();
    private final Descriptor input;

    /**
     * Makes a pipe.
     *
     * @param poller waits for data
     * @throws IOException if the process has no descriptor left
     */
    public InputPipe(Poller poller) throws IOException {
        try {
            input = new Descriptor(ends.input(), poller);
        } catch (IOException | RuntimeException e) {
            ends.closeOutput();
            throw e;
        }
    }

    /**
     * Returns a file to which a process can have its output redirected.
     *
     * @return a path that is valid until {@link #started}
     */
    public Path file() {
        return ends.file();
    }

    /** Leaves the other end to the process that was started, so that its end is noticed. */
    public void started() {
        ends.closeOutput();
    }

    /**
     * Returns what the process writes.
     *
     * @return a stream whose reads block until there is data, the end, or this is closed
     */
    public InputStream input() {
        return input.input(SystemCalls::read);
    }

    /** Closes both ends; a thread that reads gets an exception. Closing twice has no effect. */
    @Override
    public void close() {
        started();
        input.close();
    }
}
