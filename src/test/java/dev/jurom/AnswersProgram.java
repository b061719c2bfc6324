// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/**
 * Callers that send a unique value with each command and compare the answer with it. System properties,
 * all with the prefix {@code answers}, choose the callers and the disturbances. The last line of the
 * output has the number of wrong answers and of everything that was lost. Uses the named service.
 */
public final class AnswersProgram {

    private static final int SECONDS = Integer.getInteger("answers.seconds");
    private static final int TASKS = Integer.getInteger("answers.tasks", 4);
    private static final int PLATFORM = Integer.getInteger("answers.platform", 16);
    private static final int VIRTUAL = Integer.getInteger("answers.virtual", 8);
    /** Threads that pack for longer than a slot may appear unused. */
    private static final int SLOW = Integer.getInteger("answers.slow", 0);

    private static final long SEED = Long.getLong("answers.seed", 1);
    private static final List<Kind> KINDS = Arrays.stream(
                    System.getProperty("answers.kinds", "CALL").split(","))
            .map(Kind::valueOf)
            .toList();
    /** True if virtual threads compute on all carriers, for longer than a slot may appear unused. */
    private static final boolean STARVES = Boolean.getBoolean("answers.starves");

    private static final boolean KILLS = Boolean.getBoolean("answers.kills");
    private static final boolean INTERRUPTS = Boolean.getBoolean("answers.interrupts");
    private static final boolean FILLS_HEAP = Boolean.getBoolean("answers.fills");

    private static final Duration STARVATION = Duration.ofSeconds(3);
    private static final Duration RECOVERY = Duration.ofMillis(300);
    private static final Duration PACKING = Duration.ofMillis(3500);
    private static final Duration BETWEEN_DISTURBANCES = Duration.ofSeconds(1);
    private static final Duration FULL = Duration.ofMillis(200); // the heap
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long SMALL_STACK = 256 << 10;
    private static final int FRAMES = 12; // more than the shortest stack traces have
    private static final int KEPT = 32; // futures of a caller
    private static final int BATCH = 20;
    private static final int LONGEST_TIMEOUT = 2_000_000; // nanoseconds
    private static final int REPORTS = 5;
    private static final int CHUNK = 1 << 20;
    private static final int SMALLEST_CHUNK = 1000;

    /** The heap is not filled while a worker starts, which may fail then. */
    private static final ReentrantLock HEAP_OR_KILL = new ReentrantLock();

    /** A command whose packing takes long, below more frames than a short stack trace has. */
    private static final Offload<Long, Long> SLOWLY_PACKED = Offload.of(
            GraphPlugin.NAME,
            GraphPlugin.VERSION,
            (value, payload) -> {
                below(FRAMES, () -> pause(PACKING));
                return GraphCodec.packLoopback(value, payload);
            },
            GraphCodec::loopbackData);

    private static final AtomicLong ANSWERS = new AtomicLong();
    private static final AtomicLong WRONG = new AtomicLong();
    private static final AtomicLong UNEXPECTED = new AtomicLong();
    private static final AtomicLong LOST = new AtomicLong();
    private static volatile long deadline; // once it is over
    private static volatile boolean over;

    /** The action of a caller with a value. */
    enum Kind {
        CALL,
        TIMED_CALL,
        BATCH,
        FUTURE,
        DEPENDENT,
        TRY_FUTURE,
        CANCELLED,
        TIMED_FUTURE,
        DEEP,
        SLOW
    }

    /** A worker whose process may be killed. */
    private record Target(Worker worker, String process, boolean mortal) {}

    private static volatile Target stable;
    private static volatile Target mortal;

    private AnswersProgram() {}

    /** Runs the callers, and prints what they received. Exits although threads may be stuck. */
    public static void main(String[] arguments) {
        try {
            run();
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            System.exit(1);
        }
    }

    private static void run() throws InterruptedException {
        var urom = Urom.open();
        stable = start(urom, false);
        LOOPBACK.plugin(); // initializes the class; on an exhausted stack, the initialization fails permanently
        mortal = KILLS ? start(urom, true) : stable;
        var callers = new ArrayList<Caller>();
        for (var i = 0; i < PLATFORM + VIRTUAL + SLOW; i++) {
            callers.add(new Caller(i, i < PLATFORM + VIRTUAL ? KINDS : List.of(Kind.SLOW)));
        }
        var threads = new ArrayList<Thread>();
        for (var caller : callers) {
            var virtual = caller.number >= PLATFORM && caller.number < PLATFORM + VIRTUAL;
            threads.add(
                    virtual
                            ? Thread.ofVirtual().name("caller").start(caller)
                            : Thread.ofPlatform()
                                    .name("caller")
                                    .stackSize(SMALL_STACK)
                                    .start(caller));
        }
        var disturbances = disturb(urom, threads);
        pause(Duration.ofSeconds(SECONDS));
        deadline = System.nanoTime() + DEADLINE.toNanos();
        over = true;
        threads.addAll(disturbances);
        var stuck = 0;
        for (var thread : threads) {
            if (!thread.join(Duration.ofNanos(remaining()))) {
                stuck++;
                System.out.println("stuck: " + thread);
                for (var frame : thread.getStackTrace()) {
                    System.out.println("  " + frame);
                }
            }
        }
        callers.forEach(Caller::settleAll);
        var lostSlots = lostSlots(stable) + (KILLS ? lostSlots(mortal) : 0);
        System.out.println("answers: " + ANSWERS);
        System.out.printf(
                "wrong %s, unexpected %s, lost futures %s, lost slots %d, stuck threads %d%n",
                WRONG, UNEXPECTED, LOST, lostSlots, stuck);
        if (lostSlots == 0 && stuck == 0) { // else the close would wait for a minute
            urom.close();
            System.out.println("closed");
        }
    }

    /** Returns the nanoseconds until everything must be done. */
    private static long remaining() {
        return over ? Math.max(1, deadline - System.nanoTime()) : DEADLINE.toNanos();
    }

    private static Target start(Urom urom, boolean mortal) throws InterruptedException {
        var before = processes().toList();
        var worker = urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).tasks(TASKS).build());
        var process =
                processes().filter(other -> !before.contains(other)).findFirst().orElseThrow();
        return new Target(worker, Long.toString(process.pid()), mortal);
    }

    /** Returns the processes of the service, which runs in the parent process: its heap is not filled. */
    private static Stream<ProcessHandle> processes() {
        return EmbeddedWorkers.of(ProcessHandle.current().parent().orElseThrow()).stream();
    }

    private static List<Thread> disturb(Urom urom, List<Thread> callers) throws InterruptedException {
        var disturbances = new ArrayList<Thread>();
        if (STARVES) {
            var carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
            for (var i = 0; i < carriers; i++) {
                disturbances.add(Thread.ofVirtual().name("computes").start(AnswersProgram::compute));
            }
        }
        if (KILLS) {
            disturbances.add(Thread.ofPlatform().name("kills").start(() -> kill(urom)));
        }
        if (INTERRUPTS) {
            disturbances.add(Thread.ofPlatform().name("interrupts").start(() -> interrupt(callers)));
        }
        if (FILLS_HEAP) {
            disturbances.add(Thread.ofPlatform().name("fills").start(AnswersProgram::fillHeap));
        }
        return disturbances;
    }

    private static void compute() {
        while (!over) {
            var end = System.nanoTime() + STARVATION.toNanos();
            while (!over && end - System.nanoTime() > 0) {
                Thread.onSpinWait();
            }
            pause(RECOVERY);
        }
    }

    private static void kill(Urom urom) {
        while (!over) {
            pause(BETWEEN_DISTURBANCES);
            HEAP_OR_KILL.lock();
            try {
                replaceMortal(urom);
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts this thread", e);
            } finally {
                HEAP_OR_KILL.unlock();
            }
        }
    }

    private static void replaceMortal(Urom urom) throws InterruptedException {
        try {
            signal("-KILL", mortal);
            mortal.worker().onExit().get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            mortal.worker().close();
        } catch (Exception e) {
            failed(e, false, false);
        }
        mortal = start(urom, true);
    }

    private static void interrupt(List<Thread> callers) {
        var random = RandomGeneratorFactory.getDefault().create(SEED);
        while (!over) {
            callers.get(random.nextInt(callers.size())).interrupt();
            LockSupport.parkNanos(random.nextLong(LONGEST_TIMEOUT));
        }
    }

    /** Memory that fills the heap without an array that grows. */
    private record Chunk(byte[] bytes, Chunk next) {}

    private static void fillHeap() {
        while (!over) {
            pause(BETWEEN_DISTURBANCES);
            HEAP_OR_KILL.lock();
            try {
                fillOnce();
            } finally {
                HEAP_OR_KILL.unlock();
            }
        }
    }

    private static void fillOnce() {
        Chunk chunks = null;
        for (var size = CHUNK; size > SMALLEST_CHUNK; ) {
            try {
                chunks = new Chunk(new byte[size], chunks);
            } catch (OutOfMemoryError e) {
                size /= 4;
            }
        }
        pause(FULL);
        if (chunks == null) {
            throw new AssertionError("no heap to fill");
        }
    }

    /** Pauses, whether it is interrupted or not, without an allocation. */
    private static void pause(Duration duration) {
        var end = System.nanoTime() + duration.toNanos();
        for (var rest = duration.toNanos(); rest > 0; rest = end - System.nanoTime()) {
            LockSupport.parkNanos(rest);
            Thread.interrupted();
        }
    }

    private static void below(int frames, Runnable action) {
        if (frames > 0) {
            below(frames - 1, action);
        } else {
            action.run();
        }
    }

    private static void compare(long value, long answer) {
        ANSWERS.incrementAndGet();
        if (value != answer && WRONG.incrementAndGet() <= REPORTS) {
            System.out.printf("answer %x for the value %x%n", answer, value);
        }
    }

    private static void failed(Throwable failure, boolean timed, boolean killed) {
        try {
            var cause = failure instanceof ExecutionException || failure instanceof CompletionException
                    ? failure.getCause()
                    : failure;
            if (!isExpected(cause, timed, killed) && UNEXPECTED.incrementAndGet() <= REPORTS) {
                failure.printStackTrace(System.out);
            }
        } catch (OutOfMemoryError e) {
            // The heap is full: the next command is checked again.
        }
    }

    private static boolean isExpected(Throwable failure, boolean timed, boolean killed) {
        return switch (failure) {
            case InterruptedException e -> INTERRUPTS;
            case CancellationException e -> true;
            case StackOverflowError e -> KINDS.contains(Kind.DEEP);
            case OutOfMemoryError e -> FILLS_HEAP;
            case DocaException e ->
                timed && (e.error() == DocaError.TIME_OUT || e.error() == DocaError.AGAIN)
                        || killed && e.error() == DocaError.CONNECTION_RESET;
            case IllegalStateException e -> killed && e.getMessage().contains("is closed");
            default -> false;
        };
    }

    /** Sends a signal to the process of a worker, which may have exited. */
    private static void signal(String signal, Target target) {
        Command.execute(List.of("kill", signal, target.process()));
    }

    /** Fills all slots of a worker at the same time. Returns the number of those that no caller can use. */
    private static int lostSlots(Target target) {
        var used = new ArrayList<CompletableFuture<Long>>();
        signal("-STOP", target);
        try {
            Waiting.until("all slots are free", () -> {
                target.worker().trySubmit(LOOPBACK, 1L).ifPresent(used::add);
                return used.size() == TASKS;
            });
        } catch (AssertionError | RuntimeException e) {
            e.printStackTrace(System.out);
        } finally {
            signal("-CONT", target);
        }
        used.forEach(future -> future.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
                .handle((answer, failure) -> answer)
                .join());
        return TASKS - used.size();
    }

    /** Sends commands of several kinds until the end. Each has a value of its own. */
    private static final class Caller implements Runnable {

        private final int number;
        private final List<Kind> kinds;
        private final RandomGenerator random;
        private final Kept[] kept = new Kept[KEPT];
        private long value;

        /** A future that was not awaited yet. Allocated before its command is submitted. */
        private static final class Kept {

            CompletableFuture<Long> future;
            long value;
            boolean timed;
            boolean killed;
        }

        Caller(int number, List<Kind> kinds) {
            this.number = number;
            this.kinds = kinds;
            this.random = RandomGeneratorFactory.getDefault().create(SEED * 1000 + number);
            this.value = (long) (number + 1) << Integer.SIZE;
            Arrays.setAll(kept, i -> new Kept());
        }

        @Override
        public void run() {
            while (!over) {
                var kind = kinds.get(random.nextInt(kinds.size()));
                var target = random.nextInt(4) == 0 ? mortal : stable;
                var timed = kind == Kind.TIMED_CALL || kind == Kind.TIMED_FUTURE;
                try {
                    step(kind, target, timed);
                } catch (Throwable e) {
                    failed(e, timed, target.mortal());
                }
            }
        }

        private void step(Kind kind, Target target, boolean timed) throws Exception {
            var worker = target.worker();
            value++;
            switch (kind) {
                case CALL -> compare(value, worker.call(LOOPBACK, value));
                case TIMED_CALL -> compare(value, worker.call(LOOPBACK, value, timeout()));
                case BATCH -> batch(worker);
                case SLOW -> compare(value, worker.call(SLOWLY_PACKED, value));
                case DEEP -> callBelow(depth() - random.nextInt(200), worker);
                default -> keep(kind, target, timed);
            }
        }

        private CallOptions timeout() {
            return CallOptions.DEFAULT.withTimeout(Duration.ofNanos(1 + random.nextInt(LONGEST_TIMEOUT)));
        }

        private void batch(Worker worker) throws InterruptedException {
            var values = new ArrayList<Long>();
            for (var i = random.nextInt(BATCH); i >= 0; i--) {
                values.add(value++);
            }
            var answers = worker.callAll(LOOPBACK, values);
            for (var i = 0; i < values.size(); i++) {
                compare(values.get(i), answers.get(i));
            }
        }

        /** Returns the number of frames that the stack has room for. */
        private int depth() {
            try {
                return 1 + depth();
            } catch (StackOverflowError e) {
                return 0;
            }
        }

        private void callBelow(int frames, Worker worker) throws InterruptedException {
            if (frames > 0) {
                callBelow(frames - 1, worker);
            } else {
                compare(value, worker.call(LOOPBACK, value));
            }
        }

        private void keep(Kind kind, Target target, boolean timed) throws InterruptedException {
            var entry = kept[random.nextInt(KEPT)];
            settle(entry);
            entry.value = value;
            entry.timed = timed;
            entry.killed = target.mortal();
            var worker = target.worker();
            entry.future = switch (kind) {
                case TIMED_FUTURE -> worker.submit(LOOPBACK, value, timeout());
                case DEPENDENT ->
                    worker.submit(LOOPBACK, value).thenApply(List::of).thenApply(List::getFirst);
                case TRY_FUTURE -> worker.trySubmit(LOOPBACK, value).orElse(null);
                default -> worker.submit(LOOPBACK, value);
            };
            if (kind == Kind.CANCELLED) {
                entry.future.cancel(random.nextBoolean());
            }
        }

        /** Waits for a future. If the thread is interrupted, it remains an entry. */
        private void settle(Kept entry) throws InterruptedException {
            if (entry.future == null) {
                return;
            }
            try {
                compare(entry.value, entry.future.get(remaining(), TimeUnit.NANOSECONDS));
                entry.future = null;
            } catch (TimeoutException e) {
                entry.future = null;
                if (LOST.incrementAndGet() <= REPORTS) {
                    System.out.printf("the future of %x is not done%n", entry.value);
                }
            } catch (ExecutionException | CancellationException e) {
                entry.future = null;
                failed(e, entry.timed, entry.killed);
            }
        }

        void settleAll() {
            for (var entry : kept) {
                try {
                    settle(entry);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
