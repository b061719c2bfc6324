// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.OtherThread;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ThreadExchangeTest {

    @Property(tries = 50)
    void every_participant_receives_all_blocks_in_each_round(
            @ForAll @IntRange(min = 1, max = 6) int participants,
            @ForAll @Size(max = 5) List<@IntRange(max = 3000) Integer> lengths) {
        var exchanges = ThreadExchange.open(participants);

        var right = Participants.together(exchanges, exchange -> Participants.rounds(exchange, lengths));

        assertEquals(Collections.nCopies(participants, lengths.size()), right);
    }

    @Test
    void a_participant_may_begin_the_next_round_before_others_have_read_the_previous_one() {
        var exchanges = ThreadExchange.open(2);
        var slow = exchanges.get(0).begin(new byte[] {1});
        var quick = exchanges.get(1).begin(new byte[] {2});
        assertTrue(quick.poll());
        quick.close();

        var next = exchanges.get(1).begin(new byte[] {4});

        assertFalse(next.poll());
        assertTrue(slow.poll());
        assertArrayEquals(new byte[] {1, 2}, slow.blocks());
        slow.close();
        var last = exchanges.get(0).begin(new byte[] {3});
        assertTrue(next.poll() && last.poll());
        assertArrayEquals(new byte[] {3, 4}, next.blocks());
        assertArrayEquals(new byte[] {3, 4}, last.blocks());
    }

    @Test
    void blocks_of_different_lengths_are_rejected_naming_both_lengths() {
        var exchanges = ThreadExchange.open(2);
        var one = exchanges.get(0).begin(new byte[3]);
        exchanges.get(1).begin(new byte[4]);

        var failure = assertThrows(ExchangeException.class, one::poll);

        assertEquals(DocaError.INVALID_VALUE, failure.error());
        assertTrue(failure.getMessage().contains("4 bytes, but participant 0 one of 3"), failure.getMessage());
    }

    @Test
    void the_other_participants_receive_an_error_when_one_leaves() {
        var exchanges = ThreadExchange.open(3);
        var gathering = exchanges.get(0).begin(new byte[1]);

        exchanges.get(2).close();

        var failure = assertThrows(ExchangeException.class, gathering::poll);
        assertEquals(DocaError.CONNECTION_RESET, failure.error());
        assertTrue(failure.getMessage().contains("Participant 2"), failure.getMessage());
        assertThrows(ExchangeException.class, () -> exchanges.get(1).begin(new byte[1]));
    }

    @Test
    void a_complete_round_is_not_lost_when_a_participant_leaves() {
        var exchanges = ThreadExchange.open(2);
        var one = exchanges.get(0).begin(new byte[] {5});
        var other = exchanges.get(1).begin(new byte[] {6});
        assertTrue(other.poll());
        other.close();
        exchanges.get(1).close();

        assertTrue(one.poll());
        assertArrayEquals(new byte[] {5, 6}, one.blocks());
    }

    @Test
    void cancelling_an_all_gather_ends_the_exchange_for_all_participants() {
        var exchanges = ThreadExchange.open(2);
        exchanges.get(0).begin(new byte[1]).close();

        var failure =
                assertThrows(ExchangeException.class, () -> exchanges.get(1).begin(new byte[1]));

        assertEquals(DocaError.CONNECTION_ABORTED, failure.error());
    }

    @Test
    void waiting_for_other_participants_times_out() {
        var exchange = ThreadExchange.open(2).get(1);

        var failure =
                assertThrows(ExchangeException.class, () -> exchange.allGather(new byte[1], Duration.ofMillis(20)));

        assertEquals(DocaError.TIME_OUT, failure.error());
    }

    @Test
    void misuse_is_rejected() {
        assertThrows(IllegalArgumentException.class, () -> ThreadExchange.open(0));
        var exchange = ThreadExchange.open(2).get(0);
        var gathering = exchange.begin(new byte[1]);
        assertThrows(IllegalStateException.class, gathering::blocks);
        assertThrows(IllegalStateException.class, () -> exchange.begin(new byte[1]));
        exchange.close();
        exchange.close();
        assertThrows(IllegalStateException.class, () -> exchange.begin(new byte[1]));
    }

    @Test
    void a_very_long_timeout_is_accepted() throws InterruptedException {
        try (var alone = ThreadExchange.open(1).getFirst()) {
            for (var timeout : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE))) {
                assertArrayEquals(new byte[] {1}, alone.allGather(new byte[] {1}, timeout));
            }
        }
    }

    @Test
    void a_waiting_thread_can_be_interrupted() throws Exception {
        try (var exchange = ThreadExchange.open(2).getFirst()) {
            var thread = new CompletableFuture<Thread>();
            var waiting = OtherThread.start("waiting", () -> {
                thread.complete(Thread.currentThread());
                return exchange.allGather(new byte[1], Duration.ofSeconds(10));
            });
            thread.get().interrupt();

            assertEquals(
                    InterruptedException.class,
                    assertThrows(ExecutionException.class, () -> waiting.get(5, TimeUnit.SECONDS))
                            .getCause()
                            .getClass());
        }
    }
}
