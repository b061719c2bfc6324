// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The default completion executor: threads of its own, since those that applications share may all
 * be busy. A completion that waits for another future is compensated by one more thread. The threads have the
 * system class loader as their context class loader, and no inherited thread-locals. Thread-safe.
 */
final class CompletionThreads implements Executor {

    private static final long PAUSE_NANOS = 1_000_000;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ForkJoinPool pool =
            new ForkJoinPool(Math.max(2, Runtime.getRuntime().availableProcessors()), this::thread, null, true);

    private static final class CompletionThread extends ForkJoinWorkerThread {

        CompletionThread(ForkJoinPool pool, int number) {
            super(null, pool, false);
            setName("urom-completion-" + number);
            setDaemon(true);
        }
    }

    private ForkJoinWorkerThread thread(ForkJoinPool owner) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        var thread = new CompletionThread(owner, threads.size() + 1);
        threads.add(thread);
        return thread;
    }

    @Override
    public void execute(Runnable completion) {
        pool.execute(completion);
    }

    /**
     * Runs the submitted completions and ends the threads. If the current thread is one of them, its completion is
     * excluded, and all end when it returns. Returns false if this takes longer than the deadline.
     */
    boolean close(Deadline deadline) {
        pool.shutdown();
        var isOwn = threads.contains(Thread.currentThread());
        while (isOwn ? hasOthers() : threads.stream().anyMatch(Thread::isAlive)) {
            if (deadline.remaining() == 0) {
                return false;
            }
            if (isOwn) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                threads.forEach(deadline::join);
            }
        }
        return true;
    }

    /** Returns the names of the threads that have not ended. */
    String alive() {
        return threads.stream()
                .filter(Thread::isAlive)
                .map(thread -> "\"" + thread.getName() + "\"")
                .collect(Collectors.joining(", "));
    }

    /** Returns whether completions other than that of the current thread are queued or running. */
    private boolean hasOthers() {
        return pool.getActiveThreadCount() > 1 || pool.hasQueuedSubmissions() || pool.getQueuedTaskCount() > 0;
    }
}
