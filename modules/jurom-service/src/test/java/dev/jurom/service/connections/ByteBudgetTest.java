// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that heap use is bounded per user and in total, with a guaranteed minimum. */
class ByteBudgetTest {

    @Test
    void a_user_that_has_its_whole_share_leaves_others_theirs() {
        var budget = new ByteBudget(100, 200);
        var first = budget.share();
        var second = budget.share();
        var third = budget.share();

        assertTrue(first.take(100));
        assertFalse(first.take(1));
        assertTrue(second.take(100));
        assertFalse(third.take(1));
        first.release(100);
        assertTrue(third.take(100));
        assertTrue(first.isIdle());
    }

    @Test
    void a_waiting_thread_receives_its_bytes_when_they_are_released() throws InterruptedException {
        var share = new ByteBudget(100, 100).share();
        var held = share.await(60);
        var waiting = new AtomicReference<ByteBudget.Held>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.set(share.await(60));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        assertFalse(share.take(60));
        held.close();
        Waiting.until("the other user has its bytes", () -> waiting.get() != null);
    }

    @Test
    void moved_bytes_are_released_once_by_their_last_owner() throws InterruptedException {
        var share = new ByteBudget(100, 100).share();
        var first = share.await(100);
        var second = first.move();

        first.close();
        assertFalse(share.take(1));
        second.close();
        second.close();
        assertTrue(share.take(100));
        assertFalse(share.take(1));
    }

    @Test
    void a_small_heap_has_room_for_the_minimum_share_of_a_user() {
        var share = ByteBudget.ofHeap(Integer.MAX_VALUE, 3, 1000).share();

        assertTrue(share.take(1000));
        assertFalse(share.take(1));
        assertFalse(share.isIdle());
    }
}
