// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.doca.jurom_command;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.SharedEngine;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests waits for a single slot. Lincheck ends each park at once, so it does not find that a thread is not
 * woken.
 */
class SlotWaitsTest {

    private static final long CAPACITY = 64;
    private static final int WAITS = 40;
    private static final Duration FOR_ALL = Duration.ofSeconds(2); // half of what as many unwoken waits take

    private final Arena arena = Arena.ofShared();
    private final AtomicLongArray words = new AtomicLongArray(new long[] {SharedEngine.FREE});
    private CommandSlots slots;
    private Runnable atNextRead = () -> {};

    /** States on the heap. Another action occurs after one of the reads. */
    private final class OnHeap extends SlotStates {

        @Override
        long get(int slot) {
            var word = words.get(slot);
            var action = atNextRead;
            atNextRead = () -> {};
            action.run();
            return word;
        }

        @Override
        boolean compareAndSet(int slot, long expected, long next) {
            return words.compareAndSet(slot, expected, next);
        }
    }

    @BeforeAll
    static void loadTheLibrary() {
        ProgressEngine.create().close();
    }

    @BeforeEach
    void makeASlot() {
        var command = arena.allocate(jurom_command.layout());
        jurom_command.payload(command, arena.allocate(CAPACITY));
        jurom_command.capacity(command, CAPACITY);
        slots = new CommandSlots(0, 1, new long[] {command.address()}, "worker", "", new OnHeap(), new NoEngine());
        slots.withoutPolls();
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void a_slot_that_is_reserved_while_the_wait_ends_is_not_lost() throws Exception {
        slots.reserveAlways();
        var ticket = slots.tryTake();
        atNextRead = () -> atNextRead = () -> slots.release(ticket); // the second read is that of the waiting thread

        assertEquals(SlotStates.NONE, slots.take(0));

        assertNotEquals(SlotStates.NONE, slots.tryTake());
    }

    @Test
    void a_released_slot_wakes_the_waiting_thread() throws Exception {
        var taken = 0L;
        for (var i = 0; i < WAITS; i++) {
            var ticket = slots.tryTake();
            var wait = new FutureTask<>(() -> slots.take(Duration.ofMinutes(1).toNanos()));
            var thread = Thread.ofPlatform().daemon().start(wait);
            while (LockSupport.getBlocker(thread) != slots) {
                Thread.onSpinWait();
            }
            var begun = System.nanoTime();
            slots.release(ticket);
            slots.release(wait.get(1, TimeUnit.MINUTES));
            taken += System.nanoTime() - begun;
        }
        var all = Duration.ofNanos(taken);
        assertTrue(all.compareTo(FOR_ALL) < 0, all::toString);
    }
}
