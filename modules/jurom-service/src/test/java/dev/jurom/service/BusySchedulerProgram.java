// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts a worker of an embedded service while virtual threads occupy all carrier threads and more are
 * runnable.
 */
public final class BusySchedulerProgram {

    /** The parallelism of the scheduler, set by its system properties. */
    static final int CARRIERS = 2;

    private static final int THREADS = 2 * CARRIERS;

    private BusySchedulerProgram() {}

    /** Prints "started", or fails at a deadline of the host. */
    public static void main(String[] arguments) {
        var computing = new AtomicInteger();
        var stopped = new AtomicBoolean();
        for (var i = 0; i < THREADS; i++) {
            Thread.startVirtualThread(() -> {
                computing.incrementAndGet();
                while (!stopped.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        Waiting.until("all carriers are occupied", () -> computing.get() == CARRIERS);
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker()) {
            System.out.println("started");
        }
        stopped.set(true);
    }
}
