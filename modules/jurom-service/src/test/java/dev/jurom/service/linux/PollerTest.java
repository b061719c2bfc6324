// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.fixture.Waiting;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PollerTest {

    private static final Duration SHORT = Duration.ofMillis(100);

    /** The service confirms to the watchdog only while its pollers answer. */
    @Test
    void a_poller_answers_except_while_a_handler_blocks_it() throws Exception {
        var blocked = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        var event = posix_h.eventfd(1, posix_h.EFD_CLOEXEC());
        try (var poller = new Poller(Thread::new)) {
            assertTrue(poller.answers(Waiting.DEADLINE));

            var key = poller.watchChanges(event, () -> {
                blocked.countDown();
                await(released);
            });
            assertTrue(blocked.await(Waiting.DEADLINE.toSeconds(), TimeUnit.SECONDS));
            assertFalse(poller.answers(SHORT));

            released.countDown();
            assertTrue(poller.answers(Waiting.DEADLINE));
            poller.forget(event, key);
        } finally {
            released.countDown();
            posix_h.close(event);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(Waiting.DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts the thread
        }
    }
}
