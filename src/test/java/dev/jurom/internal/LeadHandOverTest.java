// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the leader leaves behind: for another that takes over, and in a slot. */
@Timeout(60)
class LeadHandOverTest {

    private static final int SLOTS = 4096;
    private static final long SOON_SECONDS = 10;

    private DrivenService service;
    private DrivenWorker worker;

    @BeforeEach
    void open() {
        service = DrivenService.open(new ServiceRequest(Optional.empty(), 4096, 8, 20_000,
                Optional.of(Duration.ofSeconds(20))));
        worker = service.startWorkerAndWait(new WorkerRequest(
                List.of(GraphPlugin.NAME, SandboxPlugin.NAME), SLOTS, Duration.ofSeconds(10),
                context -> { }), made -> made);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void an_errand_that_steps_down_leaves_the_queue_to_who_leads_then() throws Exception {
        var steppedDown = new CompletableFuture<Thread>();
        var goOn = new CountDownLatch(1);
        var leading = new CountDownLatch(1);
        var answerOn = new CountDownLatch(1);
        service.driver().control(() -> {
            OpenDrivers.stepDownFromAllBut(null);
            steppedDown.complete(Thread.currentThread());
            await(goOn);
        });
        var thread = steppedDown.get(SOON_SECONDS, TimeUnit.SECONDS);
        var led = OtherThread.start("leads", () -> worker.submit(LOOPBACK, 1L).thenApply(one -> {
            leading.countDown();
            await(answerOn);
            return one;
        }).join());
        await(leading);
        var queued = worker.submit(LOOPBACK, 2L);

        goOn.countDown();
        eventually("the errand's thread has gone on and sleeps",
                () -> thread.getState() == Thread.State.TIMED_WAITING && !isIn(thread, "Errands"));
        answerOn.countDown();

        assertEquals(1, led.get(SOON_SECONDS, TimeUnit.SECONDS));
        assertEquals(2, queued.get(SOON_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void commands_are_answered_while_somebody_goes_on_submitting() throws Exception {
        for (var round = 0; round < 20; round++) {
            for (var i = 0L; i < 500; i++) {
                worker.submit(LOOPBACK, i).join(); // the driver's thread sees that others come
            }
            var answer = worker.submit(LOOPBACK, 1L);
            var behind = 1;
            for (; !answer.isDone(); behind++) {
                spin(20_000);
                worker.submit(LOOPBACK, 1L);
            }
            assertTrue(behind < SLOTS, "nobody saw to the answers before all slots were taken");
        }
    }

    @Test
    void all_who_join_a_future_at_once_are_woken_when_it_is_done() throws Exception {
        var slowest = 0L;
        for (var round = 0; round < 300; round++) {
            var begin = new CountDownLatch(1);
            var answer = new DrivenFuture<Long>(service.driver(), null);
            var joined = new ArrayList<CompletableFuture<Long>>();
            assertTrue(lead());
            for (var i = 0; i < 3; i++) {
                joined.add(OtherThread.start("joins", () -> {
                    await(begin);
                    return answer.join();
                }));
            }
            begin.countDown();
            LockSupport.parkNanos(1_000_000); // for most of them to be asleep
            var start = System.nanoTime();
            answer.complete(1L);
            for (var one : joined) {
                one.get(SOON_SECONDS, TimeUnit.SECONDS);
            }
            slowest = Math.max(slowest, System.nanoTime() - start);
            service.driver().stepDown();
        }
        assertTrue(slowest < 400_000_000, slowest + " ns for who was not told");
    }

    @Test
    void all_who_join_what_another_thread_makes_of_an_answer_are_woken() throws Exception {
        var slowest = 0L;
        for (var round = 0; round < 5; round++) {
            var gate = new CompletableFuture<Long>();
            var made = worker.submit(LOOPBACK, 1L).thenCompose(answer -> gate);
            var joined = new ArrayList<CompletableFuture<Long>>();
            for (var i = 0; i < 3; i++) { // one of them leads, the others follow
                joined.add(OtherThread.start("joins", made::join));
            }
            LockSupport.parkNanos(5_000_000); // for most of them to be asleep
            var start = System.nanoTime();
            gate.complete(1L);
            for (var one : joined) {
                one.get(SOON_SECONDS, TimeUnit.SECONDS);
            }
            slowest = Math.max(slowest, System.nanoTime() - start);
        }
        assertTrue(slowest < 400_000_000, slowest + " ns for who was not told");
    }

    private boolean lead() {
        var deadline = Deadline.in(Duration.ofSeconds(SOON_SECONDS));
        while (!service.driver().tryLead() && deadline.remaining() > 0) {
            Thread.onSpinWait();
        }
        return service.driver().isLeader();
    }

    private static void spin(long nanoseconds) {
        for (var start = System.nanoTime(); System.nanoTime() - start < nanoseconds;) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_packer_that_fails_does_not_change_where_the_next_command_goes() throws Exception {
        var thrown = new ArithmeticException();
        var fails = Offload.<Long, Long>of(SandboxPlugin.NAME, SandboxPlugin.VERSION,
                (command, payload) -> {
                    throw thrown;
                }, response -> 0L);

        assertEquals(1, worker.call(LOOPBACK, 1L));
        assertSame(thrown, assertThrows(RuntimeException.class, () -> worker.call(fails, 2L)));
        assertEquals(3, worker.call(LOOPBACK, 3L));
    }

    @Test
    void what_is_thrown_unchecked_by_the_compiler_costs_no_answer_and_no_slot() throws Exception {
        var thrown = new Exception();
        var unpacks = Offload.<Long, Long>of(GraphPlugin.NAME, GraphPlugin.VERSION,
                LOOPBACK::pack, response -> LeadHandOverTest.<Long, RuntimeException>sneak(thrown));
        var packs = Offload.<Long, Long>of(GraphPlugin.NAME, GraphPlugin.VERSION,
                (command, payload) -> LeadHandOverTest.<Long, RuntimeException>sneak(thrown),
                LOOPBACK::unpack);

        assertSame(thrown,
                assertThrows(Exception.class, () -> worker.call(unpacks, 1L)).getCause());
        assertSame(thrown, assertThrows(Exception.class, () -> worker.call(packs, 1L)));

        for (var i = 0; i < SLOTS; i++) {
            assertTrue(worker.slots().tryTake() != null, "a slot is lost");
        }
        worker.slots().giveAll();
    }

    @SuppressWarnings("unchecked")
    private static <T, E extends Exception> T sneak(Exception thrown) throws E {
        throw (E) thrown;
    }

    private static boolean isIn(Thread thread, String type) {
        return List.of(thread.getStackTrace()).stream()
                .anyMatch(frame -> frame.getClassName().endsWith("." + type));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SOON_SECONDS, TimeUnit.SECONDS), "in time");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
