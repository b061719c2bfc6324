// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.runtime.internal.BoundedWait;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.threads.ServiceThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does things now or later: on one thread, where none of them may wait, or on those of a pool. */
public final class Timers implements AutoCloseable {

    /** Something to be done later, unless it is cancelled. */
    public interface Timer {

        /** Does nothing once it has been done. */
        void cancel();
    }

    /** For threads to end while the system has none to spare. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ServiceLog log;
    private final ServiceThreads threads;
    private final ScheduledThreadPoolExecutor executor;

    public Timers(ServiceLog log, ServiceThreads threads) {
        this.log = log;
        this.threads = threads;
        executor = new ScheduledThreadPoolExecutor(1, threads.factory("urom-daemon-timer"));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // After its end, nothing is done any more, and nobody need know.
        executor.setRejectedExecutionHandler((task, its) -> {});
    }

    /** The pool, for tasks that fail when the system has no thread to spare. */
    public ServiceThreads threads() {
        return threads;
    }

    /** Does something after a while. */
    public Timer after(Duration delay, Runnable task) {
        return cancelling(executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Does something again and again, with a pause between. */
    public Timer every(Duration pause, Runnable task) {
        return cancelling(
                executor.scheduleWithFixedDelay(guarded(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Does something after a while that may wait, as {@link #run} does. */
    public void runAfter(Duration delay, Runnable task) {
        after(delay, () -> run(task));
    }

    /** Does something that may wait, on a thread of the pool, as soon as the system has one. */
    public void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (OutOfMemoryError e) { // the JDK's word for a system without a thread to spare
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
            } catch (RuntimeException | Error e) { // one failure must not end those that come
                log.error("A timer's task failed", e);
            }
        };
    }

    /** Waits for the task that is running, 2 seconds at most. Not interruptible. */
    @Override
    public void close() {
        executor.shutdown();
        BoundedWait.within(PATIENCE, left -> executor.awaitTermination(left, TimeUnit.NANOSECONDS));
    }
}
