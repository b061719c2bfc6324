// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.fixture.MemoryFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.MemoryFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what all contexts have in common with a context for copies, which starts and stops at once. */
class ContextTest {

    private MemoryFixture fixture;
    private DmaContext dma;
    private Buffer source;
    private Buffer destination;

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(64);
        dma = DmaContext.create(fixture.engine(), fixture.device(), 2);
        source = fixture.source(0, 8);
        destination = fixture.destination(8, 16);
    }

    @AfterEach
    void close() {
        dma.close();
        source.close();
        destination.close();
        fixture.close();
    }

    @Test
    void a_context_is_idle_before_its_start_and_passes_stopping() {
        var states = new ArrayList<ContextState>();
        dma.onStateChanged((context, before, now) -> {
            assertSame(dma, context);
            states.add(now);
        });
        assertEquals(ContextState.IDLE, dma.state());

        assertTrue(dma.start());
        assertEquals(ContextState.RUNNING, dma.state());
        assertEquals(
                DocaError.BAD_STATE,
                assertThrows(DocaException.class, dma::start).error());

        assertTrue(dma.stop());
        assertEquals(ContextState.IDLE, dma.state());
        assertTrue(dma.stop());
        dma.startAndWait(DEADLINE);
        dma.stopAndWait(DEADLINE);
        assertEquals(
                List.of(
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE),
                states);
    }

    @Test
    void the_exception_of_a_listener_is_thrown_after_the_change() {
        dma.onStateChanged((context, before, now) -> {
            throw new ArithmeticException("thrown by the listener");
        });

        assertThrows(ArithmeticException.class, dma::start);

        assertEquals(ContextState.RUNNING, dma.state());
        assertThrows(ArithmeticException.class, dma::stop);
        assertEquals(ContextState.IDLE, dma.state());
    }

    @Test
    void tasks_in_flight_are_counted_until_they_complete() {
        dma.startAndWait(DEADLINE);
        try (var first = dma.copyTask(source, destination);
                var second = dma.copyTask(source, destination)) {
            first.submit();
            assertEquals(1, dma.tasksInFlight());
            second.submit();
            assertEquals(2, dma.tasksInFlight());
            assertEquals(2, fixture.engine().tasksInFlight());

            fixture.await(first);
            fixture.await(second);

            assertEquals(0, dma.tasksInFlight());
            assertEquals(0, fixture.engine().tasksInFlight());
        }
    }

    @Test
    void a_context_does_not_start_or_close_while_its_tasks_are_open() {
        dma.startAndWait(DEADLINE);
        try (var copy = dma.copyTask(source, destination)) {
            assertThrows(IllegalStateException.class, dma::close);
            dma.stop();

            var refusal = assertThrows(IllegalStateException.class, dma::start);

            assertTrue(refusal.getMessage().contains("1 of its tasks"), refusal.getMessage());
            assertEquals(ContextState.IDLE, dma.state());
            assertTrue(copy.isOpen());
        }
        assertTrue(dma.start());
    }

    @Test
    void an_engine_is_not_closed_before_its_contexts() {
        var refusal = assertThrows(IllegalStateException.class, fixture.engine()::close);

        assertTrue(refusal.getMessage().contains(dma.toString()), refusal.getMessage());
        assertFalse(fixture.engine().progress());
    }

    @Test
    void an_event_wakes_an_engine_that_waits() {
        var engine = fixture.engine();
        dma.startAndWait(DEADLINE);
        engine.requestNotification();
        assertFalse(engine.awaitNotification(Duration.ZERO));
        engine.clearNotification();
        try (var copy = dma.copyTask(source, destination)) {
            copy.submit();
            while (!copy.isCompleted()) {
                assertTrue(engine.waitForEvent(DEADLINE));
                engine.progress();
            }
            copy.requireSuccess();
        }
        assertFalse(engine.waitForEvent(Duration.ZERO));
    }
}
