// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.MemoryFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests submitting several tasks in one call and progressing several completions, with copy tasks. */
@ForEveryRuntime
class SubmissionTest {

    private static final int TASKS = 8;

    private MemoryFixture fixture;
    private DmaContext dma;
    private Buffer source;
    private Buffer destination;
    private List<DmaCopyTask> copies;
    private final List<Integer> completed = new ArrayList<>();

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(1024);
        dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), TASKS));
        source = fixture.source(0, 1);
        destination = fixture.destination(512, 512);
        copies = IntStream.range(0, TASKS).mapToObj(this::copy).toList();
    }

    private DmaCopyTask copy(int number) {
        return dma.copyTask(source, destination).onCompletion(task -> completed.add(number));
    }

    @AfterEach
    void close() {
        copies.forEach(Task::close);
        source.close();
        dma.close();
        destination.close();
        fixture.close();
    }

    private Submission submissionOf(int... numbers) {
        var submission = Submission.create(fixture.engine(), TASKS);
        for (var number : numbers) {
            submission.add(copies.get(number));
        }
        return submission;
    }

    @Test
    void tasks_submitted_together_complete_in_order() {
        var submission = submissionOf(3, 1, 2);

        submission.submit();

        assertEquals(0, submission.size());
        assertTrue(copies.get(1).isInFlight());
        assertEquals(3, fixture.engine().progress(100));
        assertEquals(List.of(3, 1, 2), completed);
        assertEquals(3, destination.dataLength());
        submission.submit(); // an empty submission
        assertEquals(0, fixture.engine().progress(100));
    }

    @Test
    void progress_runs_at_most_its_limit_of_callbacks() {
        submissionOf(0, 1, 2, 3, 4).submit();

        assertEquals(2, fixture.engine().progress(2));
        assertEquals(List.of(0, 1), completed);
        assertTrue(fixture.engine().progress());
        assertEquals(List.of(0, 1, 2), completed);
        assertEquals(2, fixture.engine().progress(100));
        assertThrows(IllegalArgumentException.class, () -> fixture.engine().progress(0));
    }

    @Test
    void all_callbacks_run_even_if_some_throw() {
        copies.get(0).onCompletion(task -> {
            throw new IllegalStateException("first");
        });
        copies.get(1).onCompletion(task -> {
            throw new AssertionError("second");
        });
        submissionOf(0, 1, 2).submit();

        var thrown =
                assertThrows(IllegalStateException.class, () -> fixture.engine().progress(100));

        assertEquals("first", thrown.getMessage());
        assertEquals("second", thrown.getSuppressed()[0].getMessage());
        assertEquals(List.of(2), completed);
    }

    @Test
    void no_completion_is_delivered_for_a_task_closed_by_a_callback() {
        copies.get(0).onCompletion(task -> copies.get(1).close());
        submissionOf(0, 1, 2).submit();

        assertEquals(3, fixture.engine().progress(100));

        assertEquals(List.of(2), completed);
        assertFalse(copies.get(1).isOpen());
    }

    @Test
    void the_state_change_of_a_stop_in_a_callback_follows_earlier_completions() {
        var events = new ArrayList<String>();
        dma.onStateChanged((context, previous, next) -> events.add(next + " after " + completed));
        copies.get(0).onCompletion(task -> {
            completed.add(0);
            dma.stop();
            events.add("stopped");
        });
        submissionOf(0, 1, 2).submit();

        fixture.engine().progress(100);

        assertEquals("stopped", events.getFirst());
        assertEquals("IDLE after [0, 1, 2]", events.getLast());
        copies.forEach(Task::close);
        dma.start();
        copies = List.of(copy(0));
    }

    @Test
    void a_rejected_task_and_its_successors_are_not_in_flight() {
        var submission = submissionOf(0, 1, 2);
        copies.get(1).submit(); // after it was added

        var refusal = assertThrows(DocaException.class, submission::submit);

        assertEquals(DocaError.BAD_STATE, refusal.error());
        assertTrue(refusal.getMessage().contains("1 of 3 tasks were submitted before it"), refusal.getMessage());
        assertTrue(copies.get(0).isInFlight());
        assertFalse(copies.get(2).isInFlight());
        assertEquals(0, submission.size());
        assertEquals(2, fixture.engine().progress(100));
    }

    @Test
    void tasks_that_cannot_be_submitted_are_rejected_when_added() {
        var full = submissionOf(0, 1, 2, 3, 4, 5, 6, 7);
        assertTrue(full.isFull());
        assertThrows(IllegalStateException.class, () -> full.add(copies.get(0)));

        copies.get(0).submit();
        assertThrows(IllegalStateException.class, () -> submissionOf(0));
        fixture.engine().progress();

        try (var other = ProgressEngine.create()) {
            var refusal = assertThrows(
                    IllegalArgumentException.class,
                    () -> Submission.create(other, 1).add(copies.get(1)));
            assertTrue(refusal.getMessage().contains(other.toString()), refusal.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> Submission.create(fixture.engine(), 0));
    }
}
