// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls that end in every way at once, on fewer slots than there are callers: answered, ended by a
 * sweep, interrupted. A slot that is given twice, or whose next turn begins before the last is
 * left, gives somebody another's answer; one that is never given is missing at the end.
 */
@Timeout(60)
class CallTurnsTest {

    private static final int SLOTS = 4;
    private static final int CALLERS = 6;
    private static final long RUN_NANOS = 2_000_000_000;
    private static final Duration SUBMIT_TIMEOUT = Duration.ofSeconds(10);

    /** What a sweep ends a call with that it has seen at some time. */
    private static final class Swept extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final long seen = System.nanoTime();
    }

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong swept = new AtomicLong();
    private final AtomicLong interrupted = new AtomicLong();
    private DrivenService service;
    private DrivenWorker worker;
    private volatile boolean over;

    @BeforeEach
    void open() {
        service = DrivenService.open(new ServiceRequest(Optional.empty(), 4096, 8, 20_000,
                Optional.of(Duration.ofSeconds(20))));
        worker = service.startWorkerAndWait(new WorkerRequest(List.of(GraphPlugin.NAME), SLOTS,
                SUBMIT_TIMEOUT, context -> { }), made -> made);
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void every_call_ends_with_what_is_its_own_and_every_slot_comes_back_once() throws Exception {
        var callers = new ArrayList<Thread>();
        for (var i = 0; i < CALLERS; i++) {
            var number = i;
            var builder = i % 3 == 2 ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            callers.add(builder.start(() -> callUntilOver((long) number << Integer.SIZE)));
        }
        var sweeper = Thread.ofPlatform().daemon().start(this::sweepUntilOver);
        interruptForAWhile(callers);
        over = true;

        for (var caller : callers) {
            assertTrue(caller.join(Duration.ofSeconds(30)), () -> caller + " waits for ever");
        }
        sweeper.join();
        assertEquals(List.of(), List.copyOf(wrong));
        assertTrue(answered.get() > 100 && swept.get() > 100 && interrupted.get() > 10,
                () -> answered + " answered, " + swept + " swept, " + interrupted + " interrupted");
        requireAllSlotsOnce();
    }

    private void callUntilOver(long first) {
        for (var value = first; !over; value++) {
            var start = System.nanoTime();
            try {
                Long answer = worker.call(LOOPBACK, value);
                answered.incrementAndGet();
                if (answer == null || answer != value) {
                    wrong.add(value + " was answered with " + answer);
                    return;
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            } catch (Swept e) {
                swept.incrementAndGet();
                if (e.seen - start < 0) {
                    wrong.add(value + " was ended by a sweep that saw an earlier call");
                    return;
                }
            } catch (RuntimeException e) {
                wrong.add(value + " failed: " + e);
                return;
            }
        }
    }

    /** As the sweep of the deadlines does, of all that it sees, and somewhat later. */
    private void sweepUntilOver() {
        while (!over) {
            var late = new ArrayList<Runnable>();
            for (var i = 0; i < SLOTS; i++) {
                var reply = worker.slots().get(i).expected();
                if (reply != null) {
                    var turn = reply.turn(); // first: it has begun before it is seen
                    var reason = new Swept();
                    late.add(() -> reply.fail(turn, reason));
                }
            }
            LockSupport.parkNanos(20_000);
            late.forEach(Runnable::run);
        }
    }

    private static void interruptForAWhile(List<Thread> callers) {
        var start = System.nanoTime();
        for (var i = 0; System.nanoTime() - start < RUN_NANOS; i++) {
            LockSupport.parkNanos(500_000);
            callers.get(i % callers.size()).interrupt();
        }
    }

    private void requireAllSlotsOnce() {
        Set<CommandSlot> free = new HashSet<>();
        eventually("all slots are free", () -> {
            var slot = worker.slots().tryTake();
            if (slot != null) {
                assertTrue(free.add(slot), "a slot was given twice");
            }
            return free.size() == SLOTS;
        });
        assertNull(worker.slots().tryTake(), "a slot was given twice");
        free.forEach(worker::give);
    }
}
