// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread completes the future of a block, with this test in the role of the engine thread. */
@Timeout(60)
class BlockFutureTest {

    private static final MemorySegment OUTPUT = MemorySegment.ofArray(new byte[] {42});

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final BlockFuture future = new BlockFuture(executor, abandoned::incrementAndGet);
    private final AtomicReference<Thread> completedBy = new AtomicReference<>();

    @AfterEach
    void endThreads() {
        executor.shutdownNow();
    }

    private void completeWith(MemorySegment output) {
        completedBy.set(Thread.currentThread());
        future.complete(output);
    }

    private Thread waiting(Runnable wait) throws InterruptedException {
        var thread = Thread.ofPlatform().start(wait);
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        return thread;
    }

    @Test
    void the_thread_that_waits_completes_it() throws Exception {
        var received = new CompletableFuture<MemorySegment>();
        var thread = waiting(() -> received.complete(future.join()));

        future.handOver(() -> completeWith(OUTPUT));

        assertSame(OUTPUT, received.get(10, TimeUnit.SECONDS));
        assertSame(thread, completedBy.get());
    }

    @Test
    void without_a_waiting_thread_the_executor_completes_it() throws Exception {
        future.handOver(() -> completeWith(OUTPUT));

        assertSame(OUTPUT, future.get(10, TimeUnit.SECONDS));
        assertNotSame(Thread.currentThread(), completedBy.get());
    }

    @Test
    void actions_run_on_the_executor_although_a_thread_waits() throws Exception {
        var actor = future.thenApply(output -> Thread.currentThread());
        var thread = waiting(future::join);

        future.handOver(() -> completeWith(OUTPUT));

        assertNotSame(thread, actor.get(10, TimeUnit.SECONDS));
        thread.join();
    }

    @Test
    void all_waiting_threads_return() throws Exception {
        var one = waiting(future::join);
        var two = waiting(future::join);
        var three = new ForkJoinPool(1).submit(future::join);

        future.handOver(() -> completeWith(OUTPUT));

        one.join();
        two.join();
        assertSame(OUTPUT, three.get(10, TimeUnit.SECONDS));
    }

    @Test
    void a_thread_that_stopped_waiting_is_not_needed() throws Exception {
        assertThrows(TimeoutException.class, () -> future.get(1, TimeUnit.MILLISECONDS));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, future::get);

        future.handOver(() -> completeWith(OUTPUT));

        assertSame(OUTPUT, future.join());
    }

    @Test
    void an_interrupted_join_waits_and_preserves_the_interrupt_status() throws Exception {
        var status = new CompletableFuture<Boolean>();
        var thread = waiting(() -> {
            future.join();
            status.complete(Thread.currentThread().isInterrupted());
        });
        thread.interrupt();
        future.handOver(() -> completeWith(OUTPUT));

        assertTrue(status.get(10, TimeUnit.SECONDS));
    }

    @Test
    void a_cancelled_future_wakes_its_thread_and_its_buffers_are_abandoned_before() throws Exception {
        var abandonedBefore = new CompletableFuture<Integer>();
        var thread = waiting(() -> {
            assertThrows(CancellationException.class, future::join);
            abandonedBefore.complete(abandoned.get());
        });

        assertTrue(future.cancel(false));

        assertEquals(1, abandonedBefore.get(10, TimeUnit.SECONDS));
        thread.join();
        future.handOver(() -> assertFalse(future.complete(OUTPUT)));
    }

    @Test
    void a_failure_reaches_the_thread_that_waits() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        waiting(() -> failure.complete(assertThrows(CompletionException.class, future::join)));

        future.handOver(() -> future.completeExceptionally(new IllegalStateException("no worker")));

        assertEquals("no worker", failure.get(10, TimeUnit.SECONDS).getCause().getMessage());
    }

    @Test
    void after_the_end_of_the_executor_the_caller_completes_it() {
        executor.shutdown();

        future.handOver(() -> completeWith(OUTPUT));

        assertSame(OUTPUT, future.join());
    }
}
