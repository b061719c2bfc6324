// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does things later, on one thread: none of them may wait. Any thread may use it. */
final class Timers implements AutoCloseable {

    /** Something to be done later, unless it is cancelled. */
    interface Timer {

        /** Does nothing once it has been done. */
        void cancel();
    }

    private final ServiceLog log;
    private final ScheduledThreadPoolExecutor executor;

    Timers(ServiceLog log) {
        this.log = log;
        executor = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("urom-daemon-timer").factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // After its end, nothing is done any more, and nobody need know.
        executor.setRejectedExecutionHandler((task, its) -> { });
    }

    /** Does something after a while. */
    Timer after(Duration delay, Runnable task) {
        return cancelling(executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Does something again and again, with a pause between. */
    Timer every(Duration pause, Runnable task) {
        return cancelling(executor.scheduleWithFixedDelay(guarded(task), pause.toNanos(),
                pause.toNanos(), TimeUnit.NANOSECONDS));
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

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
