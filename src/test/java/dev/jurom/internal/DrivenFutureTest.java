// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for something that does not come, in the thread that drives the engine. */
class DrivenFutureTest {

    private static final Duration TIMEOUT = Duration.ofMillis(400);

    private ProgressEngine engine;
    private EngineDriver driver;

    @BeforeEach
    void open() {
        engine = ProgressEngine.create();
        driver = new EngineDriver(engine, 0, new CommandDeadlines(Optional.empty()));
    }

    @AfterEach
    void close() {
        driver.free();
        engine.acquire();
        engine.close();
    }

    @Test
    void an_errand_is_waited_for_once_and_the_interrupt_kept() {
        assertTrue(driver.tryLead());
        var start = System.nanoTime();
        Thread.currentThread().interrupt();

        var failure = assertThrows(DocaException.class, () -> new DrivenFuture<Void>(driver, null)
                .awaitUninterrupted(Deadline.in(TIMEOUT), "the service"));

        var took = System.nanoTime() - start;
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertEquals(DocaError.TIME_OUT, failure.error());
        assertTrue(failure.getMessage().startsWith("the service"), failure.getMessage());
        assertTrue(took >= TIMEOUT.toNanos() && took < 2 * TIMEOUT.toNanos(),
                () -> "took " + took + " ns");
        driver.stepDown();
    }

    @Test
    void a_thread_that_gave_the_lead_up_gives_it_no_more() {
        assertTrue(driver.tryLead());
        assertTrue(driver.tryLead());

        OpenDrivers.stepDownFromAllBut(driver);
        assertTrue(driver.isLeader());
        OpenDrivers.stepDownFromAllBut(null);

        assertFalse(driver.isLeader());
        driver.stepDown();
        assertTrue(driver.tryLead());
        driver.stepDown();
        assertFalse(driver.isLeader());
    }
}
