// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.fixture.MemoryFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.SyncEventTask.Kind;
import dev.jurom.fixture.OtherThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SyncEventTest {

    private static final long ALL = -1L;

    private ProgressEngine engine;
    private Device device;
    private SyncEvent event;

    @BeforeEach
    void open() {
        engine = ProgressEngine.create();
        device = Device.open();
        event = SyncEvent.create(engine, device);
    }

    @AfterEach
    void close() {
        event.close();
        device.close();
        engine.close();
    }

    @Test
    void a_counter_is_set_added_to_and_read() {
        assertThrows(DocaException.class, event::value);
        event.startAndWait(DEADLINE);

        assertEquals(0, event.value());
        event.set(40);
        assertEquals(40, event.add(2));
        assertEquals(42, event.value());
        assertTrue(event.awaitGreater(41, ALL, Duration.ZERO));
        assertTrue(event.awaitEqual(2, 0xf - 8, Duration.ZERO));
        assertTrue(event.awaitNotEqual(41, ALL, Duration.ZERO));
        assertFalse(event.awaitGreater(42, ALL, Duration.ofMillis(5)));
    }

    @Test
    void a_counter_in_freed_memory_is_rejected_as_the_JDK_does() {
        MemorySegment freed;
        try (var arena = Arena.ofConfined()) {
            freed = arena.allocate(ValueLayout.JAVA_LONG);
        }

        var failure = assertThrows(IllegalStateException.class, () -> event.setMemory(freed));
        assertEquals("Already closed", failure.getMessage());
    }

    @Test
    void a_thread_waits_until_another_has_added_enough() {
        event.startAndWait(DEADLINE);
        var waiting = OtherThread.start("waits", () -> event.awaitGreater(99, ALL, DEADLINE));

        for (var i = 0; i < 100; i++) {
            OtherThread.run("adds", () -> event.add(1));
        }

        assertTrue(waiting.orTimeout(30, TimeUnit.SECONDS).join());
    }

    @Test
    void tasks_set_add_and_wait_asynchronously() {
        for (var kind : Kind.values()) {
            event.setTasks(kind, 2);
        }
        event.startAndWait(DEADLINE);
        try (var set = event.setTask(5);
                var add = event.addTask(3);
                var get = event.getTask();
                var equal = event.waitEqualTask(9, ALL);
                var other = event.waitNotEqualTask(8, ALL)) {
            run(set);
            run(add);
            assertEquals(5, add.result());
            run(get);
            assertEquals(8, get.result());
            equal.submit();
            other.submit();
            assertFalse(engine.progressUntil(() -> equal.isCompleted() || other.isCompleted(), Duration.ofMillis(5)));

            OtherThread.run("adds", () -> event.add(1));

            assertTrue(engine.progressUntil(() -> equal.isCompleted() && other.isCompleted(), DEADLINE));
        }
    }

    @Test
    void an_abandoned_wait_does_not_prevent_closing() {
        event.setTasks(Kind.WAIT_EQUAL, 1).startAndWait(DEADLINE);
        var wait = event.waitEqualTask(1, ALL);
        wait.submit();

        wait.close();
        event.close();

        assertFalse(event.isOpen());
    }

    @Test
    void a_number_of_tasks_out_of_range_is_rejected() {
        for (var tasks : new int[] {0, -1, Integer.MIN_VALUE, (1 << 16) + 1}) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> event.setTasks(Kind.ADD, tasks));
            assertTrue(refusal.getMessage().contains("from 1 to 65536"), refusal.getMessage());
        }
    }

    @Test
    void a_counter_may_be_in_the_callers_memory_while_its_arena_is_open() {
        var arena = Arena.ofConfined();
        var memory = arena.allocate(ValueLayout.JAVA_LONG);
        event.setMemory(memory).startAndWait(DEADLINE);

        event.set(7);
        assertEquals(7, memory.get(ValueLayout.JAVA_LONG, 0));

        arena.close();
        assertTrue(assertThrows(IllegalStateException.class, () -> event.set(8))
                .getMessage()
                .contains("arena was closed"));
        assertThrows(IllegalStateException.class, event::value);
    }

    @Test
    void memory_that_cannot_hold_a_counter_is_rejected() {
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocate(16, 16);
            for (var wrong : new MemorySegment[] {
                memory.asSlice(0, 7), memory.asSlice(1, 8), memory.asReadOnly(), MemorySegment.ofArray(new long[1])
            }) {
                assertThrows(IllegalArgumentException.class, () -> event.setMemory(wrong));
            }
        }
    }

    @Test
    void an_export_refers_to_the_same_counter() {
        event.addRemoteSubscriber().addRemotePublisher().startAndWait(DEADLINE);
        try (var imported = SyncEvent.fromExport(engine, device, event.exportToRemotePci(device))) {
            imported.startAndWait(DEADLINE);

            imported.set(11);

            assertEquals(11, event.value());
        }
        assertThrows(DocaException.class, () -> SyncEvent.fromExport(engine, device, new byte[5]));
    }

    @Test
    void an_event_is_closed_after_waits_end_and_rejects_later_calls() {
        event.startAndWait(DEADLINE);
        var started = new java.util.concurrent.CountDownLatch(1);
        var waiting = OtherThread.start("waits", () -> {
            started.countDown();
            return event.awaitEqual(1, ALL, DEADLINE);
        });
        OtherThread.run("waits for the start", () -> started.await(30, TimeUnit.SECONDS));

        event.set(1);

        assertTrue(waiting.orTimeout(30, TimeUnit.SECONDS).join());
        event.close();
        assertThrows(IllegalStateException.class, event::value);
        assertThrows(IllegalStateException.class, () -> event.awaitEqual(1, ALL, DEADLINE));
    }

    private void run(SyncEventTask task) {
        task.submit();
        assertTrue(engine.progressUntil(task::isCompleted, DEADLINE));
        task.requireSuccess();
    }
}
