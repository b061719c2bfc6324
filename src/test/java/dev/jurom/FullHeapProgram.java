// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Futures that complete while the heap has little memory left. Uses the named service. */
public final class FullHeapProgram {

    private static final Duration FULL = Duration.ofSeconds(Boolean.getBoolean("jurom.long") ? 60 : 5);
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int FUTURES = 2000;
    private static final int CHUNK = 1 << 20;
    private static final int SMALL_CHUNK = 16;
    private static final int RELEASED = 2000; // small chunks

    private static volatile boolean over;

    private FullHeapProgram() {}

    /** Memory that fills the heap without an array that grows. */
    private record Chunk(byte[] bytes, Chunk next) {}

    /** Prints the number of futures that are not done although the heap has memory again. */
    public static void main(String[] arguments) throws Exception {
        var urom = Urom.open();
        var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        dependent(worker, 1).join(); // loads classes
        var futures = new CompletableFuture<?>[FUTURES];
        var fills = Thread.ofPlatform().start(FullHeapProgram::fillHeap);
        var end = System.nanoTime() + FULL.toNanos();
        for (var i = 0; end - System.nanoTime() > 0; i = (i + 1) % FUTURES) {
            while (futures[i] != null && !futures[i].isDone() && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(1000);
            }
            if (futures[i] == null || futures[i].isDone()) {
                try {
                    futures[i] = dependent(worker, i);
                } catch (OutOfMemoryError e) {
                    // No future was created.
                }
            }
        }
        over = true;
        fills.join();
        System.out.println("lost futures " + lost(futures));
        System.exit(0);
    }

    private static CompletableFuture<Long> dependent(Worker worker, long value) {
        return worker.submit(LOOPBACK, value).thenApply(List::of).thenApply(List::getFirst);
    }

    private static int lost(CompletableFuture<?>[] futures) {
        var end = System.nanoTime() + DEADLINE.toNanos();
        var lost = 0;
        for (var future : futures) {
            while (future != null && !future.isDone() && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            lost += future != null && !future.isDone() ? 1 : 0;
        }
        return lost;
    }

    /** Fills the heap, and releases a little again and again, so that allocations fail anywhere. */
    private static void fillHeap() {
        Chunk chunks = null;
        var size = CHUNK;
        while (!over) {
            try {
                chunks = new Chunk(new byte[size], chunks);
            } catch (OutOfMemoryError e) {
                if (size > SMALL_CHUNK) {
                    size /= 4;
                } else {
                    for (var i = 0; i < RELEASED && chunks != null; i++) {
                        chunks = chunks.next();
                    }
                }
            }
        }
    }
}
