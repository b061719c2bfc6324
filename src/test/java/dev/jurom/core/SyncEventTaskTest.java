// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.fixture.MemoryFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.SyncEventTask.Kind;
import dev.jurom.fixture.MemoryFixture;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests reusing tasks of a sync event with other values, and counters in buffers. */
class SyncEventTaskTest {

    private static final long ALL = -1L;

    private MemoryFixture fixture;
    private SyncEvent event;

    @BeforeEach
    void open() {
        fixture = new MemoryFixture(64);
        event = SyncEvent.create(fixture.engine(), fixture.device());
    }

    @AfterEach
    void close() {
        event.close();
        fixture.close();
    }

    @Test
    void a_set_or_add_task_can_be_reused_with_another_value() {
        event.setTasks(Kind.SET, 1).setTasks(Kind.ADD, 1).startAndWait(DEADLINE);
        try (var set = event.setTask(5);
                var add = event.addTask(3)) {
            assertEquals(5, set.value());
            assertEquals(3, add.value());

            fixture.run(set.setValue(Long.MAX_VALUE));
            fixture.run(add.setValue(-1));

            assertEquals(Long.MAX_VALUE - 1, event.value());
            assertEquals(Long.MAX_VALUE, add.result());
            assertEquals(Long.MAX_VALUE, set.value());
            assertEquals(-1, add.value());
            assertEquals(ALL, set.mask());
            assertThrows(UnsupportedOperationException.class, () -> add.setMask(1));
        }
    }

    @Test
    void a_wait_task_can_be_reused_with_another_value_and_mask() {
        event.setTasks(Kind.WAIT_EQUAL, 1).setTasks(Kind.WAIT_NOT_EQUAL, 1).startAndWait(DEADLINE);
        event.set(0xab);
        try (var equal = event.waitEqualTask(1, ALL);
                var other = event.waitNotEqualTask(2, 3)) {
            assertEquals(1, equal.value());
            assertEquals(ALL, equal.mask());
            assertEquals(2, other.value());
            assertEquals(3, other.mask());

            fixture.run(equal.setValue(0xa0).setMask(0xf0));
            other.setValue(0x0b).setMask(0x0f).submit();

            assertEquals(0xa0, equal.value());
            assertEquals(0xf0, equal.mask());
            assertFalse(fixture.engine().progressUntil(other::isCompleted, Duration.ofMillis(5)));
            assertThrows(IllegalStateException.class, () -> other.setValue(1));
            assertThrows(IllegalStateException.class, () -> other.setMask(1));
            event.set(0xac);
            fixture.await(other);
            assertEquals(0x0b, other.value());
            assertEquals(0x0f, other.mask());
        }
    }

    @Test
    void a_read_task_has_no_value() {
        event.startAndWait(DEADLINE);
        try (var get = event.getTask()) {
            assertEquals(0, get.value());
            assertThrows(UnsupportedOperationException.class, () -> get.setValue(1));
        }
    }

    @Test
    void a_buffer_that_holds_a_counter_cannot_be_changed() {
        var buffer = fixture.source(8, 8);
        var memory = fixture.memory().asSlice(8, 8);
        event.setBuffer(buffer);
        assertTrue(
                event.start() || fixture.engine().progressUntil(() -> event.state() == ContextState.RUNNING, DEADLINE));

        event.set(42);

        assertEquals(42, memory.get(ValueLayout.JAVA_LONG, 0));
        assertTrue(assertThrows(IllegalStateException.class, buffer::close)
                .getMessage()
                .contains("in use"));
        assertThrows(IllegalStateException.class, () -> buffer.setData(0, 4));
        event.stop();
        event.close();
        buffer.close();
        assertEquals(0, fixture.map().state().buffers());
    }

    @Test
    void moving_the_counter_releases_the_buffer() {
        try (var first = fixture.source(0, 8);
                var second = fixture.source(16, 8)) {
            event.setBuffer(first).setBuffer(second);
            first.setData(0, 1);

            event.setMemory(fixture.memory().asSlice(32, 8));

            second.setData(0, 1);
        }
        assertEquals(0, fixture.map().state().buffers());
    }

    @Test
    void freeing_the_memory_of_the_counter_fails_tasks_in_flight() {
        var arena = Arena.ofConfined();
        event.setMemory(arena.allocate(ValueLayout.JAVA_LONG))
                .setTasks(Kind.ADD, 1)
                .setTasks(Kind.WAIT_EQUAL, 1)
                .startAndWait(DEADLINE);
        try (var add = event.addTask(1);
                var wait = event.waitEqualTask(9, ALL)) {
            wait.submit();
            add.submit();

            arena.close();

            var refusals = 0;
            for (var i = 0; i < 20; i++) {
                try {
                    fixture.engine().progress();
                } catch (IllegalStateException e) {
                    assertTrue(e.getMessage().contains("arena was closed"), e.getMessage());
                    refusals++;
                }
            }
            assertEquals(2, refusals);
            assertEquals(DocaError.IO_FAILED, add.status());
            assertEquals(DocaError.IO_FAILED, wait.status());
        }
    }

    @Test
    void a_buffer_that_cannot_hold_a_counter_is_rejected_and_left_unchanged() {
        try (var unaligned = fixture.source(1, 8);
                var small = fixture.source(56, 7)) {
            for (var buffer : new Buffer[] {unaligned, small}) {
                assertEquals(
                        DocaError.INVALID_VALUE,
                        assertThrows(DocaException.class, () -> event.setBuffer(buffer))
                                .error());
                buffer.setData(0, 1);
            }
        }
    }
}
