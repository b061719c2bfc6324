// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.DomainConfiguration;
import dev.jurom.PoolConfiguration;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.exchange.ThreadExchange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests interrupts of threads that start a worker, whose JVM needs some time, or a domain without its other member. */
class InterruptedStartTest {

    private static final Duration SOON = Duration.ofSeconds(10); // less than any timeout of a start

    private EmbeddedService service;
    private Urom urom;

    @BeforeEach
    void open() {
        service = EmbeddedService.open(
                usual -> usual.toBuilder().plugin(ProbePlugin.class).build());
        urom = Urom.open();
    }

    @AfterEach
    void close() {
        urom.close();
        service.close();
    }

    private static void requireInterruptible(Thread.Builder builder, Executable start) throws Exception {
        var ended = new CompletableFuture<Long>();
        var thread = builder.start(() -> {
            assertThrows(InterruptedException.class, start);
            ended.complete(System.nanoTime());
        });
        eventually("the thread waits", () -> ended.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        var interrupted = System.nanoTime();
        thread.interrupt();

        assertTrue(ended.get(SOON.toSeconds(), TimeUnit.SECONDS) - interrupted < SOON.toNanos());
    }

    @Test
    void a_worker_whose_starter_is_interrupted_is_closed() throws Exception {
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            requireInterruptible(thread, () -> urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME)));

            eventually("the worker has ended", () -> workerProcesses().isEmpty());
        }
        urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME)).close();
    }

    @Test
    void a_pool_whose_starter_is_interrupted_is_closed() throws Exception {
        var pool = PoolConfiguration.builder(WorkerConfiguration.of(ProbePlugin.NAME))
                .workers(2)
                .build();
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            requireInterruptible(thread, () -> urom.startPool(pool));

            eventually("the workers have ended", () -> workerProcesses().isEmpty());
        }
    }

    @Test
    void a_domain_whose_starter_is_interrupted_is_closed() throws Exception {
        try (var exchange = ThreadExchange.open(2).getFirst();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME))) {
            var domain = DomainConfiguration.builder(exchange).worker(worker).build();

            requireInterruptible(Thread.ofPlatform(), () -> urom.startDomain(domain));

            eventually("the worker can be closed", () -> isClosed(worker));
        }
    }

    private static boolean isClosed(dev.jurom.Worker worker) {
        try {
            worker.close();
            return true;
        } catch (IllegalStateException e) {
            return false; // the domain uses it
        }
    }

    @Test
    void an_interrupted_thread_starts_nothing() {
        var before = workerProcesses().size();
        Thread.currentThread().interrupt();

        assertThrows(InterruptedException.class, () -> urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME)));
        assertEquals(before, workerProcesses().size());
    }
}
