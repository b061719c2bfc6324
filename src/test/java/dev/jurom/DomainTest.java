// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of domains and messages through the facade. */
@Timeout(120)
class DomainTest {

    private static final WorkerConfiguration SANDBOX = WorkerConfiguration.of(SandboxPlugin.NAME);
    private static final Duration SHORT = Duration.ofMillis(300);

    @AfterEach
    void requireNoWorkers() {
        assertEquals(List.of(), workerProcesses());
    }

    // @start region="greet"
    /** Rank 0 sends to the last rank, which returns the received message. */
    static String greet(OutOfBandExchange exchange) throws InterruptedException {
        var last = exchange.participants() - 1;
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME));
                var domain = urom.startDomain(exchange, worker)) {
            var sandbox = Sandbox.of(worker);
            if (exchange.index() == 0) {
                sandbox.send(last, 1, "hello".getBytes()).join();
            }
            return domain.id(worker) < last
                    ? ""
                    : new String(sandbox.receive(1, Sandbox.WHOLE_TAG, 100, Duration.ofSeconds(30))
                            .join()
                            .payload()
                            .toArray(ValueLayout.JAVA_BYTE));
        }
    }
    // @end

    @Test
    void two_participants_greet() throws InterruptedException {
        var sides = ThreadExchange.open(2);
        try (var urom = Urom.open()) { // both share its service
            var first = OtherThread.start("rank 0", () -> greet(sides.get(0)));

            assertEquals("hello", greet(sides.get(1)));
            assertEquals("", first.join());
        }
    }

    @Test
    void several_workers_of_one_participant_have_separate_ids() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var one = urom.startWorker(SANDBOX);
                var two = urom.startWorker(SANDBOX);
                var domain = urom.startDomain(exchange, one, two)) {
            assertEquals(List.of(0L, 1L), List.of(domain.id(one), domain.id(two)));

            Sandbox.of(one).send(1, 7, new byte[] {42}).join();
            var received =
                    Sandbox.of(two).receive(7, Sandbox.WHOLE_TAG, 10, DEADLINE).join();
            try (var arena = Arena.ofConfined()) {
                Sandbox.of(one).send(1, 8, arena.allocate(4).fill((byte) 43));
            }
            var other =
                    Sandbox.of(two).receive(8, Sandbox.WHOLE_TAG, 10, DEADLINE).join();

            assertEquals(42, received.payload().get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(7, received.senderTag());
            assertEquals(43, other.payload().get(ValueLayout.JAVA_BYTE, 3));
        }
    }

    @Test
    void messages_go_from_mapped_memory_to_mapped_memory() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var arena = Arena.ofShared();
                var host = HostMemory.open();
                var region = host.share(arena.allocate(2 << 20, Long.BYTES));
                var urom = Urom.open();
                var worker = urom.startWorker(SANDBOX);
                var domain = urom.startDomain(DomainConfiguration.builder(exchange)
                        .worker(3, worker)
                        .region(region)
                        .build())) {
            var sandbox = Sandbox.of(worker);
            var handle = sandbox.map(region).join();
            var from = region.memory().asSlice(0, 1 << 20).fill((byte) 5);
            var to = region.memory().asSlice(1 << 20);

            var received = sandbox.receive(1, 0, to, handle, DEADLINE);
            sandbox.send(3, 9, from, handle).join();

            assertEquals(1 << 20, received.join().count());
            assertEquals(9, received.join().senderTag());
            assertEquals(-1, from.mismatch(to));
            assertEquals(3, domain.id(worker));
        }
    }

    @Test
    void a_region_cannot_be_closed_before_its_domain_and_worker() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var host = HostMemory.open();
                var urom = Urom.open();
                var worker = urom.startWorker(SANDBOX)) {
            var region = host.allocate(64);
            var domain = urom.startDomain(DomainConfiguration.builder(exchange)
                    .worker(0, worker)
                    .region(region)
                    .build());
            var refused = assertThrows(IllegalStateException.class, region::close);
            assertTrue(refused.getMessage().contains(domain.toString()), refused::getMessage);
            assertTrue(region.memory().scope().isAlive());

            Sandbox.of(worker).map(region).join();
            domain.close();
            assertThrows(IllegalStateException.class, region::close);
            worker.close();
            region.close();

            assertFalse(region.memory().scope().isAlive());
        }
    }

    @Test
    void receives_that_time_out_leave_the_worker_usable_and_lose_no_message() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var worker = urom.startWorker(
                        WorkerConfiguration.builder(SandboxPlugin.NAME).tasks(2).build());
                var domain = urom.startDomain(exchange, worker)) {
            var sandbox = Sandbox.of(worker);
            for (var i = 0; i < 8; i++) {
                var late = sandbox.receive(5, Sandbox.WHOLE_TAG, 10, Duration.ofMillis(20));
                var failure = (DocaException)
                        assertThrows(CompletionException.class, late::join).getCause();
                assertEquals(DocaError.TIME_OUT, failure.error(), failure::getMessage);
            }
            sandbox.receive(5, Sandbox.WHOLE_TAG, 10, DEADLINE).cancel(false);

            sandbox.send(domain.id(worker), 5, new byte[] {42}).get(5, TimeUnit.SECONDS);
            var received = sandbox.receive(5, Sandbox.WHOLE_TAG, 10, DEADLINE).get(5, TimeUnit.SECONDS);

            assertEquals(42, received.payload().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void receives_with_different_tags_that_time_out_leave_slots_for_sends() throws Exception {
        var tasks = 4;
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.builder(SandboxPlugin.NAME)
                        .tasks(tasks)
                        .build());
                var domain = urom.startDomain(exchange, worker)) {
            var sandbox = Sandbox.of(worker);
            var late = IntStream.range(0, tasks)
                    .mapToObj(tag -> sandbox.receive(tag, Sandbox.WHOLE_TAG, 10, Duration.ofMillis(20)))
                    .toList();
            late.forEach(one -> assertThrows(CompletionException.class, one::join));

            sandbox.send(domain.id(worker), 99, new byte[1]).get(5, TimeUnit.SECONDS);

            var refused = Sandbox.of(worker).receive(99, Sandbox.WHOLE_TAG, 10, DEADLINE);
            var failure = (DocaException)
                    assertThrows(CompletionException.class, refused::join).getCause();
            assertEquals(DocaError.AGAIN, failure.error(), failure::getMessage);
            assertTrue(failure.getMessage().contains("timed out or were cancelled"), failure::getMessage);
            sandbox.send(domain.id(worker), 0, new byte[] {42}).get(5, TimeUnit.SECONDS);
            var kept = sandbox.receive(0, Sandbox.WHOLE_TAG, 10, DEADLINE).get(5, TimeUnit.SECONDS);
            assertEquals(42, kept.payload().get(ValueLayout.JAVA_BYTE, 0));
            var freed = sandbox.receive(99, Sandbox.WHOLE_TAG, 10, DEADLINE).get(5, TimeUnit.SECONDS);
            assertEquals(99, freed.senderTag());
        }
    }

    @Test
    void messages_that_come_after_a_timeout_go_to_later_receives_in_their_order() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var worker = urom.startWorker(SANDBOX);
                var domain = urom.startDomain(exchange, worker)) {
            var sandbox = Sandbox.of(worker);
            for (var i = 0; i < 2; i++) {
                var late = List.of(
                        sandbox.receive(5, Sandbox.WHOLE_TAG, 10, SHORT),
                        sandbox.receive(5, Sandbox.WHOLE_TAG, 10, SHORT));
                late.forEach(one -> assertThrows(CompletionException.class, one::join));
            }

            for (var i = 0; i < 3; i++) {
                sandbox.send(domain.id(worker), 5, new byte[] {(byte) i}).get(5, TimeUnit.SECONDS);
            }

            for (var i = 0; i < 3; i++) {
                assertEquals(
                        i,
                        sandbox.receive(5, Sandbox.WHOLE_TAG, 10, DEADLINE)
                                .get(5, TimeUnit.SECONDS)
                                .payload()
                                .get(ValueLayout.JAVA_BYTE, 0));
            }
        }
    }

    @Test
    void the_exception_contains_the_response_of_a_failed_command() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var worker = urom.startWorker(SANDBOX);
                var domain = urom.startDomain(exchange, worker)) {
            var sent = Sandbox.of(worker).send(99, 1, new byte[1]);

            var failure = (DocaException)
                    assertThrows(CompletionException.class, sent::join).getCause();

            assertEquals(DocaError.NOT_FOUND, failure.error(), failure::getMessage);
            // The notification of a send according to urom_sandbox.h: its type and a ucs_status_t.
            assertEquals(1, failure.response()[0]);
            assertEquals(-12, failure.response()[16]); // UCS_ERR_NO_ELEM
            assertEquals(0, domain.id(worker));
        }
    }

    @Test
    void the_response_in_an_exception_is_a_copy() {
        var bytes = new byte[] {1, 2};
        var failure = new DocaException(DocaError.UNKNOWN, "f", "it", "Try again.", bytes);

        bytes[0] = 9;
        failure.response()[1] = 9;

        assertArrayEquals(new byte[] {1, 2}, failure.response());
        assertEquals(0, new DocaException(DocaError.UNKNOWN, "f", "it").response().length);
    }

    @Test
    void a_worker_cannot_be_closed_before_its_domain() throws InterruptedException {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open()) {
            var worker = urom.startWorker(SANDBOX);
            var domain = urom.startDomain(exchange, worker);

            var refused = assertThrows(IllegalStateException.class, worker::close);
            assertTrue(refused.getMessage().contains("participant 0 of a domain of 1"), refused::getMessage);
            assertTrue(worker.isRunning());
            domain.close();
            domain.close();
            worker.close();
            assertFalse(worker.isRunning());
        }
    }

    @Test
    void closing_the_urom_closes_all_in_order() throws InterruptedException {
        try (var exchange = ThreadExchange.open(1).getFirst()) {
            var urom = Urom.open();
            var worker = urom.startWorker(SANDBOX);
            var domain = urom.startDomain(exchange, worker);

            urom.close();

            assertFalse(worker.isRunning());
            domain.close();
            worker.close();
        }
    }

    @Test
    void a_start_without_a_participant_times_out_and_the_worker_continues() throws Exception {
        var sides = ThreadExchange.open(2);
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME, GraphPlugin.NAME))) {
            var lonely = DomainConfiguration.builder(sides.get(0))
                    .worker(worker)
                    .startTimeout(SHORT)
                    .build();

            var late = assertThrows(DocaException.class, () -> urom.startDomain(lonely));

            assertEquals(DocaError.TIME_OUT, late.error(), late::getMessage);
            assertTrue(late.getMessage().contains("participant 0 of a domain of 2"), late::getMessage);
            assertEquals(1, worker.call(GraphPlugin.LOOPBACK, 1L));
        }
    }

    @Test
    void a_worker_closes_immediately_after_its_domain_failed_to_start() throws InterruptedException {
        try (var urom = Urom.open()) {
            for (var i = 0; i < 5; i++) {
                var worker = urom.startWorker(SANDBOX);
                var late = DomainConfiguration.builder(ThreadExchange.open(2).getFirst())
                        .worker(worker)
                        .startTimeout(Duration.ofMillis(20))
                        .build();
                assertThrows(DocaException.class, () -> urom.startDomain(late));
                worker.close();
                assertFalse(worker.isRunning());

                var other = urom.startWorker(SANDBOX);
                urom.startDomainAsync(DomainConfiguration.builder(
                                        ThreadExchange.open(2).getFirst())
                                .worker(other)
                                .build())
                        .cancel(true);
                other.close();
            }
        }
    }

    @Test
    void a_cancelled_or_closed_start_leaks_nothing() throws InterruptedException {
        var urom = Urom.open();
        var one = urom.startWorker(SANDBOX);
        var two = urom.startWorker(SANDBOX);
        urom.startDomainAsync(DomainConfiguration.builder(ThreadExchange.open(2).getFirst())
                        .worker(one)
                        .build())
                .cancel(true);
        var starting = urom.startDomainAsync(
                DomainConfiguration.builder(ThreadExchange.open(2).getFirst())
                        .worker(two)
                        .build());

        urom.close();

        var end = assertThrows(Exception.class, () -> starting.get(1, TimeUnit.SECONDS));
        assertEquals(IllegalStateException.class, end.getCause().getClass(), end::toString);
    }

    /** Returns the exchange of participant 1. */
    private static OutOfBandExchange exchange(IntSupplier participants, Function<byte[], AllGather> begin) {
        return new OutOfBandExchange() {

            @Override
            public int participants() {
                return participants.getAsInt();
            }

            @Override
            public int index() {
                return 1;
            }

            @Override
            public AllGather begin(byte[] block) {
                return begin.apply(block);
            }

            @Override
            public void close() {
                // Nothing to close.
            }
        };
    }

    @Test
    void an_exchange_that_fails_is_the_cause() throws InterruptedException {
        var broken = exchange(() -> 2, block -> {
            throw new UnsupportedOperationException("no line");
        });
        try (var urom = Urom.open();
                var worker = urom.startWorker(SANDBOX)) {
            var failure = assertThrows(DocaException.class, () -> urom.startDomain(broken, worker));

            assertEquals(DocaError.INITIALIZATION, failure.error());
            assertEquals("no line", failure.getCause().getMessage());
        }
    }

    @Test
    void an_error_while_a_domain_is_created_fails_its_start_and_its_worker_can_be_closed() throws InterruptedException {
        IntSupplier exhausting = () -> {
            if (Thread.currentThread().getName().equals("urom")) {
                throw new OutOfMemoryError("no heap");
            }
            return 2;
        };
        var exchange = exchange(exhausting, block -> {
            throw new AssertionError("never started");
        });
        try (var urom = Urom.open()) {
            var worker = urom.startWorker(SANDBOX);

            var failure = assertThrows(CompletionException.class, () -> urom.startDomain(exchange, worker));

            assertEquals("no heap", failure.getCause().getMessage());
            worker.close();
        }
    }

    @Test
    void invalid_configurations_are_rejected() throws InterruptedException {
        try (var urom = Urom.open();
                var other = Urom.open();
                var worker = urom.startWorker(SANDBOX);
                var exchange = ThreadExchange.open(1).getFirst()) {
            var builder = DomainConfiguration.builder(exchange);

            assertThrows(IllegalArgumentException.class, builder::build);
            assertThrows(IllegalArgumentException.class, () -> urom.startDomain(exchange));
            assertThrows(IllegalArgumentException.class, () -> urom.startDomain(exchange, worker, worker));
            assertThrows(IllegalArgumentException.class, () -> other.startDomain(exchange, worker));
            assertThrows(IllegalArgumentException.class, () -> builder.startTimeout(Duration.ZERO));
        }
    }

    @Test
    void a_sandbox_requires_its_plugin() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var failure = assertThrows(DocaException.class, () -> Sandbox.of(worker));

            assertEquals(DocaError.NOT_FOUND, failure.error());
            assertTrue(failure.getMessage().contains("worker_sandbox"), failure::getMessage);
        }
    }
}
