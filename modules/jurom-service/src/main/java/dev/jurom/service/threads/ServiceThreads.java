// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.threads;

import dev.jurom.runtime.internal.BoundedWait;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one service, which all end when this is closed. This class is thread-safe.
 *
 * <p>They are platform threads, because virtual threads of an embedded service would wait for those of the
 * application, which may compute for a long time. A thread takes up to 130 KiB outside the heap, so idle objects
 * have none: a local connection and a sender of frames occupy a thread of the pool while they have work, and a
 * worker while it starts and exits. A TLS connection always has one. Therefore, the limits on connections and
 * workers also limit the number of threads.
 */
public final class ServiceThreads implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);
    /** Bytes of address space, of which only used pages take memory. */
    private static final long STACK_SIZE = 512 * 1024;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            KEEP_ALIVE.toNanos(),
            TimeUnit.NANOSECONDS,
            new SynchronousQueue<>(),
            factory("urom-daemon-task"),
            new ThreadPoolExecutor.DiscardPolicy()); // tasks after the end are dropped

    /** Creates a pool without threads. */
    public ServiceThreads() {}

    /**
     * Returns a factory of daemon threads with a name. {@link #close} also waits for them.
     *
     * @param name the name, which all threads of the factory share
     * @return a factory, whose threads have stacks of 512 KiB
     */
    public ThreadFactory factory(String name) {
        var builder = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .stackSize(STACK_SIZE)
                .name(name);
        return task -> {
            var thread = builder.unstarted(() -> {
                threads.add(Thread.currentThread());
                task.run();
            });
            threads.removeIf(other -> !other.isAlive()); // a thread that starts adds itself again
            threads.add(thread);
            return thread;
        };
    }

    /**
     * Runs a task, which may block, on a thread of the pool.
     *
     * @param task the task; an exception that it throws ends its thread
     * @throws OutOfMemoryError also if the system cannot create a thread
     */
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Waits until all threads except the current one have ended; the caller has already requested their tasks to
     * end. Blocks for at most 2 seconds. Not interruptible: the interrupt status is preserved.
     */
    @Override
    public void close() {
        pool.shutdown();
        BoundedWait.within(CLOSE_TIMEOUT, left -> {
            var end = System.nanoTime() + left;
            pool.awaitTermination(left, TimeUnit.NANOSECONDS);
            for (var thread : threads) {
                if (thread != Thread.currentThread()) {
                    thread.join(Duration.ofNanos(end - System.nanoTime()));
                }
            }
            return true;
        });
    }
}
