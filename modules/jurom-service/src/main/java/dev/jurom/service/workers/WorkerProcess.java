// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.connections.FrameAssembler;
import dev.jurom.service.connections.Listener;
import dev.jurom.service.counters.CountedWorker;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.linux.InputPipe;
import dev.jurom.service.linux.MemoryFile;
import dev.jurom.service.linux.OutputPipe;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.WorkerLog;
import dev.jurom.service.logs.WorkerLogs;
import dev.jurom.service.processes.LaunchedProcess;
import dev.jurom.service.processes.Launcher;
import dev.jurom.service.processes.ProcessEnd;
import dev.jurom.service.processes.WorkerDescriptors;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.FrameException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One {@code urom_worker} process. A thread of the pool prepares its start, and another one handles its end. In between
 * it occupies no thread: the launcher waits for its exit, and the poller's thread reads its output. Any thread may
 * send frames, request its exit or kill it; none of these methods blocks.
 *
 * <p>The output of a worker is untrusted, because plugins run in it. A malformed or unexpected frame ends the
 * worker. The worker exits when its standard input ends, which also happens when this process is killed.
 */
final class WorkerProcess implements OutputPipe.Reader, LaunchedProcess.Listener {

    /** Receives the events of a worker, of which {@link #ended} is the last. No method may block. */
    interface Listener {

        /** The worker has loaded its plugins and listens. */
        void ready();

        /** The worker will not become ready. */
        void failed(DocaError error, String why);

        /**
         * A ready worker has sent a frame.
         *
         * @return whether the frame is expected; if not, the worker is killed
         */
        boolean received(Frame frame);

        /** The worker has ended; receives its last counters. */
        void counted(CounterFile counters);

        /** The process has ended, or could not be started ({@link WorkerEnd#NO_PROCESS}). */
        void ended(WorkerEnd end);
    }

    /** Checks the program and the plugins before each start, and returns the plugins as {@code SO_PATH:ID}. */
    interface Plugins {
        List<String> check() throws IOException;
    }

    /**
     * The parameters of a start.
     *
     * @param plugins the plugins of the worker
     * @param launcher starts the process
     * @param cores the folder for cores, if any
     * @param sharesLog whether the standard error without logs is that of this process
     * @param logs the logs for standard error, if the service keeps logs
     * @param userId the user of the worker
     * @param memoryKills counts the processes of its cgroup that the kernel kills, where it can be read
     * @param configure the configuration of the worker
     * @param poller reads its output, and writes its input
     */
    record Start(
            Plugins plugins,
            Launcher launcher,
            Optional<Path> cores,
            boolean sharesLog,
            Optional<WorkerLogs> logs,
            int userId,
            Optional<MemoryKills> memoryKills,
            Frame.Configure configure,
            Poller poller) {}

    /** The reason for killing the worker, and whether it did not answer. */
    private record Killed(String why, boolean unresponsive) {}

    private static final String NOT_READY = "The worker ended before it was ready: see its log";
    private static final String WITHOUT_LAUNCHER = "was killed, because the launcher of the service had ended";
    private static final String NO_LAUNCHER =
            "The worker cannot be started: the launcher of the service has ended; start it again";
    /** Maximum time for reading the remaining output of a worker that has exited. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofMillis(500);

    private static final int MAX_FRAME = 4096;
    private static final int MAX_WAITING = 64; // maximum number of frames for a worker that does not read

    private final Start start;
    private final ByteBudget.Held held;
    private final Timers timers;
    private final Deadlines deadlines;
    private final Listener listener;
    private final AtomicReference<Killed> killed = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> launch; // null once it is queued
    private volatile @Nullable LaunchedProcess process;
    private volatile int id; // of the process; 0 until it has started
    private volatile @Nullable WorkerLog log;
    private volatile @Nullable MemoryFile counters;
    private volatile long startTime;
    private volatile @Nullable InputPipe input;
    private volatile @Nullable OutputPipe output;
    private volatile boolean configured; // the first frames have been queued
    private volatile @Nullable String leaving; // why it was requested to exit
    private volatile boolean exited;
    private volatile long killsBefore; // the count of memoryKills at its start
    private volatile boolean answered;
    private final AtomicBoolean over = new AtomicBoolean();
    private final FrameAssembler frames = new FrameAssembler(MAX_FRAME); // this and the rest: confined to the poller
    private Timers.@Nullable Timer unfinished; // runs while a frame is incomplete
    private boolean ready;
    private boolean ignored; // whether further output is ignored
    private boolean outputEnded;
    private int exitStatus = WorkerEnd.NO_PROCESS; // until it has exited

    /**
     * Creates a worker that has not been started.
     *
     * @param launch the bytes of its LAUNCH
     * @param held the bytes of the request for it, released after {@code launch} was written
     */
    WorkerProcess(
            Start start, byte[] launch, ByteBudget.Held held, Timers timers, Deadlines deadlines, Listener listener) {
        this.start = start;
        this.launch = new AtomicReference<>(launch);
        this.held = held;
        this.timers = timers;
        this.deadlines = deadlines;
        this.listener = listener;
    }

    /** Starts the worker. Does not block. */
    void start() {
        try {
            timers.threads().execute(this::run);
        } catch (OutOfMemoryError e) { // the JDK throws it when the system cannot create a thread
            held.close();
            listener.failed(
                    DocaError.OPERATING_SYSTEM, "The service has no thread for another worker: " + e.getMessage());
            listener.ended(WorkerEnd.NONE);
        }
    }

    private void run() {
        try {
            begin();
        } catch (IOException e) {
            notStarted("The worker cannot be started: " + e.getMessage());
        }
    }

    private void notStarted(String why) {
        kill("could not be started");
        listener.failed(DocaError.OPERATING_SYSTEM, why);
        end(WorkerEnd.NO_PROCESS);
    }

    /** Handles the exit of the process; the output may continue, because a child may hold it open. */
    private void hasExited(int exitStatus) {
        if (!answered && !over.get()) {
            listener.failed(DocaError.INITIALIZATION, NOT_READY);
        }
        end(exitStatus);
    }

    private void end(int exitStatus) {
        if (over.compareAndSet(false, true)) {
            held.close();
            closePipes();
            var workerLog = log;
            if (workerLog != null) { // a child of the worker may hold it open
                timers.runAfter(WorkerLogs.DRAIN_TIMEOUT, workerLog::close);
            }
            var callback = counters().flatMap(CounterFile::runningCallback);
            reportCounters();
            var reason = killed.get();
            listener.ended(
                    reason == null
                            ? new WorkerEnd(exitStatus, false, text(exitStatus, callback))
                            : new WorkerEnd(exitStatus, reason.unresponsive, reason.why));
        }
    }

    private String text(int exitStatus, Optional<String> callback) {
        var why = leaving;
        if (exitStatus == 0 && why != null) {
            return "exited, because " + why;
        }
        var text = ExitText.of(exitStatus, callback, this::whereOutputIs);
        return exitStatus == ExitText.KILLED
                ? text + start.memoryKills.map(kills -> kills.hint(killsBefore)).orElse("")
                : text;
    }

    private String whereOutputIs() {
        var its = log;
        return (its == null
                        ? "its log is the standard error of the service"
                        : its.file().map(file -> "its log is " + file).orElse("it has logged nothing"))
                + start.cores
                        .map(folder -> "; its core, if cores are enabled, is in " + folder + "/"
                                + Integer.toUnsignedString(start.userId))
                        .orElse("");
    }

    private void reportCounters() {
        counters().ifPresent(listener::counted);
        var file = counters;
        counters = null;
        if (file != null) {
            file.close();
        }
    }

    /** Returns the worker's counters; empty if the worker has not begun to count. */
    Optional<CounterFile> counters() {
        var file = counters;
        if (file == null || id == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(CounterFile.ofHeldWorker(
                    new CountedWorker(start.configure.workerId(), id, startTime), file.path()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void closePipes() {
        var inputPipe = input;
        if (inputPipe != null) {
            inputPipe.close();
        }
        var outputPipe = output;
        if (outputPipe != null) {
            outputPipe.close();
        }
    }

    private void begin() throws IOException {
        var plugins = start.plugins.check();
        var inputPipe = new InputPipe(start.poller, MAX_WAITING);
        input = inputPipe;
        var outputPipe = new OutputPipe(start.poller, this);
        output = outputPipe;
        killsBefore = start.memoryKills.map(MemoryKills::count).orElse(0L);
        var counted = MemoryFile.create("jurom_counters");
        counters = counted;
        var workerLog = (WorkerLog) null;
        if (start.logs.isPresent()) {
            workerLog = start.logs.get().open(start.userId);
            log = workerLog;
        }
        write(inputPipe, launch.getAndSet(null), held::close);
        write(inputPipe, FrameEncoder.encode(start.configure), () -> {});
        configured = true;
        var descriptors = new WorkerDescriptors(
                inputPipe.descriptor(),
                outputPipe.descriptor(),
                workerLog == null ? OptionalInt.empty() : OptionalInt.of(workerLog.descriptor()),
                start.sharesLog,
                counted.descriptor());
        process = start.launcher.startWorker(plugins, descriptors, this);
        var why = leaving;
        if (why != null) { // requested while it was being started
            leave(why);
        }
        if (killed.get() != null) {
            process.kill();
        }
    }

    @Override
    public void started(int processId, long its) {
        id = processId;
        startTime = its;
        Objects.requireNonNull(input).started();
        var workerLog = log;
        if (workerLog != null) {
            workerLog.started(processId);
        }
        try {
            Objects.requireNonNull(output).started();
        } catch (IOException e) {
            kill("was killed, because its output cannot be read: " + e.getMessage());
        }
    }

    @Override
    public void ended(ProcessEnd end) {
        exited = true;
        switch (end) {
            case ProcessEnd.Exited(var status) -> exited(status);
            case ProcessEnd.NotStarted(var reason) ->
                timers.run(() -> notStarted("The worker cannot be started: " + reason));
            case ProcessEnd.LauncherEnded() -> {
                kill(WITHOUT_LAUNCHER);
                timers.run(answered ? () -> end(ExitText.KILLED) : () -> notStarted(NO_LAUNCHER));
            }
        }
    }

    private void exited(int status) {
        exitStatus = status;
        if (outputEnded) {
            timers.run(() -> hasExited(status));
        } else {
            timers.runAfter(DRAIN_TIMEOUT, () -> hasExited(status));
        }
    }

    @Override
    public void received(byte[] bytes) {
        if (ignored) {
            return;
        }
        try {
            frames.add(bytes);
            while (!ignored) {
                var next = frames.next();
                if (next.isEmpty()) {
                    awaitWhole(frames.isPartial());
                    return;
                }
                awaitWhole(false);
                receive(next.get());
            }
        } catch (FrameException e) {
            ignore("was killed, because it sent a malformed frame: " + e.getMessage());
            if (!ready) {
                listener.failed(DocaError.UNEXPECTED, "The worker answered with a malformed frame: " + e.getMessage());
            }
        }
    }

    /** Starts or stops the deadline of a frame that has begun. */
    private void awaitWhole(boolean waits) {
        if (waits && unfinished == null) {
            unfinished = timers.after(
                    deadlines.frame(), () -> kill("was killed, because it did not complete a frame in time"));
        } else if (!waits && unfinished != null) {
            unfinished.cancel();
            unfinished = null;
        }
    }

    private void receive(Frame frame) {
        if (!ready) {
            receiveFirst(frame);
        } else if (!listener.received(frame)) {
            ignore("was killed, because it sent an unexpected frame: "
                    + frame.getClass().getSimpleName());
        }
    }

    private void receiveFirst(Frame answer) {
        answered = true;
        switch (answer) {
            case Frame.Ready frame -> {
                ready = true;
                listener.ready();
            }
            case Frame.Failure failure -> {
                ignored = true;
                listener.failed(failure.error(), failure.text());
            }
            default -> {
                ignore("was killed, because it answered neither READY nor ERROR");
                listener.failed(
                        DocaError.UNEXPECTED, "The worker answered with a frame that is neither READY nor ERROR");
            }
        }
    }

    private void ignore(String why) {
        ignored = true;
        awaitWhole(false);
        kill(why);
    }

    /** Handles the end of its output. */
    @Override
    public void ended() {
        awaitWhole(false);
        if (!answered && !ignored) {
            listener.failed(DocaError.INITIALIZATION, NOT_READY);
        }
        outputEnded = true;
        if (exitStatus >= 0) {
            var status = exitStatus;
            timers.run(() -> hasExited(status));
        } else {
            timers.after(deadlines.leave(), () -> {
                if (isAlive()) {
                    kill("was killed, because it had closed its output");
                }
            });
        }
    }

    /** Returns whether it has been started and has not ended. */
    boolean isAlive() {
        return id != 0 && !exited;
    }

    /**
     * Returns whether commands may still reach it: false if this service or another process has killed it, or
     * it has exited, even if it has not been reaped yet.
     */
    boolean isUsable() {
        return killed.get() == null && isAlive() && !ProcessState.isEnding(id);
    }

    /** Returns the id of the process, which must have been started. */
    int id() {
        if (id == 0) {
            throw new IllegalStateException("The worker's process has not been started");
        }
        return id;
    }

    /** Returns when the process started, in clock ticks after boot; 0 if it has not started, or ended at once. */
    long startTime() {
        return startTime;
    }

    /** Sends a frame; {@code written} runs once the worker can read it. Does not block. */
    void send(Frame.Outgoing frame, Runnable written) {
        var pipe = input;
        if (configured && pipe != null) {
            write(pipe, FrameEncoder.encode(frame), written);
        }
    }

    private void write(InputPipe pipe, byte[] frame, Runnable written) {
        if (!pipe.send(frame, written)) {
            kill("did not read the frames from the service");
        }
    }

    /** Requests the worker to publish finished work and exit; {@code why} completes "exited, because". */
    void leave(String why) {
        leaving = why;
        var pipe = input;
        if (configured && pipe != null) {
            send(new Frame.Drain(0), () -> {});
            pipe.finish();
        }
    }

    /** Kills the worker; its hosts receive the reason of the first call. */
    void kill(String why) {
        kill(new Killed(why, false));
    }

    /** Kills the worker because it does not answer. */
    void killUnresponsive(String why) {
        kill(new Killed(why, true));
    }

    private void kill(Killed reason) {
        killed.compareAndSet(null, reason);
        var started = process;
        if (started != null) {
            started.kill();
        }
    }
}
