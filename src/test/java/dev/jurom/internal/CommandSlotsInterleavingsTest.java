// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.jurom_command;
import dev.jurom.abi.doca.jurom_command_step;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests the slots of a worker in interleavings of two or three threads, with the states on the heap, where
 * the explorer sees each access. The explorer ends each park at once, and a thread then checks the slots again, so
 * {@link SlotWaitsTest} tests that a thread is woken.
 */
class CommandSlotsInterleavingsTest {

    private static final int INTERLEAVINGS = Boolean.getBoolean("jurom.long") ? 5000 : 200;
    private static final long FOREVER = Long.MAX_VALUE / 4;
    private static final long CAPACITY = 64;
    private static final long GENERATION = 1L << Integer.SIZE;

    /** States on the heap. */
    private static class OnHeap extends SlotStates {

        final AtomicLongArray states = new AtomicLongArray(new long[] {SharedEngine.FREE});

        @Override
        long get(int slot) {
            return states.get(slot);
        }

        @Override
        boolean compareAndSet(int slot, long expected, long next) {
            return states.compareAndSet(slot, expected, next);
        }
    }

    /** A defect: a slot is checked and then taken, so two threads can take it. */
    private static final class CheckedThenTaken extends OnHeap {

        @Override
        boolean compareAndSet(int slot, long expected, long next) {
            if (states.get(slot) != expected) {
                return false;
            }
            states.set(slot, next);
            return true;
        }
    }

    /** One slot, and violations of its invariants. */
    private static final class Slots {

        final OnHeap states;
        final CommandSlots slots;
        final AtomicInteger users = new AtomicInteger();
        final AtomicInteger submitted = new AtomicInteger();
        final AtomicInteger submissions = new AtomicInteger();
        final AtomicReference<Throwable> wrong = new AtomicReference<>();

        Slots(long command, OnHeap states) {
            this.states = states;
            slots = new CommandSlots(0, 1, new long[] {command}, "worker", "", states, new NoEngine() {
                @Override
                public void submit(long submitted) {
                    receiveAtOnce();
                }
            });
            slots.withoutPolls();
        }

        /** Acts as the engine thread for a command that was submitted. */
        private void receiveAtOnce() {
            var ticket = states.current(0);
            submitted.incrementAndGet();
            enter();
            states.states.set(0, ticket | SharedEngine.DELIVER);
            slots.releaseReceived(ticket);
        }

        private void enter() {
            if (users.incrementAndGet() != 1) {
                throw new AssertionError("two threads have one slot");
            }
            users.decrementAndGet();
        }

        void use(long ticket) {
            enter();
            slots.release(ticket);
        }

        void call() {
            var ticket = slots.tryTake();
            use(ticket != SlotStates.NONE ? ticket : take(FOREVER));
        }

        void callTwice() {
            call();
            call();
        }

        void callAtOnce() {
            var ticket = take(0);
            if (ticket != SlotStates.NONE) {
                use(ticket);
            }
        }

        void submitThenCall() {
            submitLater();
            var mine = submissions.get();
            call();
            if (submitted.get() < mine) {
                throw new AssertionError("a thread has passed its own queued command");
            }
        }

        void submitLater() {
            submissions.incrementAndGet();
            slots.queue(new ParkedCall(), GraphPlugin.LOOPBACK, 1, Long.class, CommandSlot.onHeap(1), null);
        }

        /** A defect: the slot of a thread that uses it is freed. */
        void reclaim() {
            var state = states.get(0);
            if ((int) state == SharedEngine.OWNED) {
                states.compareAndSet(0, state, state + GENERATION | SharedEngine.FREE);
            }
        }

        long take(long nanoseconds) {
            try {
                return slots.take(nanoseconds);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void run(Runnable... actions) {
            var threads = new Thread[actions.length];
            for (var i = 0; i < actions.length; i++) {
                threads[i] = start(actions[i]);
            }
            try {
                for (var thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (wrong.get() != null) {
                throw new AssertionError(wrong.get());
            }
            if (slots.tryTake() == SlotStates.NONE) {
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
        explore(plot, command -> new Slots(command, new OnHeap()));
    }

    private static void explore(Scenario plot, Function<Long, Slots> slots) {
        withCommand(address -> {
            slots.apply(address); // initializes classes
            Lincheck.runConcurrentTest(INTERLEAVINGS, () -> plot.run(slots.apply(address)));
            return null;
        });
    }

    private static <T> T withCommand(Function<Long, T> action) {
        try (var arena = Arena.ofConfined()) {
            var command = arena.allocate(jurom_command.layout());
            jurom_command.payload(command, arena.allocate(CAPACITY));
            jurom_command.capacity(command, CAPACITY);
            return action.apply(command.address());
        }
    }

    @Test
    void a_slot_has_one_owner_and_is_passed_on() {
        explore(slots -> slots.run(slots::call, slots::call, slots::call));
    }

    @Test
    void a_thread_that_passes_others_does_not_keep_them_waiting() {
        explore(slots -> slots.run(slots::callTwice, slots::call));
    }

    @Test
    void a_slot_that_becomes_free_while_the_wait_ends_is_not_lost() {
        explore(slots -> slots.run(slots::call, slots::callAtOnce, slots::call));
    }

    @Test
    void a_queued_command_gets_a_slot() {
        explore(slots -> {
            slots.run(slots::call, slots::submitLater, slots::call);
            if (slots.submitted.get() != 1) {
                throw new AssertionError("a queued command was submitted " + slots.submitted.get() + " times");
            }
        });
    }

    @Test
    void a_thread_does_not_pass_its_own_queued_command() {
        explore(slots -> slots.run(slots::call, slots::submitThenCall));
    }

    @Test
    void a_reserved_slot_is_used_or_revoked() {
        explore(slots -> slots.run(slots::call, slots::callAtOnce, slots::call), command -> {
            var slots = new Slots(command, new OnHeap());
            slots.slots.reserveAlways();
            return slots;
        });
    }

    @Test
    void a_slot_that_two_threads_take_is_found() {
        assertThrows(
                Throwable.class,
                () -> explore(
                        slots -> slots.run(slots::call, slots::call),
                        command -> new Slots(command, new CheckedThenTaken())));
    }

    @Test
    void a_slot_that_is_freed_under_its_owner_is_found() {
        assertThrows(Throwable.class, () -> explore(slots -> slots.run(slots::call, slots::call, slots::reclaim)));
    }

    @Test
    void a_ticket_of_an_earlier_use_has_no_effect() {
        withCommand(command -> {
            var slots = new Slots(command, new OnHeap());
            var stale = slots.slots.tryTake();
            slots.reclaim();
            var current = slots.slots.tryTake();

            var failure = assertThrows(DocaException.class, () -> slots.slots.release(stale));

            assertEquals(DocaError.UNEXPECTED, failure.error());
            assertEquals(1, slots.slots.mismatches());
            assertTrue(slots.slots.isDone(current));
            slots.slots.release(current);
            return null;
        });
    }

    @Test
    void the_steps_are_those_of_the_library() {
        var ofLibrary = new HashSet<SlotStates.Step>();
        var steps = doca_h.jurom_command_steps().reinterpret(Long.MAX_VALUE);
        var size = jurom_command_step.layout().byteSize();
        for (var step = steps; ; step = step.asSlice(size)) {
            var from = jurom_command_step.from(step);
            var to = jurom_command_step.to(step);
            if (from == to) {
                break;
            }
            if (((from | to) & SharedEngine.PENDING) == 0) { // else C takes the step
                ofLibrary.add(new SlotStates.Step(from, to, jurom_command_step.generations(step)));
            }
        }

        assertEquals(ofLibrary, new HashSet<>(SlotStates.STEPS));
    }
}
