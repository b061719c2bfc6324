// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.sandbox.SandboxCommand.MapMemory;
import dev.jurom.plugin.sandbox.SandboxCommand.MapParameters;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.testing.GuardedMemory;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with two workers of this process in one domain with the ids 1 and 2. */
class SandboxPluginTest {

    private static final long ONE = 1;
    private static final long TWO = 2;
    private static final int MEBIBYTE = 1 << 20;

    private static ServiceFixture fixture;
    private static PluginInfo plugin;
    private static ThreadExchange exchange;
    private static UromWorker firstWorker;
    private static UromWorker secondWorker;
    private static UromDomain domain;
    private static SandboxPlugin first;
    private static SandboxPlugin second;
    private static HostMemory memory;
    /** Mapped regions, which cannot be closed before the workers, and their memory. */
    private static final Deque<AutoCloseable> MAPPED = new ArrayDeque<>();

    @BeforeAll
    static void open() {
        fixture = ServiceFixture.open();
        plugin = SandboxPlugin.find(fixture.service());
        firstWorker = startWorker();
        secondWorker = startWorker();
        exchange = ThreadExchange.open(1).get(0);
        domain = UromDomain.create(fixture.engine(), exchange, Map.of(ONE, firstWorker, TWO, secondWorker));
        domain.startAndWait(DEADLINE);
        first = SandboxPlugin.of(firstWorker, plugin, DEADLINE);
        second = SandboxPlugin.of(secondWorker, plugin, DEADLINE);
        memory = HostMemory.open();
    }

    @AfterAll
    static void close() throws Exception {
        domain.close();
        exchange.close();
        secondWorker.close();
        firstWorker.close();
        for (var mapped : MAPPED) {
            mapped.close();
        }
        memory.close();
        fixture.close();
    }

    private static <T extends AutoCloseable> T keep(T mapped) {
        MAPPED.push(mapped);
        return mapped;
    }

    private static UromWorker startWorker() {
        var worker = UromWorker.create(fixture.engine(), fixture.service()).setPlugins(plugin);
        worker.startAndWait(DEADLINE);
        return worker;
    }

    private static MemorySegment random(Arena arena, long size) {
        var bytes = new byte[(int) size];
        new Random(size).nextBytes(bytes);
        return arena.allocate(Math.max(1, size)).asSlice(0, size).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static DocaException failureOf(CommandTask task) {
        task.submit();
        await(task);
        return assertThrows(DocaException.class, () -> SandboxPlugin.answer(task));
    }

    @Test
    void inline_messages_of_every_size_arrive_unchanged() {
        try (var arena = Arena.ofConfined()) {
            for (var size : new long[] {0, 1, 7, 64, 1000, first.longestInline() - 48
            }) { // a notification needs more space than a command leaves
                var message = random(arena, size);
                first.send(TWO, size, message, DEADLINE);

                var received = second.receive(size, SandboxPlugin.WHOLE_TAG, size, DEADLINE);

                assertEquals(size, received.count());
                assertEquals(size, received.senderTag());
                assertEquals(-1, received.payload().mismatch(message));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 17, 4096, 100_000, MEBIBYTE})
    void mapped_messages_of_every_size_arrive_unchanged(long size) {
        try (var arena = Arena.ofConfined();
                var send = first.task();
                var receive = second.task()) {
            var sent = keep(memory.allocate(size));
            var room = keep(memory.allocate(size));
            sent.memory().copyFrom(random(arena, size));
            second.fillReceive(receive, size, SandboxPlugin.WHOLE_TAG, room.memory(), second.map(room, DEADLINE));
            receive.submit();
            first.fillSend(send, TWO, size, sent.memory(), first.map(sent, DEADLINE));
            send.submit();
            await(send);
            await(receive);

            SandboxPlugin.answer(send);
            var received = (Received) SandboxPlugin.answer(receive);
            assertFalse(received.isInline());
            assertEquals(size, received.count());
            assertEquals(-1, room.memory().mismatch(sent.memory()));
        }
    }

    @Test
    void a_worker_may_send_to_itself() {
        try (var arena = Arena.ofConfined()) {
            first.send(ONE, 3, arena.allocateFrom("me"), DEADLINE);

            var received = first.receive(3, SandboxPlugin.WHOLE_TAG, 100, DEADLINE);
            assertEquals("me", received.payload().getString(0));
        }
    }

    @Test
    void only_the_bits_of_the_mask_are_compared_in_the_tag() {
        try (var arena = Arena.ofConfined()) {
            first.send(TWO, 0xab01, arena.allocate(1), DEADLINE);
            first.send(TWO, 0xcd01, arena.allocate(2), DEADLINE);

            assertEquals(2, second.receive(0xcd00, 0xff00, 10, DEADLINE).count());
            assertEquals(0xab01, second.receive(0x01, 0xff, 10, DEADLINE).senderTag());
        }
    }

    @Test
    void a_destination_that_is_not_in_the_domain_is_not_found() {
        try (var task = first.task()) {
            first.fillSend(task, 77, 0, MemorySegment.NULL);

            var failure = failureOf(task);

            assertEquals(DocaError.NOT_FOUND, failure.error());
            assertTrue(failure.getMessage().contains("a worker with that id"), failure.getMessage());
        }
    }

    @Test
    void a_worker_without_a_domain_cannot_send() {
        try (var lonely = startWorker()) {
            var sandbox = SandboxPlugin.of(lonely, plugin, DEADLINE);

            var failure = assertThrows(DocaException.class, () -> sandbox.send(ONE, 0, MemorySegment.NULL, DEADLINE));

            assertEquals(DocaError.NOT_FOUND, failure.error());
        }
    }

    @Test
    void a_truncated_message_is_reported_and_discarded() {
        try (var arena = Arena.ofConfined()) {
            first.send(TWO, 5, arena.allocate(100), DEADLINE);

            var failure =
                    assertThrows(DocaException.class, () -> second.receive(5, SandboxPlugin.WHOLE_TAG, 99, DEADLINE));

            assertEquals(DocaError.TOO_BIG, failure.error());
        }
    }

    @Test
    void a_message_that_exceeds_a_command_is_rejected_with_both_sizes() {
        try (var arena = Arena.ofConfined();
                var task = first.task()) {
            var longest = first.longestInline();
            first.fillSend(task, TWO, 0, arena.allocate(longest));
            var message = arena.allocate(longest + 1);

            var failure = assertThrows(CodecException.class, () -> first.fillSend(task, TWO, 0, message));

            assertTrue(failure.getMessage().contains("a message of " + (longest + 1) + " bytes"), failure.getMessage());
        }
    }

    @Test
    void an_unknown_handle_is_not_found() {
        try (var arena = Arena.ofConfined();
                var task = first.task()) {
            first.fillSend(task, TWO, 0, arena.allocate(1), 99);
            assertEquals(DocaError.NOT_FOUND, failureOf(task).error());
            first.fillReceive(task, 0, SandboxPlugin.WHOLE_TAG, arena.allocate(1), 99);
            assertEquals(DocaError.NOT_FOUND, failureOf(task).error());
        }
    }

    @Test
    void memory_outside_the_mapped_region_is_never_touched() {
        var guarded = keep(GuardedMemory.ofPages(1));
        var region = keep(memory.share(guarded.end(100)));
        try (var task = first.task()) {
            var handle = first.map(region, DEADLINE);
            var start = region.address();
            // Before, after and across an end, and with an end that overflows.
            long[][] ranges = {
                {start - 1, 1}, {start + 100, 1}, {start + 50, 51}, {start - 50, 60}, {start + 1, -1L}, {-8L, 16}
            };
            for (var range : ranges) {
                first.fill(task, new SandboxCommand.Send(0, TWO, range[0], range[1], 1, handle, MemorySegment.NULL));
                assertEquals(DocaError.INVALID_VALUE, failureOf(task).error());
                first.fill(task, new Receive(0, range[0], range[1], 1, -1, handle));
                assertEquals(DocaError.INVALID_VALUE, failureOf(task).error());
            }
            second.send(ONE, 6, random(Arena.ofAuto(), 100), DEADLINE);
            first.fillReceive(task, 6, SandboxPlugin.WHOLE_TAG, region.memory(), handle);
            task.submit();
            await(task);

            assertEquals(100, ((Received) SandboxPlugin.answer(task)).count());
            assertEquals(-1, region.memory().mismatch(random(Arena.ofAuto(), 100)));
            assertEquals(
                    0,
                    guarded.memory()
                            .asSlice(0, GuardedMemory.PAGE - 100)
                            .toArray(ValueLayout.JAVA_BYTE)[GuardedMemory.PAGE - 101]);
        }
    }

    @Test
    void an_invalid_mapping_is_rejected_with_a_reason() {
        try (var arena = Arena.ofConfined();
                var region = memory.share(arena.allocate(10));
                var task = first.task()) {
            var packed = RemoteMemory.pack(region);
            var parameters = new MapParameters(3, region.address(), region.length(), 0, 0, 0);
            first.fill(task, new MapMemory(0, parameters, MemorySegment.NULL));
            assertEquals(DocaError.NOT_SUPPORTED, failureOf(task).error());
            first.fill(task, new MapMemory(0, parameters, MemorySegment.ofArray("exported by UCX".getBytes())));
            assertEquals(DocaError.NOT_SUPPORTED, failureOf(task).error());
            first.fill(task, new MapMemory(0, parameters, packed.asSlice(0, packed.byteSize() - 1)));
            assertEquals(DocaError.INVALID_VALUE, failureOf(task).error());
            first.fill(
                    task, new MapMemory(0, new MapParameters(0, region.address(), region.length(), 0, 0, 0), packed));
            assertEquals(DocaError.INVALID_VALUE, failureOf(task).error());
        }
    }

    @Test
    void the_plugin_accepts_both_layouts_and_reports_its_own() {
        assertEquals(UcxLayout.UCX_1_13, first.layout());
        for (var layout : UcxLayout.values()) {
            try (var arena = Arena.ofConfined();
                    var send = first.task();
                    var region = memory.share(arena.allocate(10));
                    var map = first.task()) {
                var message = arena.allocateFrom(layout.name());
                send.setPayloadLength(SandboxCommandCodec.packSend(layout, 0, TWO, 8, message, send.payload()));
                send.submit();
                map.setPayloadLength(SandboxCommandCodec.of(layout)
                        .pack(
                                new MapMemory(
                                        0,
                                        new MapParameters(3, region.address(), region.length(), 0, 0, 0),
                                        RemoteMemory.pack(region)),
                                map.payload()));
                map.submit();
                await(send);
                await(map);

                SandboxPlugin.answer(map);
                assertEquals(
                        layout.name(),
                        second.receive(8, SandboxPlugin.WHOLE_TAG, 100, DEADLINE)
                                .payload()
                                .getString(0));
            }
        }
    }

    @Test
    void waiting_for_a_missing_message_ends_at_the_deadline_of_the_caller() {
        try (var worker = startWorker()) {
            var sandbox = SandboxPlugin.of(worker, plugin, DEADLINE);

            var failure = assertThrows(
                    DocaException.class, () -> sandbox.receive(1, SandboxPlugin.WHOLE_TAG, 1, Duration.ofMillis(20)));

            assertEquals(DocaError.TIME_OUT, failure.error());
            worker.stopAndWait(DEADLINE);
            assertTrue(fixture.engine().progressUntil(() -> worker.tasksInFlight() == 0, DEADLINE));
        }
    }

    @Test
    void pending_operations_fail_when_the_worker_is_killed() {
        var before = ServiceFixture.workerProcesses();
        try (var worker = startWorker()) {
            var process = ServiceFixture.workerProcesses().stream()
                    .filter(candidate -> !before.contains(candidate))
                    .findFirst()
                    .orElseThrow();
            var sandbox = SandboxPlugin.of(worker, plugin, DEADLINE);
            try (var task = sandbox.task()) {
                sandbox.fillReceive(task, 1, SandboxPlugin.WHOLE_TAG, 1);
                task.submit();
                process.destroyForcibly();
                await(task);

                assertThrows(DocaException.class, () -> SandboxPlugin.answer(task));
            }
        }
    }

    @Test
    void notifications_contain_the_contexts_of_commands() {
        try (var task = first.task();
                var arena = Arena.ofConfined()) {
            first.fill(task, SandboxCommand.Send.inline(42, TWO, 11, arena.allocate(1)));
            task.submit();
            await(task);
            assertEquals(42, SandboxPlugin.answer(task).context());
            second.receive(11, SandboxPlugin.WHOLE_TAG, 1, DEADLINE);
        }
    }

    @Test
    void a_mapped_region_is_not_closed_before_its_worker() {
        var region = memory.allocate(10);
        var worker = startWorker();
        SandboxPlugin.of(worker, plugin, DEADLINE).map(region, DEADLINE);

        var refused = assertThrows(IllegalStateException.class, region::close);
        assertTrue(refused.getMessage().contains(worker.toString()), refused::getMessage);
        assertTrue(region.memory().scope().isAlive());
        worker.close();
        region.close();

        assertFalse(region.memory().scope().isAlive());
    }

    @Test
    void a_closed_region_cannot_be_mapped() {
        HostRegion region;
        try (var arena = Arena.ofConfined()) {
            region = memory.share(arena.allocate(10));
            region.close();
        }
        assertThrows(IllegalStateException.class, () -> first.map(region, DEADLINE));
    }

    @Test
    void the_notification_of_a_message_is_a_copy_that_outlives_its_task() {
        try (var arena = Arena.ofConfined()) {
            first.send(TWO, 9, random(arena, 30), DEADLINE);
            var received = second.receive(9, SandboxPlugin.WHOLE_TAG, 30, DEADLINE);

            assertArrayEquals(
                    random(arena, 30).toArray(ValueLayout.JAVA_BYTE),
                    received.payload().toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
