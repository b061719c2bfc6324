// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.service.linux.OutputPipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of one worker: a pipe, and a file of the service's own user, which is created for the first line. The
 * output of the worker is untrusted: lines are made printable, and their length, the size of the file and the bytes
 * in a minute are limited. This class is thread-safe.
 */
public final class WorkerLog implements OutputPipe.Reader, AutoCloseable {

    private static final int BATCH = 4096; // maximum number of characters that are written at once

    private final WorkerLogs logs;
    private final int userId;
    private final LogBudget budget;
    private final OutputPipe pipe;
    private final PrintableLines lines = new PrintableLines();
    private final ReentrantLock lock = new ReentrantLock();
    private final StringBuilder batch = new StringBuilder(); // this and the next: guarded by lock
    private long process;
    private @Nullable LogFile file;
    private boolean written;
    private boolean failed; // the file could not be created
    private boolean ended;
    private @Nullable Instant pausedAt; // not null while the pipe is not read

    /** Creates the pipe. */
    WorkerLog(WorkerLogs logs, int userId, LogBudget budget) throws IOException {
        this.logs = logs;
        this.userId = userId;
        this.budget = budget;
        this.pipe = new OutputPipe(logs.poller(), this);
    }

    /** {@return the descriptor for the standard error of the worker's process, until it is {@link #started}} */
    public int descriptor() {
        return pipe.descriptor();
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
            logs.reportLost(processId, e);
        }
    }

    @Override
    public void received(byte[] bytes) {
        lock.lock();
        try {
            if (!ended) {
                lines.add(ByteBuffer.wrap(bytes), this::add);
                flush();
                pauseIfExhausted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops reading the pipe until the user has a new budget. Until then, the worker loses lines and costs no time. */
    private void pauseIfExhausted() {
        var pause = budget.pause();
        if (pause.isPositive()) {
            pausedAt = Instant.now();
            pipe.pause();
            logs.after(pause, this::resume);
        }
    }

    private void resume() {
        lock.lock();
        try {
            if (!ended) {
                reportPause();
                flush();
                pipe.resume();
            }
        } catch (IOException e) {
            logs.reportLost(process, e);
        } finally {
            lock.unlock();
        }
    }

    private void reportPause() {
        if (pausedAt != null) {
            add("[jurom] lines of this worker from " + pausedAt.truncatedTo(ChronoUnit.SECONDS) + " to "
                    + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " are lost: the workers of user "
                    + Integer.toUnsignedString(userId) + " logged " + (LogBudget.BYTES >> 20)
                    + " MiB, the limit for a minute");
            pausedAt = null;
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
                budget.use(file.write(batch.substring(0, batch.length() - 1)));
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
            if (!failed) {
                failed = true;
                logs.reportLost(process, e);
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

    /**
     * Returns the file, if the worker has written a line.
     *
     * @return the file, or empty
     */
    public Optional<Path> file() {
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
            reportPause();
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
