// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.doca_urom_domain_oob_coll;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.CoreAccess;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests domains whose exchange fails, stalls or returns wrong data. */
class DomainExchangeTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final byte[] NONE = {};
    private static final byte CLOSED = -1;

    private static ServiceFixture fixture;

    private UromWorker worker;

    @BeforeAll
    static void open() {
        fixture = ServiceFixture.open();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @BeforeEach
    void startWorker() {
        worker = fixture.startWorker();
    }

    @AfterEach
    void closeWorker() {
        worker.close();
    }

    private UromDomain domain(OutOfBandExchange exchange) {
        return UromDomain.create(fixture.engine(), exchange, Map.of(1L, worker));
    }

    /** An exchange with a scripted all-gather. */
    private record Scripted(Function<byte[], AllGather> begins) implements OutOfBandExchange {

        static Scripted polls(BooleanSupplier poll, byte[] blocks) {
            return new Scripted(block -> gathering(poll, () -> blocks, () -> {}));
        }

        static AllGather gathering(BooleanSupplier poll, Supplier<byte[]> blocks, Runnable close) {
            return new AllGather() {

                @Override
                public boolean poll() {
                    return poll.getAsBoolean();
                }

                @Override
                public byte[] blocks() {
                    return blocks.get();
                }

                @Override
                public void close() {
                    close.run();
                }
            };
        }

        @Override
        public int participants() {
            return 2;
        }

        @Override
        public int index() {
            return 1;
        }

        @Override
        public AllGather begin(byte[] block) {
            return begins.apply(block);
        }

        @Override
        public void close() {}
    }

    /** An exchange whose all-gathers are blocked until a gate opens. */
    private record Gated(OutOfBandExchange exchange, BooleanSupplier gate) implements OutOfBandExchange {

        @Override
        public int participants() {
            return exchange.participants();
        }

        @Override
        public int index() {
            return exchange.index();
        }

        @Override
        public AllGather begin(byte[] block) {
            var gathering = exchange.begin(block);
            return Scripted.gathering(
                    () -> gate.getAsBoolean() && gathering.poll(), gathering::blocks, gathering::close);
        }

        @Override
        public void close() {
            exchange.close();
        }
    }

    /** An exchange that counts its open all-gathers. */
    private record Counted(OutOfBandExchange exchange, AtomicInteger open) implements OutOfBandExchange {

        @Override
        public int participants() {
            return exchange.participants();
        }

        @Override
        public int index() {
            return exchange.index();
        }

        @Override
        public AllGather begin(byte[] block) {
            var gathering = exchange.begin(block);
            open.incrementAndGet();
            return Scripted.gathering(gathering::poll, gathering::blocks, () -> {
                gathering.close();
                open.decrementAndGet();
            });
        }

        @Override
        public void close() {
            exchange.close();
        }
    }

    @Test
    void a_participant_that_leaves_the_exchange_fails_the_start_of_the_others() {
        var exchanges = ThreadExchange.open(2);
        try (var domain = domain(exchanges.get(0))) {
            domain.start();
            fixture.engine().progress();
            exchanges.get(1).close();

            assertTrue(fixture.engine().progressUntil(() -> domain.state() == ContextState.IDLE, DEADLINE));
            var failure = domain.exchangeFailure().orElseThrow();
            assertTrue(failure.getMessage().contains("Participant 1"), failure.getMessage());
        }
    }

    @Test
    void an_exception_of_an_exchange_fails_the_start_but_not_the_jvm() {
        var thrown = List.of(
                new IllegalStateException("no network today"),
                new ExchangeException(DocaError.CONNECTION_RESET, "no network today"),
                new StackOverflowError("no network today"));
        for (var each : thrown) {
            var exchanges = List.of(new Scripted(block -> sneak(each)), Scripted.polls(() -> sneak(each), NONE));
            for (var exchange : exchanges) {
                try (var domain = domain(exchange)) {
                    var failure = assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE));

                    assertTrue(failure.getMessage().contains("no network today"), failure.getMessage());
                    assertSame(each, domain.exchangeFailure().orElseThrow());
                    assertEquals(ContextState.IDLE, domain.state());
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <R, T extends Throwable> R sneak(Throwable throwable) throws T {
        throw (T) throwable;
    }

    @Test
    void blocks_of_the_wrong_length_fail_the_start() {
        try (var domain = domain(Scripted.polls(() -> true, new byte[3]))) {
            var failure = assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE));

            assertTrue(failure.getMessage().contains("returned 3 bytes"), failure.getMessage());
        }
    }

    @Test
    void corrupted_blocks_fail_the_start() {
        var exchange = new Scripted(
                block -> Scripted.polls(() -> true, new byte[2 * block.length]).begin(block));
        try (var domain = domain(exchange)) {
            assertEquals(
                    DocaError.INITIALIZATION,
                    assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE))
                            .error());
        }
    }

    @Test
    void the_start_waits_for_an_incomplete_all_gather_until_the_callers_deadline() {
        try (var domain = domain(Scripted.polls(() -> false, NONE))) {
            var failure = assertThrows(DocaException.class, () -> domain.startAndWait(SHORT));

            assertEquals(DocaError.TIME_OUT, failure.error());
            assertEquals(ContextState.STARTING, domain.state());
        }
    }

    @Test
    void the_exchange_is_not_called_from_native_progress() {
        var alone = ThreadExchange.open(1).get(0);
        var nested = new AtomicBoolean();
        var watched = new Gated(alone, () -> {
            nested.compareAndSet(
                    false,
                    StackWalker.getInstance()
                            .walk(frames -> frames.anyMatch(
                                    frame -> frame.getMethodName().equals("drain"))));
            return true;
        });
        try (var domain = domain(watched)) {
            domain.startAndWait(DEADLINE);
        }
        assertFalse(nested.get(), "the exchange ran inside doca_pe_progress");
    }

    @Test
    void a_domain_starts_while_its_program_waits_for_events() {
        try (var domain = domain(ThreadExchange.open(1).get(0))) {
            domain.start();
            while (domain.state() == ContextState.STARTING) {
                if (!fixture.engine().progress()) {
                    assertTrue(fixture.engine().waitForEvent(DEADLINE));
                }
            }
            assertEquals(ContextState.RUNNING, domain.state());
        }
    }

    @Test
    void a_stopped_start_finishes_its_all_gather_and_can_be_restarted() {
        var othersCome = new AtomicBoolean();
        var open = new AtomicInteger();
        var alone = ThreadExchange.open(1).get(0);
        try (var domain = domain(new Gated(new Counted(alone, open), othersCome::get))) {
            domain.start();
            fixture.engine().progress();
            assertTrue(domain.stop());
            assertEquals(1, open.get());
            assertEquals(
                    DocaError.IN_USE,
                    assertThrows(DocaException.class, domain::start).error());

            othersCome.set(true);

            assertTrue(fixture.engine().progressUntil(() -> open.get() == 0, DEADLINE));
            domain.startAndWait(DEADLINE);
            assertEquals(0, open.get());
            domain.stop();
            fixture.engine().progress();
            assertTrue(CoreAccess.get().servers(fixture.engine()).isEmpty());
        }
        assertEquals(0, open.get());
    }

    @Test
    void closing_a_domain_closes_its_outstanding_all_gather() {
        var open = new AtomicInteger();
        var pair = ThreadExchange.open(2).get(0);
        var domain = domain(new Counted(pair, open));
        domain.start();
        fixture.engine().progress();
        assertEquals(1, open.get());

        domain.close();

        assertEquals(0, open.get());
    }

    @Test
    void a_domain_cannot_be_closed_by_its_own_exchange() {
        var domains = new ArrayList<UromDomain>();
        var alone = ThreadExchange.open(1).get(0);
        try (var domain = domain(new Gated(alone, () -> {
            domains.getFirst().stop();
            domains.getFirst().close();
            return true;
        }))) {
            domains.add(domain);
            assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE));

            assertEquals(
                    DocaError.NOT_PERMITTED,
                    ((DocaException) domain.exchangeFailure().orElseThrow()).error());
            assertTrue(domain.isOpen());
        }
    }

    @Test
    void the_answer_to_a_freed_request_is_discarded() {
        var calls = new ArrayList<Byte>();
        var exchange = new DomainExchange(new Scripted(block -> {
            calls.add(block[0]);
            return Scripted.gathering(() -> true, () -> new byte[] {block[0], 7}, () -> calls.add(CLOSED));
        }));
        try (var arena = Arena.ofConfined()) {
            var request = arena.allocate(ADDRESS);
            var oob = doca_urom_domain_oob_coll.coll_info(exchange.describe(arena));
            var first = arena.allocate(2);
            var second = arena.allocate(2);
            doca_h.jurom_oob_allgather(arena.allocateFrom(JAVA_BYTE, (byte) 1), first, 1, oob, request);
            assertTrue(exchange.take());
            exchange.work();
            doca_h.jurom_oob_req_free(request.get(ADDRESS, 0));
            doca_h.jurom_oob_allgather(arena.allocateFrom(JAVA_BYTE, (byte) 2), second, 1, oob, request);

            assertFalse(exchange.answer());
            assertArrayEquals(new byte[2], first.toArray(JAVA_BYTE));
            assertArrayEquals(new byte[2], second.toArray(JAVA_BYTE));
            assertTrue(exchange.take());
            exchange.work();
            assertTrue(exchange.answer());

            assertArrayEquals(new byte[2], first.toArray(JAVA_BYTE));
            assertArrayEquals(new byte[] {2, 7}, second.toArray(JAVA_BYTE));
            assertEquals(List.of((byte) 1, CLOSED, (byte) 2), calls);
            assertFalse(exchange.answer(), "the request was answered");
            exchange.close();
            assertFalse(exchange.take());
        }
    }

    @Test
    void killing_a_worker_fails_the_start_of_its_domain() {
        var othersCome = new AtomicBoolean();
        var alone = ThreadExchange.open(1).get(0);
        try (var domain = domain(new Gated(alone, othersCome::get))) {
            domain.start();
            fixture.engine().progress();
            ServiceFixture.workerProcesses().forEach(ProcessHandle::destroyForcibly);
            assertTrue(fixture.engine().progressUntil(() -> worker.state() == ContextState.IDLE, DEADLINE));
            assertEquals(ContextState.STARTING, domain.state());

            othersCome.set(true);

            assertTrue(fixture.engine().progressUntil(() -> domain.state() == ContextState.IDLE, DEADLINE));
        }
    }
}
