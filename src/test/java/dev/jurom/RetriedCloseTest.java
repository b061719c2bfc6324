// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.BufferInventory;
import dev.jurom.core.Device;
import dev.jurom.core.DmaContext;
import dev.jurom.core.Graph;
import dev.jurom.core.MemoryMap;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.exchange.ThreadExchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a close which failed at any step succeeds when it is repeated. */
@Timeout(120)
class RetriedCloseTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @AfterEach
    void requireNoWorkers() {
        assertEquals(List.of(), workerProcesses());
    }

    /** Reads from a channel into memory, which prevents the arena from being closed. */
    private static final class Reading implements AutoCloseable {

        private final Pipe pipe;
        private final CompletableFuture<Integer> reader;

        Reading(MemorySegment memory) throws Exception {
            pipe = Pipe.open();
            reader = OtherThread.start(
                    "reader", () -> pipe.source().read(memory.asSlice(0, 8).asByteBuffer()));
            ServiceFixture.eventually(
                    "the channel reads",
                    () -> Thread.getAllStackTraces().entrySet().stream()
                            .anyMatch(entry -> entry.getKey().getName().equals("reader")
                                    && Arrays.stream(entry.getValue())
                                            .anyMatch(frame ->
                                                    frame.getMethodName().startsWith("read"))
                                    && entry.getValue()[0].isNativeMethod()));
        }

        @Override
        public void close() throws IOException {
            pipe.sink().write(ByteBuffer.wrap(new byte[8]));
            reader.join();
            pipe.sink().close();
            pipe.source().close();
        }
    }

    private static <T> T onEngineThread(Worker worker, Supplier<T> action) throws Exception {
        var result = new CompletableFuture<T>();
        worker.engine().execute(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_target_whose_memory_is_in_use() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(RdmoPlugin.NAME))) {
            var target = RdmoTarget.open(worker, 64);
            var memory = target.memory();
            try (var reading = new Reading(memory)) {
                assertThrows(IllegalStateException.class, target::close);
                assertThrows(IllegalStateException.class, target::close);
            }

            target.close();

            assertFalse(memory.scope().isAlive());
        }
    }

    @Test
    void a_urom_with_such_a_target() throws Exception {
        var urom = Urom.open();
        var worker = urom.startWorker(WorkerConfiguration.of(RdmoPlugin.NAME));
        var target = RdmoTarget.open(worker, 64);
        try (var reading = new Reading(target.memory())) {
            var begin = System.nanoTime();
            assertThrows(IllegalStateException.class, urom::close);
            assertTrue(System.nanoTime() - begin < SOON.toNanos());
        }

        urom.close();
    }

    @Test
    void a_worker_whose_payload_is_in_use() throws Exception {
        try (var urom = Urom.open()) {
            var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
            var payloads = new ArrayList<MemorySegment>();
            var keeping = Offload.<Void, Void>of(
                    GraphPlugin.NAME,
                    GraphPlugin.LOOPBACK.version(),
                    (command, payload) -> {
                        payloads.add(payload);
                        throw new ArithmeticException("on purpose");
                    },
                    answer -> null);
            assertThrows(ArithmeticException.class, () -> worker.call(keeping, null));
            try (var reading = new Reading(payloads.getFirst())) {
                assertThrows(IllegalStateException.class, worker::close);
                assertThrows(IllegalStateException.class, worker::close);
            }

            worker.close();

            assertFalse(worker.isOpen());
            urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME)).close();
        }
    }

    @Test
    void a_worker_whose_context_is_in_use() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open()) {
            var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME));
            var domain = onEngineThread(
                    worker,
                    () -> UromDomain.create(worker.engine().progress(), exchange, Map.of(0L, worker.context())));
            assertThrows(IllegalStateException.class, worker::close);
            onEngineThread(worker, () -> {
                domain.close();
                return domain;
            });

            worker.close();

            assertFalse(worker.isOpen());
        }
    }

    @Test
    void a_urom_whose_service_cannot_be_destroyed() throws Exception {
        var urom = Urom.open();
        var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        var other = onEngineThread(
                worker,
                () -> UromWorker.create(
                        worker.engine().progress(), worker.context().service()));
        assertThrows(IllegalStateException.class, urom::close);
        onEngineThread(worker, () -> {
            other.close();
            return other;
        });

        urom.close();
        urom.counters();
    }

    private static void requireRetried(AutoCloseable object, AutoCloseable needsIt) throws Exception {
        assertThrows(IllegalStateException.class, object::close, object::toString);
        assertThrows(IllegalStateException.class, object::close, object::toString);
        needsIt.close();
        object.close();
        object.close();
    }

    @Test
    void an_object_of_the_core_that_others_need() throws Exception {
        try (var arena = Arena.ofConfined()) {
            var engine = ProgressEngine.create();
            var device = Device.open();
            var map = MemoryMap.create()
                    .setRange(arena.allocate(64, 64))
                    .addDevice(device)
                    .start();
            var inventory = BufferInventory.create(4).start();
            var source = inventory.dataBuffer(map, 0, 8);
            var destination = inventory.buffer(map, 8, 8);
            var dma = DmaContext.create(engine, device, 1);
            dma.startAndWait(DEADLINE);
            var graph = Graph.create(engine, 1);

            requireRetried(dma, dma.copyTask(source, destination));
            destination.close();
            assertThrows(IllegalStateException.class, map::close);
            requireRetried(inventory, source);
            requireRetried(engine, graph);
            requireRetried(device, map);
        }
    }

    @Test
    void an_object_of_the_urom_layer_that_others_need() throws Exception {
        try (var fixture = ServiceFixture.open();
                var exchange = ThreadExchange.open(1).getFirst()) {
            var plugin = SandboxPlugin.find(fixture.service());
            var worker = UromWorker.create(fixture.engine(), fixture.service()).setPlugins(plugin);
            worker.startAndWait(DEADLINE);
            var domain = UromDomain.create(fixture.engine(), exchange, Map.of(0L, worker));

            assertThrows(IllegalStateException.class, worker::close);
            domain.close();
            requireRetried(worker, worker.commandTask(plugin));
            requireRetried(fixture.service(), UromWorker.create(fixture.engine(), fixture.service()));
        }
    }

    @Test
    void memory_and_peers_of_the_rdmo_plugin() throws Exception {
        try (var arena = Arena.ofShared()) {
            var memory = HostMemory.open();
            requireRetried(memory, memory.share(arena.allocate(64)));
            var peer = RdmoPeer.open();
            OtherThread.run("other", () -> assertThrows(WrongThreadException.class, peer::close));
            peer.close();
            peer.close();
        }
    }

    @Test
    void a_pool_of_tasks_whose_payload_is_in_use() throws Exception {
        try (var fixture = ServiceFixture.open()) {
            var plugin = GraphPlugin.find(fixture.service());
            try (var worker =
                    UromWorker.create(fixture.engine(), fixture.service()).setPlugins(plugin)) {
                worker.startAndWait(DEADLINE);
                var pool = worker.commandTaskPool(plugin.id(), 2);
                var payload = pool.tasks().getFirst().payload();
                try (var reading = new Reading(payload)) {
                    assertThrows(IllegalStateException.class, pool::close);
                }

                pool.close();

                assertFalse(payload.scope().isAlive());
            }
        }
    }
}
