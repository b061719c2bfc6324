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

/** Many tasks in one call, and many completions in one progress; copies are the tasks. */
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
    void tasks_that_are_submitted_together_complete_in_their_order() {
        var submission = submissionOf(3, 1, 2);

        submission.submit();

        assertEquals(0, submission.size());
        assertTrue(copies.get(1).isInFlight());
        assertEquals(3, fixture.engine().progress(100));
        assertEquals(List.of(3, 1, 2), completed);
        assertEquals(3, destination.dataLength());
        submission.submit(); // nothing
        assertEquals(0, fixture.engine().progress(100));
    }

    @Test
    void a_progress_runs_no_more_callbacks_than_its_limit() {
        submissionOf(0, 1, 2, 3, 4).submit();

        assertEquals(2, fixture.engine().progress(2));
        assertEquals(List.of(0, 1), completed);
        assertTrue(fixture.engine().progress());
        assertEquals(List.of(0, 1, 2), completed);
        assertEquals(2, fixture.engine().progress(100));
        assertThrows(IllegalArgumentException.class, () -> fixture.engine().progress(0));
    }

    @Test
    void all_callbacks_of_a_progress_run_though_some_of_them_throw() {
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
    void a_task_that_a_callback_closes_is_not_heard_of_any_more() {
        copies.get(0).onCompletion(task -> copies.get(1).close());
        submissionOf(0, 1, 2).submit();

        assertEquals(3, fixture.engine().progress(100));

        assertEquals(List.of(2), completed);
        assertFalse(copies.get(1).isOpen());
    }

    @Test
    void what_a_callback_stops_is_told_behind_what_came_before() {
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
    void a_task_that_is_refused_and_those_behind_it_are_not_in_flight() {
        var submission = submissionOf(0, 1, 2);
        copies.get(1).submit(); // meanwhile

        var refusal = assertThrows(DocaException.class, submission::submit);

        assertEquals(DocaError.BAD_STATE, refusal.error());
        assertTrue(refusal.getMessage().contains("1 of 3 tasks were submitted before it"), refusal.getMessage());
        assertTrue(copies.get(0).isInFlight());
        assertFalse(copies.get(2).isInFlight());
        assertEquals(0, submission.size());
        assertEquals(2, fixture.engine().progress(100));
    }

    @Test
    void what_does_not_belong_into_a_submission_is_refused_at_once() {
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
