// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import dev.jurom.linux.OutputPipe;
import dev.jurom.runtime.internal.PrintableLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of one worker: a pipe, and a file of the service's own user, which is created for the first line. The
 * output of the worker is untrusted: lines are made printable, and their length and the size of the file are
 * limited. This class is thread-safe.
 */
public final class WorkerLog implements OutputPipe.Reader, AutoCloseable {

    private static final int BATCH = 4096; // maximum number of characters that are written at once

    private final WorkerLogs logs;
    private final int userId;
    private final OutputPipe pipe;
    private final PrintableLines lines = new PrintableLines();
    private final ReentrantLock lock = new ReentrantLock();
    private final StringBuilder batch = new StringBuilder(); // this and the next: guarded by lock
    private long process;
    private @Nullable LogFile file;
    private boolean written;
    private boolean refused; // the file could not be created
    private boolean ended;

    /** Creates the pipe. */
    WorkerLog(WorkerLogs logs, int userId) throws IOException {
        this.logs = logs;
        this.userId = userId;
        this.pipe = new OutputPipe(logs.poller(), this);
    }

    /** {@return the destination of the standard error of the worker's process, until it is {@link #started}} */
    public ProcessBuilder.Redirect standardError() {
        return ProcessBuilder.Redirect.appendTo(pipe.file().toFile());
    }

    /**
     * Sets the id of the process, which names the file. Called once, when the process runs.
     *
     * @param processId the id
     */
    public void started(long processId) {
        lock.lock();
        try {
            process = processId;
        } finally {
            lock.unlock();
        }
        try {
            pipe.started();
        } catch (IOException e) {
            logs.isMissing(processId, e);
        }
    }

    @Override
    public void took(byte[] bytes) {
        lock.lock();
        try {
            if (!ended) {
                lines.add(ByteBuffer.wrap(bytes), this::add);
                flush();
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(String line) {
        batch.append(line).append('\n');
        if (batch.length() >= BATCH) {
            flush();
        }
    }

    private void flush() {
        if (!batch.isEmpty() && !ended) {
            if (file == null) {
                file = open();
            }
            if (file != null) {
                file.write(batch.substring(0, batch.length() - 1));
            }
        }
        batch.setLength(0);
    }

    /** Opens the file. Returns null if the disk is full: the current lines are lost, and later ones retry. */
    private @Nullable LogFile open() {
        try {
            var opened = logs.file(process);
            written = true;
            return opened;
        } catch (IOException e) {
            if (!refused) {
                refused = true;
                logs.isMissing(process, e);
            }
            return null;
        }
    }

    /** Continues in a new file, if the current file has been moved. */
    void reopen() {
        lock.lock();
        try {
            if (file != null) {
                file.reopen();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the user of the worker. */
    int userId() {
        return userId;
    }

    /** Returns the file, if the worker has written a line. */
    Optional<Path> file() {
        lock.lock();
        try {
            return written ? Optional.of(logs.path(process)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended() {
        close();
    }

    /** Closes the pipe. A child of the worker that still writes receives an error. */
    @Override
    public void close() {
        pipe.close();
        lock.lock();
        try {
            lines.finish(this::add);
            flush();
            ended = true;
            if (file != null) {
                file.close();
                file = null;
            }
        } finally {
            lock.unlock();
        }
        logs.closed(this);
    }
}
