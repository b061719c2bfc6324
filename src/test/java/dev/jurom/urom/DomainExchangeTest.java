// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
            return new Odd(block -> gathering(poll, () -> blocks, () -> { }));
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
        public void close() {
        }
    }

    /** An exchange whose all-gathers are held up until a gate opens. */
    private record Gated(OutOfBandExchange exchange, BooleanSupplier gate)
            implements OutOfBandExchange {

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
            return Odd.gathering(() -> gate.getAsBoolean() && gathering.poll(), gathering::blocks,
                    gathering::close);
        }

        @Override
        public void close() {
            exchange.close();
        }
    }

    @Test
    void the_others_fail_to_start_when_one_leaves_the_exchange() {
        var exchanges = ThreadExchange.among(2);
        try (var domain = domain(exchanges.get(0))) {
            domain.start();
            fixture.engine().progress();
            exchanges.get(1).close();

            assertTrue(fixture.engine().progressUntil(
                    () -> domain.state() == ContextState.IDLE, DEADLINE));
            var failure = domain.exchangeFailure().orElseThrow();
            assertTrue(failure.getMessage().contains("Participant 1"), failure.getMessage());
        }
    }

    @Test
    void what_an_exchange_throws_ends_the_start_and_not_the_jvm() {
        var thrown = List.of(new IllegalStateException("no network today"),
                new ExchangeException(DocaError.CONNECTION_RESET, "no network today"),
                new StackOverflowError("no network today"));
        for (var each : thrown) {
            var exchanges = List.of(new Odd(block -> sneak(each)),
                    Odd.polls(() -> sneak(each), NONE));
            for (var exchange : exchanges) {
                try (var domain = domain(exchange)) {
                    var failure = assertThrows(DocaException.class,
                            () -> domain.startAndWait(DEADLINE));

                    assertTrue(failure.getMessage().contains("no network today"),
                            failure.getMessage());
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

            assertTrue(failure.getMessage().contains("gave 3 bytes"), failure.getMessage());
        }
    }

    @Test
    void an_exchange_that_gives_damaged_blocks_ends_the_start() {
        var exchange = new Odd(block -> Odd.polls(() -> true, new byte[2 * block.length])
                .begin(block));
        try (var domain = domain(exchange)) {
            assertEquals(DocaError.INITIALIZATION, assertThrows(DocaException.class,
                    () -> domain.startAndWait(DEADLINE)).error());
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
    void a_worker_that_is_killed_while_its_domain_starts_ends_the_start() {
        var othersCome = new AtomicBoolean();
        var alone = ThreadExchange.among(1).get(0);
        try (var domain = domain(new Gated(alone, othersCome::get))) {
            domain.start();
            fixture.engine().progress();
            ServiceFixture.workerProcesses().forEach(ProcessHandle::destroyForcibly);
            assertTrue(fixture.engine().progressUntil(
                    () -> worker.state() == ContextState.IDLE, DEADLINE));
            assertEquals(ContextState.STARTING, domain.state());

            othersCome.set(true);

            assertTrue(fixture.engine().progressUntil(
                    () -> domain.state() == ContextState.IDLE, DEADLINE));
        }
    }
}
