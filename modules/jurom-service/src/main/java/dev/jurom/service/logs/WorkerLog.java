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
 * The log of one worker: a pipe, and a file of the service's own user, which is made for the first
 * line. The worker may write anything: lines are printable and bounded, and so is the file. This
 * class is thread-safe.
 */
public final class WorkerLog implements OutputPipe.Reader, AutoCloseable {

    private static final int BATCH = 4096; // characters that are written at once

    private final WorkerLogs logs;
    private final int userId;
    private final OutputPipe pipe;
    private final PrintableLines lines = new PrintableLines();
    private final ReentrantLock lock = new ReentrantLock();
    private final StringBuilder batch = new StringBuilder(); // this and the next: guarded by lock
    private long process;
    private @Nullable LogFile file;
    private boolean written;
    private boolean refused; // the file could not be made
    private boolean ended;

    /** Makes the pipe. */
    WorkerLog(WorkerLogs logs, int userId) throws IOException {
        this.logs = logs;
        this.userId = userId;
        this.pipe = new OutputPipe(logs.poller(), this);
    }

    /** The standard error of the process, until it is {@link #started}. */
    public ProcessBuilder.Redirect standardError() {
        return ProcessBuilder.Redirect.appendTo(pipe.file().toFile());
    }

    /** The process runs: its id names the file. */
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

    /** Null if the disk is full: these lines are lost, and the next ones are tried again. */
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

    /** The user of the worker. */
    int userId() {
        return userId;
    }

    /** The file, if the worker has written a line. */
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

    /** Reads no more. A child of the worker that still writes gets an error. */
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
