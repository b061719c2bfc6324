// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.linux.InputPipe;
import dev.jurom.linux.Poller;
import dev.jurom.linux.RunningProcess;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One {@code urom_worker} process and its thread, which starts it, reads what it says and waits for
 * its end. Any thread may send, tell it to leave or kill it; none of these waits.
 *
 * <p>What a worker says is not to be trusted: plugins run in it. What is no frame, or not asked
 * for, ends it. It leaves when its standard input ends, which it does also when this process is
 * killed.
 */
final class WorkerProcess {

    /** What there is to know about a worker, told on its thread; {@link #ended} is the last. */
    interface Listener {

        /** The worker has its plugins and listens. */
        void ready();

        /** The worker will not be ready. */
        void failed(DocaError error, String why);

        /**
         * The worker that is ready says something.
         *
         * @return whether it may say that now; if not, it is killed
         */
        boolean said(Frame frame);

        /** The process has ended, or could not be started ({@link WorkerEnd#NO_PROCESS}). */
        void ended(WorkerEnd end);
    }

    /** Checks what is about to be run, and gives the command to run. */
    interface Command {
        List<String> check() throws IOException;
    }

    /**
     * How to start one.
     *
     * @param program the program and its arguments
     * @param environment of the first stage
     * @param standardError where it goes without logs
     * @param logs where it goes, if the service keeps logs
     * @param userId whose worker it is
     * @param configure what the second stage is told
     * @param poller waits for its output
     */
    record Start(Command program, Map<String, String> environment,
            ProcessBuilder.Redirect standardError, Optional<WorkerLogs> logs, int userId,
            Frame.Configure configure, Poller poller) {
    }

    /** Why this was ended, and whether because it did not answer. */
    private record Killed(String why, boolean unresponsive) {
    }

    private static final String NOT_READY = "The worker ended before it was ready: see its log";
    /** For what a worker that has ended had said to be heard. */
    private static final Duration LAST_WORDS = Duration.ofMillis(500);
    private static final int MAX_FRAME = 4096;
    private static final int MAX_WAITING = 64; // frames for a worker that does not read
    private static final int MAX_WAITING_BYTES = 2 << 20;

    private final Start start;
    private final ByteBudget.Held held;
    private final Timers timers;
    private final Deadlines deadlines;
    private final Listener listener;
    private final AtomicReference<Killed> killed = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> launch; // null once it was queued
    private volatile @Nullable Process process;
    private volatile @Nullable WorkerLog log;
    private volatile long startTime;
    private volatile @Nullable FrameSender sender;
    private volatile boolean leaving;
    private volatile boolean answered;
    private final AtomicBoolean over = new AtomicBoolean();

    /**
     * A worker that has not been started.
     *
     * @param launch the bytes of a LAUNCH, for the first stage
     * @param held the bytes of the request for it, released when {@code launch} was written
     */
    WorkerProcess(Start start, byte[] launch, ByteBudget.Held held, Timers timers,
            Deadlines deadlines, Listener listener) {
        this.start = start;
        this.launch = new AtomicReference<>(launch);
        this.held = held;
        this.timers = timers;
        this.deadlines = deadlines;
        this.listener = listener;
    }

    /** Starts the worker; the caller does not wait. */
    void start() {
        try {
            timers.threads().execute(this::run);
        } catch (OutOfMemoryError e) { // the JDK's word for a system without a thread to spare
            held.close();
            listener.failed(DocaError.OPERATING_SYSTEM,
                    "The service has no thread for another worker: " + e.getMessage());
            listener.ended(WorkerEnd.NONE);
        }
    }

    private void run() {
        Thread.currentThread().setName("urom-worker-"
                + Long.toUnsignedString(start.configure.workerId()));
        var exitStatus = WorkerEnd.NO_PROCESS;
        try (var output = new InputPipe(start.poller)) {
            var launched = launch(output);
            listen(launched, output);
            exitStatus = launched.waitFor();
        } catch (IOException e) {
            listener.failed(DocaError.OPERATING_SYSTEM,
                    "The worker cannot be started: " + e.getMessage());
        } catch (OutOfMemoryError e) {
            kill("was ended, because the service has no memory or thread for it");
            listener.failed(DocaError.OPERATING_SYSTEM,
                    "The service has no thread for another worker: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the thread of a worker", e);
        } finally {
            end(exitStatus);
        }
    }

    private void hasExited(Process ended, InputPipe output) {
        output.close();
        if (!answered && !over.get()) {
            listener.failed(DocaError.INITIALIZATION, NOT_READY);
        }
        end(ended.exitValue());
    }

    private void end(int exitStatus) {
        if (over.compareAndSet(false, true)) {
            held.close();
            if (sender != null) {
                sender.abandon();
            }
            var its = log;
            if (its != null) { // a child of the worker may hold it open
                timers.runAfter(WorkerLogs.PATIENCE, its::close);
            }
            var reason = killed.get();
            listener.ended(reason == null
                    ? new WorkerEnd(exitStatus, false, ExitText.of(exitStatus))
                    : new WorkerEnd(exitStatus, reason.unresponsive, reason.why));
        }
    }

    private Process launch(InputPipe output) throws IOException {
        var builder = new ProcessBuilder(start.program.check()).redirectError(start.standardError)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.file().toFile()));
        builder.environment().clear();
        builder.environment().putAll(start.environment);
        var launched = start.logs.isPresent()
                ? logged(builder, start.logs.get().open(start.userId)) : builder.start();
        output.started();
        startTime = RunningProcess.startOf(launched.pid());
        process = launched;
        var bounds = new FrameSender.Bounds(MAX_WAITING,
                new ByteBudget(MAX_WAITING_BYTES, MAX_WAITING_BYTES).share(), deadlines.frame());
        var its = new FrameSender(launched.getOutputStream(), bounds, timers,
                new FrameSender.Listener() {
                    @Override
                    public void failed(String why) {
                        // It will not answer: that is seen elsewhere.
                    }

                    @Override
                    public void gone(IOException reason) {
                        // It is leaving: its end is seen elsewhere.
                    }

                    @Override
                    public void overflown() {
                        kill("did not read what the service told it");
                    }
                });
        its.send(launch.getAndSet(null), held::close);
        its.send(start.configure);
        sender = its;
        // A child of the worker may hold its output open: what it said is heard until then.
        launched.onExit().thenAccept(ended ->
                timers.after(LAST_WORDS, () -> hasExited(ended, output)));
        if (leaving) { // it was told so while it was being started
            leave();
        }
        if (killed.get() != null) {
            launched.destroyForcibly();
        }
        return launched;
    }

    private Process logged(ProcessBuilder builder, WorkerLog itsLog) throws IOException {
        log = itsLog;
        var launched = builder.redirectError(itsLog.standardError()).start();
        itsLog.started(launched.pid());
        return launched;
    }

    /** Hears what the worker says until it says no more. */
    private void listen(Process launched, InputPipe output) throws InterruptedException {
        var reader = new FrameReader(output.input(), timers, deadlines.frame(),
                () -> kill("was ended, because it did not finish what it began to say"));
        var ready = false;
        try {
            ready = hearAnswer(read(reader));
            while (ready) {
                var frame = read(reader);
                if (!listener.said(frame)) {
                    kill("was ended, because it said what nobody had asked: "
                            + frame.getClass().getSimpleName());
                }
            }
        } catch (IOException e) {
            if (!ready) {
                listener.failed(DocaError.INITIALIZATION, NOT_READY);
            }
        } catch (FrameException e) {
            kill("was ended, because it wrote what is no frame: " + e.getMessage());
            if (!ready) {
                listener.failed(DocaError.UNEXPECTED, "The worker answered with no frame: "
                        + e.getMessage());
            }
        }
        if (!launched.waitFor(deadlines.leave().toMillis(), TimeUnit.MILLISECONDS)) {
            kill("was ended, because it had closed its output");
        }
    }

    private boolean hearAnswer(Frame answer) {
        answered = true;
        switch (answer) {
            case Frame.Ready ready -> {
                listener.ready();
                return true;
            }
            case Frame.Failure failure -> listener.failed(failure.error(), failure.text());
            default -> {
                kill("was ended, because it answered neither READY nor ERROR");
                listener.failed(DocaError.UNEXPECTED,
                        "The worker answered with a frame that is neither READY nor ERROR");
            }
        }
        return false;
    }

    private static Frame read(FrameReader reader) throws IOException, FrameException {
        return reader.body(reader.header(), MAX_FRAME);
    }

    /** Whether it has been started and has not ended. */
    boolean isAlive() {
        var its = process;
        return its != null && its.isAlive();
    }

    /**
     * Whether commands may still reach it: not when it was killed, by this service or another, or
     * has exited, even if this process has not been told so yet.
     */
    boolean isUsable() {
        var its = process;
        return killed.get() == null && its != null && its.isAlive()
                && !ProcessState.isEnding(its.pid());
    }

    /** The number of the process, which has been started. */
    int id() {
        var its = process;
        if (its == null) {
            throw new IllegalStateException("The worker's process has not been started");
        }
        return (int) its.pid();
    }

    /** When the process started, in clock ticks after boot; 0 if it has not, or ended at once. */
    long startTime() {
        return startTime;
    }

    /** Sends a frame; {@code written} is done once the worker can read it. */
    void send(Frame frame, Runnable written) {
        var its = sender;
        if (its != null) {
            its.send(frame, written);
        }
    }

    /** Tells the worker to publish what is finished, and leave. */
    void leave() {
        leaving = true;
        var its = sender;
        if (its != null) {
            its.send(new Frame.Drain(0));
            its.finish();
        }
    }

    /** Ends the worker at once; the first reason is the one that its hosts are told. */
    void kill(String why) {
        kill(new Killed(why, false));
    }

    /** Ends the worker at once, because it does not answer. */
    void killUnresponsive(String why) {
        kill(new Killed(why, true));
    }

    private void kill(Killed reason) {
        killed.compareAndSet(null, reason);
        var its = process;
        if (its != null) {
            its.destroyForcibly();
        }
    }
}
