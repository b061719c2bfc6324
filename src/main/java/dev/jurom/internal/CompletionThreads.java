// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * The default completion executor: threads of its own, since those that applications share may all
 * be busy. A completion that waits for another future is compensated by one more thread.
 * Thread-safe.
 */
final class CompletionThreads implements Executor {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ForkJoinPool pool =
            new ForkJoinPool(Math.max(2, Runtime.getRuntime().availableProcessors()), this::thread, null, true);

    private static final class CompletionThread extends ForkJoinWorkerThread {

        CompletionThread(ForkJoinPool pool, int number) {
            super(null, pool, true);
            setName("urom-completion-" + number);
            setDaemon(true);
        }
    }

    private ForkJoinWorkerThread thread(ForkJoinPool its) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        var thread = new CompletionThread(its, threads.size() + 1);
        threads.add(thread);
        return thread;
    }

    @Override
    public void execute(Runnable completion) {
        pool.execute(completion);
    }

    /** Runs what was submitted and ends all threads but the calling one, until a deadline. */
    void close(Deadline deadline) {
        pool.shutdown();
        for (var thread : threads) {
            if (thread != Thread.currentThread()) {
                deadline.join(thread);
            }
        }
    }
}
