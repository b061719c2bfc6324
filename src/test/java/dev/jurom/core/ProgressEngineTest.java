// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.OtherThread;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgressEngineTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void an_engine_without_contexts_makes_no_progress() {
        try (var engine = ProgressEngine.create()) {
            assertFalse(engine.progress());
            assertEquals(0, engine.tasksInFlight());
        }
    }

    @Test
    void waiting_ends_with_the_timeout_when_nothing_happens() {
        try (var engine = ProgressEngine.create()) {
            var start = System.nanoTime();

            assertFalse(engine.waitForEvent(SHORT));
            assertFalse(engine.progressUntil(() -> false, SHORT));

            assertTrue(System.nanoTime() - start >= 2 * SHORT.toNanos());
        }
    }

    @Test
    void a_condition_that_holds_needs_no_progress() {
        try (var engine = ProgressEngine.create()) {
            assertTrue(engine.progressUntil(() -> true, Duration.ZERO));
            assertFalse(engine.progressUntil(() -> false, Duration.ofSeconds(Long.MIN_VALUE)));
        }
    }

    @Test
    void a_condition_that_holds_at_the_end_of_the_timeout_is_met() {
        try (var engine = ProgressEngine.create()) {
            var checks = new AtomicInteger();
            assertTrue(engine.progressUntil(() -> checks.incrementAndGet() > 1, Duration.ZERO));
        }
    }

    @Test
    void a_condition_is_checked_while_nothing_happens() {
        try (var engine = ProgressEngine.create()) {
            var end = System.nanoTime() + SHORT.toNanos();
            assertTrue(engine.progressUntil(() -> System.nanoTime() >= end, Duration.ofSeconds(30)));
            assertTrue(System.nanoTime() - end < Duration.ofSeconds(10).toNanos());
        }
    }

    @Test
    void only_the_owner_owns_an_engine() {
        try (var engine = ProgressEngine.create()) {
            assertTrue(engine.isOwner());
            assertFalse(OtherThread.run("intruder", engine::isOwner));
            engine.release();
            assertFalse(engine.isOwner());
            engine.acquire();
            assertTrue(engine.isOwner());
        }
    }

    @Test
    void both_event_modes_are_accepted_before_a_context_is_connected() {
        try (var engine = ProgressEngine.create()) {
            assertDoesNotThrow(() -> engine.setEventMode(EventMode.PROGRESS_ALL));
            assertDoesNotThrow(() -> engine.setEventMode(EventMode.PROGRESS_SELECTIVE));
        }
    }

    @Test
    void closing_twice_is_harmless_and_use_after_close_names_the_engine() {
        var engine = ProgressEngine.create();

        engine.close();
        engine.close();

        assertFalse(engine.isOpen());
        var refusal = assertThrows(IllegalStateException.class, engine::progress);
        assertEquals(engine + " is closed", refusal.getMessage());
        assertThrows(IllegalStateException.class, engine::tasksInFlight);
        assertThrows(IllegalStateException.class, engine::requestNotification);
        assertThrows(IllegalStateException.class, engine::clearNotification);
        assertThrows(IllegalStateException.class, engine::notificationHandle);
        assertThrows(IllegalStateException.class, () -> engine.waitForEvent(SHORT));
        assertThrows(IllegalStateException.class, () -> engine.setEventMode(EventMode.PROGRESS_ALL));
        assertThrows(IllegalStateException.class, engine::release);
        assertThrows(IllegalStateException.class, engine::acquire);
    }

    @Test
    void a_call_from_another_thread_is_rejected_by_name() {
        try (var engine = ProgressEngine.create()) {
            var refusal = OtherThread.run("intruder", () -> assertThrows(WrongThreadException.class, engine::progress));

            assertTrue(refusal.getMessage().contains("intruder"), refusal.getMessage());
            assertTrue(refusal.getMessage().contains(engine.toString()), refusal.getMessage());
            OtherThread.run("intruder", () -> assertThrows(WrongThreadException.class, engine::close));
            assertTrue(engine.isOpen());
        }
    }

    @Test
    void a_released_engine_is_owned_by_the_thread_that_acquires_it() {
        var engine = ProgressEngine.create();
        engine.release();
        assertThrows(WrongThreadException.class, engine::progress);

        OtherThread.run("heir", () -> {
            engine.acquire();
            engine.acquire();
            assertFalse(engine.progress());
            engine.close();
            return null;
        });

        assertFalse(engine.isOpen());
    }

    @Test
    void an_engine_that_has_an_owner_cannot_be_acquired() {
        try (var engine = ProgressEngine.create()) {
            OtherThread.run("intruder", () -> assertThrows(WrongThreadException.class, engine::acquire));
        }
    }
}
