// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The receives of a worker with eight slots, whose answers the test completes. */
class PendingReceivesTest {

    private static final int SLOTS = 8;
    private static final int LIMIT = 6;
    private static final Duration LONG = Duration.ofSeconds(30);

    /** A receive that was submitted. */
    private record Submitted(Receive command, CompletableFuture<Received> answer) {

        void arrive(int number) {
            answer.complete(new Received(0, number, command.tag(), 0, MemorySegment.NULL));
        }
    }

    private final List<Submitted> submitted = new ArrayList<>();
    private Engine engine;
    private PendingReceives receives;

    @BeforeEach
    void start() {
        DocaRuntime.current();
        engine = Engine.await(Engine.begin(0, Optional.empty(), Optional.of(Runnable::run)));
        receives = new PendingReceives(engine, "worker 7", SLOTS, command -> {
            var answer = new CompletableFuture<Received>();
            submitted.add(new Submitted(command, answer));
            return answer;
        });
    }

    @AfterEach
    void stop() {
        engine.stop(Deadline.in(LONG));
    }

    private CompletableFuture<Received> receive(int tag) {
        return receives.receive(new Receive(0, 0, 8, tag, -1, 0), LONG);
    }

    private static DocaError error(CompletableFuture<?> failed) {
        return ((DocaException)
                        assertThrows(CompletionException.class, failed::join).getCause())
                .error();
    }

    @Test
    void receives_beyond_the_limit_wait_for_a_slot_in_their_order() {
        var callers = IntStream.range(0, SLOTS + 1).mapToObj(this::receive).toList();
        assertEquals(LIMIT, submitted.size());

        callers.get(LIMIT).cancel(false);
        submitted.get(0).arrive(1);

        assertEquals(1, callers.get(0).join().count());
        assertEquals(LIMIT + 1, submitted.size());
        assertEquals(LIMIT + 1, submitted.getLast().command().tag());
        submitted.get(1).arrive(1);
        assertEquals(LIMIT + 2, submitted.getLast().command().tag());
    }

    @Test
    void abandoned_receives_are_reused_and_further_ones_are_refused() {
        var callers = IntStream.range(0, LIMIT).mapToObj(this::receive).toList();
        callers.forEach(caller -> caller.cancel(false));

        assertEquals(DocaError.AGAIN, error(receive(LIMIT)));
        var again = receive(3);
        assertEquals(LIMIT, submitted.size());
        assertFalse(receive(LIMIT).isDone(), "one slot has a caller, which may receive a message");
        submitted.get(3).arrive(5);

        assertEquals(5, again.join().count());
        assertEquals(LIMIT, submitted.getLast().command().tag());
    }

    @Test
    void a_worker_that_ends_fails_the_receives_that_wait_too() {
        var callers = IntStream.range(0, 3 * SLOTS).mapToObj(this::receive).toList();

        for (var i = 0; i < submitted.size(); i++) {
            submitted.get(i).answer().completeExceptionally(new IllegalStateException("closed"));
        }

        assertTrue(callers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertEquals(3 * SLOTS, submitted.size());
    }

    @Test
    void of_too_many_late_messages_the_oldest_is_discarded() {
        for (var tag = 0; tag <= PendingReceives.MAX_KEPT; tag++) {
            receive(tag).cancel(false);
            submitted.getLast().arrive(tag);
        }

        assertEquals(1, receive(1).join().count());
        assertEquals(
                PendingReceives.MAX_KEPT,
                receive(PendingReceives.MAX_KEPT).join().count());
        assertFalse(receive(0).isDone());
        assertEquals(PendingReceives.MAX_KEPT + 2, submitted.size());
    }
}
