// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.abi.doca.jurom_command;
import dev.jurom.core.ProgressEngine;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests the slots of a worker in interleavings of two threads. Parks never time out, so a lost wake-up
 * appears as a hanging thread.
 */
class CommandSlotsInterleavingsTest {

    private static final int INTERLEAVINGS = Boolean.getBoolean("jurom.long") ? 5000 : 200;
    private static final long FOREVER = Long.MAX_VALUE / 4;
    private static final long CAPACITY = 64;

    /** One slot, and violations of its invariants. */
    private static final class Slots {

        final CommandSlots slots;
        final AtomicInteger users = new AtomicInteger();
        final AtomicInteger submitted = new AtomicInteger();
        final AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();

        Slots(long command) {
            slots = new CommandSlots(0, new long[] {command}, "worker");
        }

        void use(CommandSlot slot) {
            if (users.incrementAndGet() != 1) {
                throw new AssertionError("two threads have one slot");
            }
            users.decrementAndGet();
            slots.give(slot);
        }

        void call() {
            var slot = slots.tryTake();
            use(slot != null ? slot : take(FOREVER));
        }

        void callAtOnce() {
            var slot = take(0);
            if (slot != null) {
                use(slot);
            }
        }

        void submitLater() {
            var answer = new PendingAnswer<Long>(Thread.currentThread(), null, null, null);
            slots.queue(answer, slot -> {
                submitted.incrementAndGet();
                use(slot);
            });
        }

        @Nullable
        CommandSlot take(long nanoseconds) {
            try {
                return slots.take(nanoseconds);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void run(Runnable first, Runnable second) {
            var one = start(first);
            var two = start(second);
            try {
                one.join();
                two.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (wrong.get() != null) {
                throw new AssertionError(wrong.get());
            }
            if (slots.tryTake() == null) {
                throw new AssertionError("a slot is lost");
            }
        }

        private Thread start(Runnable actions) {
            var thread = new Thread(() -> {
                try {
                    actions.run();
                } catch (Throwable e) {
                    wrong.set(e);
                }
            });
            thread.start();
            return thread;
        }
    }

    private interface Scenario {
        void run(Slots slots);
    }

    @BeforeAll
    static void loadTheLibrary() {
        ProgressEngine.create().close();
    }

    private static void explore(Scenario plot) {
        try (var arena = Arena.ofConfined()) {
            var command = arena.allocate(jurom_command.layout());
            jurom_command.payload(command, arena.allocate(CAPACITY));
            jurom_command.capacity(command, CAPACITY);
            var address = command.address();
            new CommandSlots(0, new long[] {address}, "worker"); // initializes classes
            Lincheck.runConcurrentTest(INTERLEAVINGS, () -> plot.run(new Slots(address)));
        }
    }

    @Test
    void a_slot_has_one_owner_and_is_passed_on() {
        explore(slots -> slots.run(slots::call, slots::call));
    }

    @Test
    void a_slot_assigned_while_the_wait_ends_is_not_lost() {
        explore(slots -> slots.run(slots::call, slots::callAtOnce));
    }

    @Test
    void a_queued_command_gets_a_slot() {
        explore(slots -> {
            slots.run(slots::call, slots::submitLater);
            if (slots.submitted.get() != 1) {
                throw new AssertionError("a queued command was submitted " + slots.submitted.get() + " times");
            }
        });
    }
}
