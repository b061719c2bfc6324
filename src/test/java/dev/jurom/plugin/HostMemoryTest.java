// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.ucx.PeerMemory;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxRequest;
import dev.jurom.ucx.UcxStatus;
import dev.jurom.ucx.UcxTransports;
import dev.jurom.ucx.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostMemoryTest {

    private static void await(UcxWorker worker, UcxRequest request) {
        Waiting.until("the end of a UCX operation", () -> {
            worker.progress();
            return request.isDone();
        });
        assertEquals(UcxStatus.OK, request.status());
    }

    private static String withoutCma() {
        return UcxTransports.onThisMachine().replace("cma,", "");
    }

    @Test
    void a_peer_accesses_a_region_while_the_program_is_idle() {
        requireReachable(withoutCma());
        requireReachable(UcxTransports.onThisMachine());
    }

    @Test
    void a_peer_accesses_a_region_with_the_configured_transports() {
        var before = Environment.get("UCX_TLS");
        Environment.set("UCX_TLS", "tcp");
        try {
            requireReachable("tcp");
        } finally {
            Environment.restore("UCX_TLS", before);
        }
    }

    private static void requireReachable(String transports) {
        try (var memory = HostMemory.open();
                var arena = Arena.ofConfined();
                var region = memory.share(arena.allocate(100_000));
                var context = UcxContext.open(EnumSet.of(UcxFeature.REMOTE_MEMORY), Map.of("TLS", transports));
                var worker = context.createWorker()) {
            var text = arena.allocateFrom("written from afar");
            var back = arena.allocate(text.byteSize());
            var endpoint = worker.connect(memory.address());
            try (var remote = new PeerMemory(endpoint, region.packedKey(), region.address())) {
                await(worker, remote.put(text, 50_000));
                await(worker, endpoint.flush());
                await(worker, remote.get(back, 50_000));
            }
            await(worker, endpoint.disconnect());

            assertEquals(-1, text.mismatch(back));
            assertEquals("written from afar", region.memory().getString(50_000));
            assertEquals(0, region.memory().get(ValueLayout.JAVA_BYTE, 49_999));
        }
    }

    /** A bound for a peer that competes for the same CPU. */
    @Test
    void a_peer_that_does_not_read_its_answers_costs_little_cpu_time() throws Exception {
        try (var memory = HostMemory.open();
                var arena = Arena.ofConfined();
                var region = memory.share(arena.allocate(100_000));
                var context = UcxContext.open(EnumSet.of(UcxFeature.REMOTE_MEMORY), Map.of("TLS", withoutCma()));
                var worker = context.createWorker()) {
            var back = arena.allocate(8_000);
            var endpoint = worker.connect(memory.address());
            try (var remote = new PeerMemory(endpoint, region.packedKey(), region.address())) {
                await(worker, remote.get(back, 50_000));
                var shares = new ArrayList<Double>(); // of a CPU, with an increasing number of answers
                for (var i = 0; i < 8; i++) {
                    for (var k = 0; k < 60; k++) {
                        remote.get(back, 50_000);
                    }
                    var before = processorTime();
                    var begin = System.nanoTime();
                    Thread.sleep(100);
                    shares.add((double) (processorTime() - before) / (System.nanoTime() - begin));
                }
                assertTrue(Collections.max(shares) < 0.5, shares::toString);
                await(worker, endpoint.flush());
            }
            await(worker, endpoint.disconnect());
        }
    }

    /** Returns the CPU time of the thread that serves peers in nanoseconds. */
    private static long processorTime() {
        var server = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("jurom-host-memory"))
                .findFirst();
        return ManagementFactory.getThreadMXBean()
                .getThreadCpuTime(server.orElseThrow().threadId());
    }

    @Test
    void regions_must_be_closed_before_their_host_memory() {
        try (var arena = Arena.ofConfined()) {
            var memory = HostMemory.open();
            var region = memory.share(arena.allocate(1));

            var refusal = assertThrows(IllegalStateException.class, memory::close);
            assertTrue(refusal.getMessage().contains("1 open regions"), refusal.getMessage());
            region.close();
            region.close();
            memory.close();
            memory.close();

            assertThrows(IllegalStateException.class, () -> memory.share(arena.allocate(1)));
            assertThrows(IllegalStateException.class, region::packedKey);
        }
    }

    @Test
    void memory_without_an_address_or_bytes_is_rejected() {
        try (var memory = HostMemory.open()) {
            assertThrows(IllegalArgumentException.class, () -> memory.share(MemorySegment.ofArray(new byte[8])));
            assertThrows(IllegalArgumentException.class, () -> memory.share(MemorySegment.NULL));
        }
    }

    @Test
    void closing_leaves_no_thread() {
        HostMemory.open().close();

        assertFalse(Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("jurom-host-memory")));
    }

    @Test
    void two_host_memories_have_separate_addresses() {
        try (var one = HostMemory.open();
                var other = HostMemory.open()) {
            assertNotEquals(
                    HexFormat.of().formatHex(one.address()), HexFormat.of().formatHex(other.address()));
            assertArrayEquals(one.address(), one.address());
        }
    }
}
