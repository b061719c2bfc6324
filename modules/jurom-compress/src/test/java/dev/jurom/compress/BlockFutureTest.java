// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread completes the future of a block, with this test in the role of the engine thread. */
@Timeout(60)
class BlockFutureTest {

    private static final MemorySegment OUTPUT = MemorySegment.ofArray(new byte[] {42});
    private static final int SMALL_STACK = 256 << 10;
    private static final int LAST_FRAMES = 200;
    private static final long DELAY_NANOS = 200_000;

    private volatile int begun; // futures that the thread without stack waits for

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final AtomicReference<Thread> completedBy = new AtomicReference<>();
    private final BlockFuture future =
            new BlockFuture(CompletableFuture.completedFuture(null), executor, new Delivery(this::abandon));

    /** Delivers outputs in place. */
    private record Delivery(Runnable abandoning) implements BlockFuture.Delivery {

        @Override
        public MemorySegment deliver(MemorySegment output) {
            return output;
        }

        @Override
        public void abandon() {
            abandoning.run();
        }
    }

    @AfterEach
    void endThreads() {
        executor.shutdownNow();
    }

    /** Runs on the thread that completes the future. */
    private void abandon() {
        completedBy.set(Thread.currentThread());
        abandoned.incrementAndGet();
    }

    private static Thread waiting(Runnable wait) {
        var thread = Thread.ofPlatform().start(wait);
        Waiting.until(
                "the thread waits",
                () -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void the_thread_that_waits_completes_it() throws Exception {
        var received = new CompletableFuture<MemorySegment>();
        var thread = waiting(() -> received.complete(future.join()));

        future.handOver(OUTPUT);

        assertSame(OUTPUT, received.get(10, TimeUnit.SECONDS));
        assertSame(thread, completedBy.get());
    }

    @Test
    void without_a_waiting_thread_the_executor_completes_it() throws Exception {
        future.handOver(OUTPUT);

        assertSame(OUTPUT, future.get(10, TimeUnit.SECONDS));
        assertNotSame(Thread.currentThread(), completedBy.get());
    }

    @Test
    void actions_run_on_the_executor_although_a_thread_waits() throws Exception {
        var actor = future.thenApply(output -> Thread.currentThread());
        var thread = waiting(future::join);

        future.handOver(OUTPUT);

        assertNotSame(thread, actor.get(10, TimeUnit.SECONDS));
        thread.join();
    }

    @Test
    void all_waiting_threads_return() throws Exception {
        var one = waiting(future::join);
        var two = waiting(future::join);
        var three = new ForkJoinPool(1).submit(future::join);

        future.handOver(OUTPUT);

        one.join();
        two.join();
        assertSame(OUTPUT, three.get(10, TimeUnit.SECONDS));
    }

    @Test
    void a_thread_that_stopped_waiting_is_not_needed() throws Exception {
        assertThrows(TimeoutException.class, () -> future.get(1, TimeUnit.MILLISECONDS));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, future::get);

        future.handOver(OUTPUT);

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
        future.handOver(OUTPUT);

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
        assertFalse(future.complete(OUTPUT));
    }

    @Test
    void a_failure_reaches_the_thread_that_waits() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        waiting(() -> failure.complete(assertThrows(CompletionException.class, future::join)));

        future.execute(() -> future.completeExceptionally(new IllegalStateException("no worker")));

        assertEquals("no worker", failure.get(10, TimeUnit.SECONDS).getCause().getMessage());
    }

    @Test
    void after_the_end_of_the_executor_the_caller_completes_it() {
        executor.shutdown();

        future.handOver(OUTPUT);

        assertSame(OUTPUT, future.join());
    }

    @Test
    void a_thread_without_stack_leaves_no_future_pending() throws Exception {
        var futures = new BlockFuture[LAST_FRAMES];
        Arrays.setAll(
                futures,
                i -> new BlockFuture(CompletableFuture.completedFuture(null), executor, new Delivery(() -> {})));
        var victim = Thread.ofPlatform().stackSize(SMALL_STACK).start(() -> waitInTheLastFrames(futures));
        for (var i = 0; i < LAST_FRAMES; i++) {
            var next = i;
            Waiting.until("the thread waits for future " + next, () -> begun > next);
            LockSupport.parkNanos(DELAY_NANOS); // it waits by then, or has failed
            futures[i].handOver(OUTPUT);
            assertSame(OUTPUT, futures[i].get(10, TimeUnit.SECONDS));
        }
        victim.join();
    }

    /** Waits for a future in each of the last frames of the stack. Returns the number of frames below. */
    private int waitInTheLastFrames(BlockFuture[] futures) {
        var below = 0;
        try {
            below = waitInTheLastFrames(futures) + 1;
        } catch (StackOverflowError e) {
            below = 0;
        }
        if (below < LAST_FRAMES) {
            begun = below + 1; // without a call, which could fail
            try {
                futures[below].join();
            } catch (StackOverflowError e) {
                return below;
            }
        }
        return below;
    }
}
