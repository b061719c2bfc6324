// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmoTest {

    private static final byte[] NOTHING = new byte[GuardedTarget.DATA_SIZE];

    private static GuardedTarget target;

    @BeforeAll
    static void open() {
        target = new GuardedTarget();
    }

    @AfterAll
    static void close() {
        target.close();
    }

    @BeforeEach
    void reset() {
        target.reset();
    }

    private static MemorySegment bytes(int... values) {
        var bytes = new byte[values.length];
        for (var i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    private static MemorySegment random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static ScatterVector vector(long offset, MemorySegment data) {
        return new ScatterVector(target.dataAddress() + offset, target.dataKey(), data);
    }

    private static void append(RdmoPeer peer, MemorySegment data, long flags) {
        peer.append(target.pointerAddress(), target.pointerKey(), target.dataKey(), data, flags);
    }

    private static byte[] data() {
        return target.data().toArray(ValueLayout.JAVA_BYTE);
    }

    private static DocaException flushFailure(RdmoPeer peer) {
        return assertThrows(DocaException.class, () -> peer.flush(DEADLINE));
    }

    @Test
    void appends_follow_each_other_and_move_the_pointer() {
        try (var peer = target.peer()) {
            append(peer, bytes(1, 2, 3), 0);
            append(peer, bytes(), 0);
            append(peer, bytes(4, 5), RdmoRequest.FENCE);

            peer.flush(DEADLINE);

            assertEquals(5, target.pointer());
            assertEquals(-1, target.data().asSlice(0, 6).mismatch(bytes(1, 2, 3, 4, 5, 0)));
        }
    }

    @Test
    void appends_of_several_peers_never_overwrite_each_other() {
        try (var one = target.peer();
                var other = target.peer()) {
            for (var i = 0; i < 50; i++) {
                append(one, bytes(1, 1), 0);
                append(other, bytes(2, 2), 0);
            }
            one.flush(DEADLINE);
            other.flush(DEADLINE);

            assertEquals(200, target.pointer());
            var ones = 0;
            for (var i = 0; i < 200; i += 2) {
                assertEquals(data()[i], data()[i + 1]);
                ones += data()[i] == 1 ? 1 : 0;
            }
            assertEquals(50, ones);
        }
    }

    @Test
    void a_scatter_writes_each_of_many_vectors_to_its_address() {
        try (var peer = target.peer()) {
            var vectors = new ArrayList<ScatterVector>();
            var expected = NOTHING.clone();
            for (var i = 0; i < 1000; i++) {
                vectors.add(vector(12L * i, random(1 + i % 11)));
                MemorySegment.copy(random(1 + i % 11), ValueLayout.JAVA_BYTE, 0, expected, 12 * i, 1 + i % 11);
            }
            peer.scatter(vectors, 0);
            peer.flush(DEADLINE);

            assertArrayEquals(expected, data());
        }
    }

    @Test
    void unreadable_data_occupies_no_space() {
        var closed = Arena.ofConfined();
        var gone = closed.allocate(8);
        closed.close();
        var confined =
                OtherThread.start("owner", () -> Arena.ofConfined().allocate(8)).join();
        try (var peer = target.peer()) {
            for (var i = 0; i < 64; i++) { // the maximum in flight
                assertThrows(IllegalStateException.class, () -> append(peer, gone, 0));
                assertThrows(WrongThreadException.class, () -> append(peer, confined, 0));
                assertThrows(IllegalStateException.class, () -> peer.scatter(List.of(vector(0, gone)), 0));
            }

            assertTrue(peer.hasRoom());
            append(peer, bytes(1), 0);
            peer.flush(DEADLINE);
        }
    }

    @Test
    void a_fence_orders_writes_to_one_address() {
        try (var peer = target.peer()) {
            for (var i = 1; i <= 100; i++) {
                peer.scatter(List.of(vector(0, bytes(i, i, i))), RdmoRequest.FENCE);
            }
            var flush = peer.beginFlush(RdmoRequest.FENCE);
            peer.await(flush, DEADLINE);
            flush.requireSuccess();

            assertEquals(-1, target.data().asSlice(0, 4).mismatch(bytes(100, 100, 100, 0)));
        }
    }

    @Test
    void a_flush_without_preceding_requests_is_answered() {
        try (var peer = target.peer()) {
            var first = peer.beginFlush(0);
            var second = peer.beginFlush(0);
            assertThrows(IllegalStateException.class, first::requireSuccess);
            peer.await(second, DEADLINE);
            peer.await(first, DEADLINE);

            first.requireSuccess();
            assertEquals(0, second.failed());
            assertEquals(DocaError.SUCCESS, second.error());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 65_535, 1 << 20, 3 << 20})
    void data_of_every_size_is_written_completely(int size) {
        try (var arena = Arena.ofConfined();
                var region = target.host().share(arena.allocate(size + 16L, Long.BYTES));
                var peer = target.peer()) {
            var key = target.rdmo().register(region, DEADLINE);
            region.memory().set(ValueLayout.JAVA_LONG, 0, region.address() + 8);
            peer.append(region.address(), key, key, random(size), 0);
            peer.flush(DEADLINE);
            target.rdmo().deregister(key, DEADLINE);

            assertEquals(-1, region.memory().asSlice(8, size).mismatch(random(size)));
            assertEquals(0, region.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 8 + size));
        }
    }

    @Test
    void an_unknown_key_is_rejected() {
        try (var peer = target.peer()) {
            peer.scatter(List.of(new ScatterVector(target.dataAddress(), 12345, bytes(1))), 0);
            peer.append(target.pointerAddress(), target.pointerKey(), 12345, bytes(1), 0);

            var failure = flushFailure(peer);

            assertEquals(DocaError.NOT_FOUND, failure.error());
            assertTrue(failure.getMessage().startsWith("2 of the requests"), failure.getMessage());
            assertArrayEquals(NOTHING, data());
            assertEquals(0, target.pointer());
            peer.flush(DEADLINE);
        }
    }

    @Test
    void a_key_is_stale_after_its_region_was_deregistered() {
        try (var arena = Arena.ofConfined();
                var peer = target.peer();
                var region = target.host().share(arena.allocate(64))) {
            var key = target.rdmo().register(region, DEADLINE);
            peer.scatter(List.of(new ScatterVector(region.address(), key, bytes(1))), 0);
            peer.flush(DEADLINE);
            target.rdmo().deregister(key, DEADLINE);

            peer.scatter(List.of(new ScatterVector(region.address(), key, bytes(2))), 0);

            assertEquals(DocaError.NOT_FOUND, flushFailure(peer).error());
            assertEquals(1, region.memory().get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(
                    DocaError.NOT_FOUND,
                    assertThrows(DocaException.class, () -> target.rdmo().deregister(key, DEADLINE))
                            .error());
            var again = target.rdmo().register(region, DEADLINE);
            peer.scatter(List.of(new ScatterVector(region.address(), key, bytes(3))), 0);
            assertEquals(DocaError.NOT_FOUND, flushFailure(peer).error());
            target.rdmo().deregister(again, DEADLINE);
        }
    }

    @Test
    void a_region_is_not_closed_while_it_is_registered() {
        var region = target.host().allocate(64);
        var first = target.rdmo().register(region, DEADLINE);
        var second = target.rdmo().register(region, DEADLINE);
        target.rdmo().deregister(first, DEADLINE);

        var refused = assertThrows(IllegalStateException.class, region::close);
        assertTrue(refused.getMessage().contains("registration at worker"), refused::getMessage);
        assertTrue(region.memory().scope().isAlive());
        target.rdmo().deregister(second, DEADLINE);
        region.close();

        assertFalse(region.memory().scope().isAlive());
    }

    @Test
    void a_scatter_with_a_vector_past_the_regions_end_writes_none_of_its_vectors() {
        var size = GuardedTarget.DATA_SIZE;
        try (var peer = target.peer()) {
            for (var bad : List.of(
                    vector(size, bytes(1)),
                    vector(size - 1, bytes(1, 2)),
                    vector(-1, bytes(1)),
                    vector(size - 10, random(1000)),
                    new ScatterVector(-1, target.dataKey(), bytes(1, 2)),
                    new ScatterVector(0, target.dataKey(), bytes(1)))) {
                peer.scatter(List.of(vector(0, bytes(9)), bad), 0);

                assertEquals(DocaError.INVALID_VALUE, flushFailure(peer).error());
                assertArrayEquals(NOTHING, data());
            }
            peer.scatter(List.of(vector(size - 1, bytes(7))), 0);
            peer.flush(DEADLINE);
            assertEquals(7, data()[size - 1]);
        }
    }

    @Test
    void an_append_that_does_not_fit_writes_nothing_and_leaves_the_pointer() {
        try (var peer = target.peer()) {
            target.setPointer(GuardedTarget.DATA_SIZE - 2);
            append(peer, bytes(1, 2, 3), 0);
            assertEquals(DocaError.INVALID_VALUE, flushFailure(peer).error());
            assertEquals(GuardedTarget.DATA_SIZE - 2, target.pointer());

            target.setPointer(-4);
            append(peer, bytes(1), 0);
            assertEquals(DocaError.INVALID_VALUE, flushFailure(peer).error());
            assertArrayEquals(NOTHING, data());
        }
    }

    @Test
    void a_region_that_is_too_small_for_a_pointer_is_rejected() {
        try (var peer = target.peer();
                var arena = Arena.ofConfined();
                var region = target.host().share(arena.allocate(7))) {
            var key = target.rdmo().register(region, DEADLINE);
            peer.append(region.address(), key, target.dataKey(), bytes(1), 0);
            assertEquals(DocaError.INVALID_VALUE, flushFailure(peer).error());
            peer.append(target.pointerAddress() + 1, target.pointerKey(), target.dataKey(), bytes(1), 0);
            assertEquals(DocaError.INVALID_VALUE, flushFailure(peer).error());
            assertArrayEquals(NOTHING, data());
            target.rdmo().deregister(key, DEADLINE);
        }
    }

    @Test
    void requests_of_a_peer_without_a_receive_queue_are_ignored() {
        try (var stranger = RdmoPeer.open()) {
            stranger.connect(target.address(), GuardedTarget.CLIENT);
            stranger.scatter(List.of(vector(0, bytes(1))), 0);

            var failure = assertThrows(DocaException.class, () -> stranger.flush(Duration.ofMillis(300)));

            assertEquals(DocaError.TIME_OUT, failure.error());
            assertTrue(failure.getMessage().contains("receive queue"), failure.getMessage());
            assertArrayEquals(NOTHING, data());
        }
    }

    @Test
    void a_peer_whose_receive_queue_was_destroyed_is_rejected() {
        try (var peer = RdmoPeer.open()) {
            var queue = target.rdmo().createReceiveQueue(peer.address(), DEADLINE);
            peer.connect(target.address(), GuardedTarget.CLIENT);
            peer.scatter(List.of(vector(0, bytes(1))), 0);
            peer.flush(DEADLINE);
            target.rdmo().destroyReceiveQueue(queue, DEADLINE);

            peer.scatter(List.of(vector(0, bytes(2))), 0);

            assertEquals(DocaError.NOT_FOUND, flushFailure(peer).error());
            assertEquals(1, data()[0]);
            assertEquals(
                    DocaError.NOT_FOUND,
                    assertThrows(DocaException.class, () -> target.rdmo().destroyReceiveQueue(queue, DEADLINE))
                            .error());
        }
    }

    @Test
    void an_unknown_client_is_not_found() {
        try (var peer = RdmoPeer.open()) {
            target.rdmo().createReceiveQueue(peer.address(), DEADLINE);
            peer.connect(target.address(), GuardedTarget.CLIENT + 1);

            assertEquals(DocaError.NOT_FOUND, flushFailure(peer).error());
        }
    }

    @Test
    void a_connection_is_one_client_with_a_unique_id() {
        assertEquals(
                DocaError.ALREADY_EXIST,
                assertThrows(DocaException.class, () -> target.rdmo().initializeClient(8, target.host(), DEADLINE))
                        .error());
        try (var worker = target.startWorker();
                var arena = Arena.ofConfined();
                var other = HostMemory.open();
                var elsewhere = other.share(arena.allocate(8))) {
            var rdmo = RdmoPlugin.of(worker, target.plugin());
            assertThrows(IllegalStateException.class, () -> rdmo.register(elsewhere, DEADLINE));
            rdmo.initializeClient(GuardedTarget.CLIENT, other, DEADLINE);
            assertThrows(IllegalArgumentException.class, () -> rdmo.register(target.dataRegion(), DEADLINE));
            rdmo.deregister(rdmo.register(elsewhere, DEADLINE), DEADLINE);
        }
    }

    @Test
    void commands_before_the_client_is_initialized_are_answered_with_an_error() {
        try (var worker = target.startWorker();
                var peer = RdmoPeer.open()) {
            var rdmo = RdmoPlugin.of(worker, target.plugin());
            for (var command : List.of(
                    new RdmoCommand.CreateReceiveQueue(MemorySegment.ofArray(peer.address())),
                    new RdmoCommand.DestroyReceiveQueue(1),
                    new RdmoCommand.DeregisterMemory(1),
                    new RdmoCommand.RegisterMemory(
                            4096, 1, MemorySegment.ofArray(target.dataRegion().packedKey()), MemorySegment.NULL))) {
                try (var task = rdmo.task()) {
                    RdmoPlugin.fill(task, command);
                    task.submit();
                    await(task);

                    assertThrows(DocaException.class, () -> RdmoPlugin.answer(task));
                }
            }
        }
    }

    @Test
    void a_peer_is_confined_to_its_thread_and_must_be_open() {
        var peer = RdmoPeer.open();
        assertThrows(IllegalStateException.class, () -> peer.beginFlush(0));
        OtherThread.run("intruder", () -> assertThrows(WrongThreadException.class, peer::address));
        peer.connect(target.address(), GuardedTarget.CLIENT);
        assertThrows(IllegalStateException.class, () -> peer.connect(target.address(), GuardedTarget.CLIENT));
        assertThrows(
                IllegalArgumentException.class, () -> append(peer, MemorySegment.ofArray(new byte[(64 << 20) + 1]), 0));
        peer.close();
        peer.close();
        assertThrows(IllegalStateException.class, peer::address);
        assertThrows(IllegalStateException.class, () -> peer.flush(DEADLINE));
    }
}
