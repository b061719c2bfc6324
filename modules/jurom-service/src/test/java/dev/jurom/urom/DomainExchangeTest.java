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

/** Domains whose exchange does not do what it should, or not when it should. */
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

    /** An exchange that always does the same when it is asked, whatever that is. */
    private record Odd(Function<byte[], AllGather> begins) implements OutOfBandExchange {

        static Odd polls(BooleanSupplier poll, byte[] blocks) {
            return new Odd(block -> gathering(poll, () -> blocks, () -> {}));
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

    /** An exchange whose all-gathers are held up until a gate opens. */
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
            return Odd.gathering(() -> gate.getAsBoolean() && gathering.poll(), gathering::blocks, gathering::close);
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
            return Odd.gathering(gathering::poll, gathering::blocks, () -> {
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
    void the_others_fail_to_start_when_one_leaves_the_exchange() {
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
    void what_an_exchange_throws_ends_the_start_and_not_the_jvm() {
        var thrown = List.of(
                new IllegalStateException("no network today"),
                new ExchangeException(DocaError.CONNECTION_RESET, "no network today"),
                new StackOverflowError("no network today"));
        for (var each : thrown) {
            var exchanges = List.of(new Odd(block -> sneak(each)), Odd.polls(() -> sneak(each), NONE));
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
    void an_exchange_that_gives_blocks_of_a_wrong_length_ends_the_start() {
        try (var domain = domain(Odd.polls(() -> true, new byte[3]))) {
            var failure = assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE));

            assertTrue(failure.getMessage().contains("returned 3 bytes"), failure.getMessage());
        }
    }

    @Test
    void an_exchange_that_gives_damaged_blocks_ends_the_start() {
        var exchange = new Odd(
                block -> Odd.polls(() -> true, new byte[2 * block.length]).begin(block));
        try (var domain = domain(exchange)) {
            assertEquals(
                    DocaError.INITIALIZATION,
                    assertThrows(DocaException.class, () -> domain.startAndWait(DEADLINE))
                            .error());
        }
    }

    @Test
    void an_all_gather_that_never_completes_is_waited_for_until_the_callers_deadline() {
        try (var domain = domain(Odd.polls(() -> false, NONE))) {
            var failure = assertThrows(DocaException.class, () -> domain.startAndWait(SHORT));

            assertEquals(DocaError.TIME_OUT, failure.error());
            assertEquals(ContextState.STARTING, domain.state());
        }
    }

    @Test
    void no_java_runs_while_the_library_progresses() {
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
    void a_domain_starts_while_its_program_sleeps_until_the_next_event() {
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
    void a_stopped_start_goes_on_until_its_all_gather_is_over_and_then_starts_again() {
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
            assertTrue(fixture.engine().servers().isEmpty());
        }
        assertEquals(0, open.get());
    }

    @Test
    void closing_a_domain_closes_the_all_gather_that_is_outstanding() {
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
    void an_answer_to_a_request_that_was_freed_is_not_written() {
        var calls = new ArrayList<Byte>();
        var exchange = new DomainExchange(new Odd(block -> {
            calls.add(block[0]);
            return Odd.gathering(() -> true, () -> new byte[] {block[0], 7}, () -> calls.add(CLOSED));
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
            assertFalse(exchange.answer(), "it was answered");
            exchange.close();
            assertFalse(exchange.take());
        }
    }

    @Test
    void a_worker_that_is_killed_while_its_domain_starts_ends_the_start() {
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
