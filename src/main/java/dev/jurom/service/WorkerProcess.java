// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One {@code urom_worker} process and the thread that starts it, reads its answer and waits for its
 * end. Any thread may tell it to leave or kill it.
 *
 * <p>The process leaves when its standard input ends, which it does also when this process is
 * killed.
 */
final class WorkerProcess {

    /** What there is to know about a worker, told on its thread; {@link #ended} is the last. */
    interface Listener {

        /** The worker has its plugins and its address. */
        void ready(Frame.Ready ready);

        /** The worker will not be ready. */
        void failed(DocaError error, String why);

        /** The process has ended, or could not be started ({@link #NO_PROCESS}). */
        void ended(int exitStatus);
    }

    /**
     * How to start one.
     *
     * @param command the program and its arguments
     * @param environment what is put into the inherited environment
     * @param configure what the worker is told at its start
     * @param logDirectory where its standard error goes; without: where that of this process goes
     */
    record Start(List<String> command, Map<String, String> environment, Frame.Configure configure,
            Optional<Path> logDirectory) {
    }

    static final int NO_PROCESS = -1;

    private static final int MAX_ANSWER = 64 * 1024;

    private final Start start;
    private final Listener listener;
    private Process process; // this and the next two are guarded by this
    private boolean leaving;
    private boolean killed;

    private WorkerProcess(Start start, Listener listener) {
        this.start = start;
        this.listener = listener;
    }

    /** Starts a worker; the caller does not wait. */
    static WorkerProcess start(Start start, Listener listener) {
        var worker = new WorkerProcess(start, listener);
        try {
            Thread.ofPlatform().daemon().name("urom-worker-"
                    + Long.toUnsignedString(start.configure.workerId())).start(worker::run);
        } catch (OutOfMemoryError e) { // the JDK's word for a system without a thread to spare
            listener.failed(DocaError.OPERATING_SYSTEM,
                    "The service has no thread for another worker: " + e.getMessage());
            listener.ended(NO_PROCESS);
        }
        return worker;
    }

    private void run() {
        var exitStatus = NO_PROCESS;
        try {
            var started = launch();
            answer(started);
            exitStatus = started.waitFor();
        } catch (IOException e) {
            listener.failed(DocaError.OPERATING_SYSTEM,
                    "The worker program " + start.command.getFirst() + " cannot be run: " + e);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the thread of a worker", e);
        } finally {
            listener.ended(exitStatus);
        }
    }

    private Process launch() throws IOException {
        var builder = new ProcessBuilder(start.command);
        builder.environment().putAll(start.environment);
        if (start.logDirectory.isEmpty()) {
            return launch(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
        }
        var log = Files.createTempFile(start.logDirectory.get(), "urom_worker_", ".log");
        try {
            var started = launch(builder.redirectError(
                    ProcessBuilder.Redirect.appendTo(log.toFile())));
            rename(log, started.pid());
            return started;
        } catch (IOException e) {
            Files.delete(log);
            throw e;
        }
    }

    /** Starting takes a while, or long: who tells the worker to leave meanwhile does not wait. */
    private Process launch(ProcessBuilder builder) throws IOException {
        var started = builder.start();
        synchronized (this) {
            process = started;
        }
        return started;
    }

    /** A log is named after the process, whose id is known only now that it runs. */
    private static void rename(Path log, long processId) {
        try {
            Files.move(log, log.resolveSibling("urom_worker_" + processId + "_dev.log"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // The log keeps its first name.
        }
    }

    /** Tells the worker what it is and hears how that went. */
    private void answer(Process started) {
        try (var output = started.getInputStream()) {
            configure(started);
            switch (read(output)) {
                case Frame.Ready ready -> listener.ready(ready);
                case Frame.Failure failure -> listener.failed(failure.error(), failure.text());
                default -> listener.failed(DocaError.UNEXPECTED,
                        "The worker answered with a frame that is neither READY nor ERROR");
            }
        } catch (IOException e) {
            listener.failed(DocaError.INITIALIZATION,
                    "The worker ended before it was ready: see its log");
        } catch (FrameException e) {
            listener.failed(DocaError.UNEXPECTED, "The worker answered with no frame: "
                    + e.getMessage());
            kill();
        }
    }

    private void configure(Process started) {
        var input = started.getOutputStream();
        try {
            input.write(FrameEncoder.encode(start.configure));
            input.flush();
        } catch (IOException e) {
            // The worker does not listen: perhaps it says why not, else its output ends.
        }
        synchronized (this) {
            if (killed) {
                started.destroyForcibly();
            } else if (leaving) {
                leave();
            }
        }
    }

    private static Frame read(InputStream output) throws IOException, FrameException {
        var header = output.readNBytes(FrameDecoder.HEADER_SIZE);
        if (header.length < FrameDecoder.HEADER_SIZE) {
            throw new IOException("the output has ended");
        }
        var length = FrameDecoder.length(header, MAX_ANSWER);
        if (length > MAX_ANSWER) {
            throw new FrameException(DocaError.TOO_BIG, "it has " + length + " bytes");
        }
        var frame = Arrays.copyOf(header, length);
        if (output.readNBytes(frame, header.length, length - header.length)
                < length - header.length) {
            throw new IOException("the output has ended");
        }
        return FrameDecoder.decode(frame, MAX_ANSWER);
    }

    /** Tells the worker to leave: its input ends. */
    synchronized void leave() {
        leaving = true;
        if (process != null) {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // The worker has closed its end: it is leaving already.
            }
        }
    }

    /** Ends the worker at once. */
    synchronized void kill() {
        killed = true;
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
