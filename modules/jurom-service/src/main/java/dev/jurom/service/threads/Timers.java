// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.threads;

import dev.jurom.runtime.internal.BoundedWait;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Runs tasks now or later: short ones that do not block on one thread, others on threads of a pool. */
public final class Timers implements AutoCloseable {

    /** A scheduled task, which can be cancelled. */
    public interface Timer {

        /** Cancels the task. No effect once it has run. */
        void cancel();
    }

    /** Pause for other threads to end while the system cannot create one. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final BiConsumer<String, Throwable> failed;
    private final ServiceThreads threads;
    private final ScheduledThreadPoolExecutor executor;

    /**
     * Starts no thread yet.
     *
     * @param failed receives the failures of tasks, which end no thread
     * @param threads creates the thread of the timers, and has the pool for tasks that may block
     */
    public Timers(BiConsumer<String, Throwable> failed, ServiceThreads threads) {
        this.failed = failed;
        this.threads = threads;
        executor = new ScheduledThreadPoolExecutor(1, threads.factory("urom-daemon-timer"));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // Tasks submitted after the end are dropped silently.
        executor.setRejectedExecutionHandler((task, rejecting) -> {});
    }

    /** {@return the pool, whose tasks fail when the system cannot create a thread} */
    public ServiceThreads threads() {
        return threads;
    }

    /**
     * Runs a task once on the thread of the timers.
     *
     * @param delay time from now
     * @param task the task, which must not block
     * @return the timer, which can cancel the task before it begins
     */
    public Timer after(Duration delay, Runnable task) {
        return cancelling(executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Runs a task repeatedly on the thread of the timers, first after a pause.
     *
     * @param pause time from the end of a run to the next one
     * @param task the task, which must not block; an exception does not end the repetition
     * @return the timer, which can cancel further runs
     */
    public Timer every(Duration pause, Runnable task) {
        return cancelling(
                executor.scheduleWithFixedDelay(guarded(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Runs a task once, as {@link #run} does.
     *
     * @param delay time from now
     * @param task the task, which may block
     */
    public void runAfter(Duration delay, Runnable task) {
        after(delay, () -> run(task));
    }

    /**
     * Runs a task on a thread of the pool, as soon as the system can create one. Does not block.
     *
     * @param task the task, which may block
     */
    public void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (OutOfMemoryError e) { // the JDK throws it when the system cannot create a thread
            runAfter(PAUSE, task);
        }
    }

    private static Timer cancelling(Future<?> future) {
        return () -> future.cancel(false);
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) { // one failure must not end later runs
                failed.accept("A timer's task failed", e);
            }
        };
    }

    /** Waits at most 2 seconds for the running task. Not interruptible: the interrupt status is preserved. */
    @Override
    public void close() {
        executor.shutdown();
        BoundedWait.within(CLOSE_TIMEOUT, left -> executor.awaitTermination(left, TimeUnit.NANOSECONDS));
    }
}
