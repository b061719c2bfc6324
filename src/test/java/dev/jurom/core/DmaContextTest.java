// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.fixture.MemoryFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.MemoryFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

@ForEveryRuntime
class DmaContextTest {

    private static final int HALF = 1 << 15;

    @Test
    void a_copy_appends_the_sources_data_to_the_destination() {
        try (var fixture = new MemoryFixture(2 * HALF);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
                var source = fixture.source(0, HALF);
                var destination = fixture.destination(HALF, HALF)) {
            fill(fixture, new Random(1));
            source.setData(100, 1000);
            try (var copy = dma.copyTask(source, destination)) {
                fixture.run(copy);
                copy.requireSuccess();
                fixture.run(copy);
            }
            assertEquals(2000, destination.dataLength());
            var expected = fixture.memory().asSlice(100, 1000);
            assertEquals(-1, expected.mismatch(destination.data().asSlice(0, 1000)));
            assertEquals(-1, expected.mismatch(destination.data().asSlice(1000, 1000)));
        }
    }

    @Test
    void lists_are_gathered_and_scattered() {
        try (var fixture = new MemoryFixture(2 * HALF);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
                var source = fixture.source(0, 10);
                var destination = fixture.destination(HALF, 7)) {
            assertTrue(DmaContext.maxListLength(fixture.device()) >= 4);
            fill(fixture, new Random(2));
            source.chain(fixture.source(100, 5)).chain(fixture.source(200, 15));
            destination.chain(fixture.destination(HALF + 50, 20)).chain(fixture.destination(HALF + 90, 100));
            try (var copy = dma.copyTask(source, destination)) {
                fixture.run(copy);
                copy.requireSuccess();
            }
            var gathered = bytes(source);
            assertEquals(30, gathered.size());
            assertEquals(gathered, bytes(destination));
            assertEquals(3, destination.list().getLast().dataLength());
        }
    }

    private static ArrayList<Byte> bytes(Buffer list) {
        var bytes = new ArrayList<Byte>();
        for (var buffer : list.list()) {
            for (var value : buffer.data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
                bytes.add(value);
            }
        }
        return bytes;
    }

    @Test
    void a_copy_to_a_destination_that_is_too_small_fails_and_leaves_it_unchanged() {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
                var source = fixture.source(0, 32);
                var destination = fixture.destination(32, 31);
                var copy = dma.copyTask(source, destination)) {
            assertThrows(DocaException.class, () -> {
                copy.submit();
                fixture.await(copy);
                copy.requireSuccess();
            });
            assertEquals(0, destination.dataLength());
        }
    }

    @Test
    void buffers_of_a_task_in_flight_cannot_be_changed_or_closed() {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
                var source = fixture.source(0, 32);
                var destination = fixture.destination(32, 32);
                var copy = dma.copyTask(source, destination)) {
            copy.submit();

            assertThrows(IllegalStateException.class, source::close);
            assertThrows(IllegalStateException.class, () -> source.setData(0, 1));
            assertThrows(IllegalStateException.class, destination::reset);
            assertThrows(IllegalStateException.class, () -> destination.chain(source));
            assertThrows(IllegalStateException.class, dma::close);

            fixture.await(copy);
            copy.requireSuccess();
            destination.reset();
        }
    }

    @Test
    void buffers_of_an_abandoned_task_are_in_use_until_it_completes() {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var source = fixture.source(0, 32);
                var destination = fixture.destination(32, 32)) {
            var heard = new ArrayList<DmaCopyTask>();
            var copy = dma.copyTask(source, destination).onCompletion(heard::add);
            copy.submit();

            copy.close();

            assertThrows(IllegalStateException.class, source::close);
            assertThrows(IllegalStateException.class, destination::reset);
            assertThrows(IllegalStateException.class, copy::submit);
            assertTrue(fixture.engine().progressUntil(() -> dma.tasksInFlight() == 0, DEADLINE));
            destination.reset();
            assertEquals(0, heard.size());
            dma.copyTask(source, destination).close();
        }
    }

    @Test
    void a_context_with_abandoned_tasks_can_be_closed() {
        try (var fixture = new MemoryFixture(64);
                var source = fixture.source(0, 32);
                var destination = fixture.destination(32, 32)) {
            var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
            var copy = dma.copyTask(source, destination);
            copy.submit();
            copy.close();

            dma.close();

            assertFalse(dma.isOpen());
            source.setData(0, 1);
        }
    }

    @Test
    void a_number_of_tasks_out_of_range_is_rejected() {
        try (var fixture = new MemoryFixture(64)) {
            for (var tasks : new int[] {0, -1, Integer.MIN_VALUE, (1 << 16) + 1}) {
                var refusal = assertThrows(
                        IllegalArgumentException.class,
                        () -> DmaContext.create(fixture.engine(), fixture.device(), tasks));
                assertTrue(refusal.getMessage().contains("from 1 to 65536"), refusal.getMessage());
            }
        }
    }

    @Test
    void freeing_the_memory_of_a_task_in_flight_fails_the_tasks_of_its_context_only() {
        try (var other = new MemoryFixture(64);
                var fixture = new MemoryFixture(64)) {
            var inventory = fixture.inventory();
            var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
            var living = MemoryMap.create()
                    .setRange(other.memory())
                    .addDevice(fixture.device())
                    .start();
            var ended = new ArrayList<DocaError>();
            var listSource = fixture.source(0, 8).chain(fixture.source(8, 8));
            var copies = List.of(
                    dma.copyTask(listSource, inventory.buffer(living, 0, 16)),
                    dma.copyTask(inventory.dataBuffer(living, 16, 8), fixture.destination(16, 8)),
                    dma.copyTask(fixture.source(24, 8), fixture.destination(32, 8)));
            var second = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
            var good = second.copyTask(inventory.dataBuffer(living, 32, 8), inventory.buffer(living, 40, 8));
            copies.forEach(
                    copy -> copy.onCompletion(done -> ended.add(done.status())).submit());
            good.submit();
            other.memory().fill((byte) 7);

            fixture.arena().close();

            var refusals = 0;
            for (var i = 0; i < 20; i++) {
                try {
                    fixture.engine().progress();
                } catch (IllegalStateException e) {
                    assertTrue(e.getMessage().contains("arena was closed"), e.getMessage());
                    refusals++;
                }
            }
            assertEquals(3, refusals);
            assertEquals(Collections.nCopies(3, DocaError.IO_FAILED), ended);
            assertEquals(DocaError.SUCCESS, good.status());
            copies.forEach(copy -> {
                copy.close();
                copy.source().close();
                copy.destination().close();
            });
            good.close();
            good.source().close();
            good.destination().close();
            living.close();
            second.close();
            dma.close();
        }
    }

    @Test
    void a_context_can_be_closed_after_the_memory_of_an_abandoned_task_is_freed() {
        try (var fixture = new MemoryFixture(64)) {
            var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 4));
            var copy = dma.copyTask(fixture.source(0, 32), fixture.destination(32, 32));
            copy.submit();
            copy.close();
            fixture.arena().close();

            assertThrows(IllegalStateException.class, dma::close);
            dma.close();

            copy.source().close();
            copy.destination().close();
        }
    }

    @Test
    void the_buffers_of_a_task_may_be_replaced() {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var a = fixture.source(0, 8);
                var b = fixture.destination(8, 8);
                var c = fixture.destination(16, 8);
                var copy = dma.copyTask(a, b)) {
            fixture.memory().asSlice(0, 8).fill((byte) 7);
            fixture.run(copy);
            fixture.run(copy.setSource(b).setDestination(c));
            copy.requireSuccess();
            assertEquals(-1, a.data().mismatch(c.data()));
            assertEquals(
                    DocaError.NO_MEMORY,
                    assertThrows(DocaException.class, () -> dma.copyTask(a, b)).error());
        }
    }

    @Test
    void progress_throws_the_exception_of_a_listener() {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var source = fixture.source(0, 8);
                var destination = fixture.destination(8, 8);
                var copy = dma.copyTask(source, destination)) {
            copy.onCompletion(done -> {
                throw new ArithmeticException("on purpose");
            });
            copy.submit();
            assertThrows(ArithmeticException.class, () -> fixture.await(copy));
            assertTrue(copy.isCompleted());
        }
    }

    @Test
    void capabilities_are_reported() {
        try (var device = Device.open()) {
            assertTrue(DmaContext.isSupported(device));
            assertTrue(DmaContext.maxBufferSize(device) >= 1 << 20);
        }
    }

    private static void fill(MemoryFixture fixture, Random random) {
        var bytes = new byte[(int) fixture.memory().byteSize()];
        random.nextBytes(bytes);
        fixture.memory().copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
    }
}
