// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the life cycle of domains. */
class UromDomainTest {

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

    private static OutOfBandExchange alone() {
        return ThreadExchange.open(1).get(0);
    }

    /** Starts the domains of several participants, each in a thread with its own engine and worker. */
    private static List<Throwable> startTogether(
            int participants, Function<Integer, Long> ids, Function<Integer, Integer> buffers) {
        var exchanges = ThreadExchange.open(participants);
        var outcomes = new ArrayList<CompletableFuture<Throwable>>();
        for (var exchange : exchanges) {
            outcomes.add(OtherThread.start("participant " + exchange.index(), () -> {
                try (var engine = ProgressEngine.create();
                        var arena = Arena.ofConfined();
                        var worker =
                                UromWorker.create(engine, fixture.service()).setPlugins(fixture.graph())) {
                    worker.startAndWait(DEADLINE);
                    try (var domain =
                            UromDomain.create(engine, exchange, Map.of(ids.apply(exchange.index()), worker))) {
                        var count = buffers.apply(exchange.index());
                        domain.setBufferCount(count);
                        for (var i = 0; i < count; i++) {
                            domain.addBuffer(arena.allocate(100), new byte[3], new byte[5]);
                        }
                        domain.startAndWait(DEADLINE);
                        assertEquals(ContextState.RUNNING, domain.state());
                        return null;
                    }
                } catch (RuntimeException e) {
                    return e;
                }
            }));
        }
        // The engine of the service, through which workers are started, is confined to this thread.
        assertTrue(
                fixture.engine().progressUntil(() -> outcomes.stream().allMatch(CompletableFuture::isDone), DEADLINE));
        return outcomes.stream()
                .map(outcome -> outcome.orTimeout(1, TimeUnit.SECONDS).join())
                .toList();
    }

    @Test
    void a_domain_can_be_started_stopped_and_restarted() {
        var states = new ArrayList<ContextState>();
        try (var exchange = alone();
                var domain = domain(exchange)) {
            domain.onStateChanged((context, previous, next) -> states.add(next));

            for (var i = 0; i < 2; i++) {
                assertFalse(domain.start());
                assertEquals(ContextState.STARTING, domain.state());
                assertTrue(fixture.engine().progressUntil(() -> domain.state() == ContextState.RUNNING, DEADLINE));
                assertTrue(domain.stop());
                assertEquals(ContextState.IDLE, domain.state());
            }
            assertTrue(domain.exchangeFailure().isEmpty());
        }
        assertEquals(
                List.of(
                        ContextState.STARTING,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE,
                        ContextState.STARTING,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE),
                states);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void the_domains_of_all_participants_start(int participants) {
        assertEquals(
                Collections.nCopies(participants, null),
                startTogether(participants, index -> 100L + index, index -> 2));
    }

    @Test
    void one_participant_may_have_sixteen_workers() {
        var workers = IntStream.range(0, 16)
                .boxed()
                .collect(Collectors.toMap(Integer::longValue, i -> fixture.startWorker()));
        try (var exchange = alone();
                var domain = UromDomain.create(fixture.engine(), exchange, workers)) {
            domain.startAndWait(DEADLINE);

            assertEquals(workers, domain.workers());
        }
        workers.values().forEach(UromWorker::close);
    }

    @Test
    void a_different_number_of_buffers_fails_the_start_of_all_participants() {
        var failures = startTogether(3, index -> 10L + index, index -> index == 2 ? 1 : 2);

        for (var failure : failures) {
            assertEquals(DocaError.INITIALIZATION, ((DocaException) failure).error());
            assertTrue(failure.getMessage().contains("number of buffers"), failure.getMessage());
        }
    }

    @Test
    void a_duplicate_id_fails_the_start_of_all_participants() {
        for (var failure : startTogether(2, index -> 7L, index -> 0)) {
            assertEquals(DocaError.INITIALIZATION, ((DocaException) failure).error());
        }
    }

    @Test
    void a_domain_stopped_while_it_starts_becomes_idle_and_can_be_closed() {
        var exchange = ThreadExchange.open(2).get(0);
        try (var domain = domain(exchange)) {
            domain.start();
            fixture.engine().progress();
            assertTrue(domain.stop());
            assertEquals(ContextState.IDLE, domain.state());
        }
        assertThrows(ExchangeException.class, () -> exchange.begin(NONE));
    }

    @Test
    void a_domain_with_a_worker_that_is_not_running_is_rejected_naming_the_worker() {
        try (var idle = fixture.worker();
                var exchange = alone();
                var domain = UromDomain.create(fixture.engine(), exchange, Map.of(1L, worker, 42L, idle))) {
            var failure = assertThrows(DocaException.class, domain::start);

            assertEquals(DocaError.BAD_STATE, failure.error());
            assertTrue(
                    failure.getMessage().contains("the worker with the domain id 42 is not running"),
                    failure.getMessage());
            assertEquals(ContextState.IDLE, domain.state());
        }
    }

    @Test
    void workers_outlive_their_domain_and_share_its_engine() {
        try (var exchange = alone();
                var domain = domain(exchange)) {
            domain.startAndWait(DEADLINE);
            var refusal = assertThrows(IllegalStateException.class, worker::close);
            assertTrue(refusal.getMessage().contains("domain with the workers 1"), refusal.getMessage());
            assertEquals(ContextState.RUNNING, worker.state());
        }
        try (var other = ProgressEngine.create()) {
            assertThrows(IllegalArgumentException.class, () -> UromDomain.create(other, alone(), Map.of(1L, worker)));
        }
        assertThrows(IllegalArgumentException.class, () -> UromDomain.create(fixture.engine(), alone(), Map.of()));
    }

    /** libtool installs plugins as links. Hosts pass the name of the link to the worker, which resolves it. */
    @Test
    void a_plugin_loaded_through_a_symbolic_link_finds_the_workers_of_its_domain(@TempDir Path folder)
            throws IOException {
        var file = "libmessages.so.1.0.0";
        Files.copy(SoftwareInstallation.current().plugins().resolve(SandboxPlugin.NAME + ".so"), folder.resolve(file));
        Files.createSymbolicLink(folder.resolve("libmessages.so"), Path.of(file));
        try (var linked = ServiceFixture.open(EmbeddedService.open(
                        usual -> usual.toBuilder().plugins(folder).build()));
                var worker = UromWorker.create(linked.engine(), linked.service());
                var exchange = alone();
                var arena = Arena.ofConfined()) {
            var plugin = linked.service().plugin("libmessages");
            worker.setPlugins(plugin).startAndWait(DEADLINE);
            try (var domain = UromDomain.create(linked.engine(), exchange, Map.of(1L, worker))) {
                domain.startAndWait(DEADLINE);
                var sandbox = SandboxPlugin.of(worker, plugin, DEADLINE);

                sandbox.send(1, 7, arena.allocateFrom("hello"), DEADLINE);

                assertEquals(
                        "hello",
                        sandbox.receive(7, SandboxPlugin.WHOLE_TAG, 100, DEADLINE)
                                .payload()
                                .getString(0));
            }
        }
    }

    @Test
    void buffers_are_validated_before_they_are_shared() {
        try (var arena = Arena.ofConfined();
                var exchange = alone();
                var domain = domain(exchange)) {
            var memory = arena.allocate(10);
            assertEquals(DocaError.BAD_STATE, errorOf(() -> domain.addBuffer(memory, NONE, NONE)));
            domain.setBufferCount(1);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> domain.addBuffer(MemorySegment.ofArray(new byte[4]), NONE, NONE));
            assertThrows(IllegalArgumentException.class, () -> domain.setBufferCount(-1));
            domain.addBuffer(memory, NONE, NONE);
            assertEquals(DocaError.FULL, errorOf(() -> domain.addBuffer(memory, NONE, NONE)));
            domain.startAndWait(DEADLINE);
            assertEquals(DocaError.BAD_STATE, errorOf(() -> domain.addBuffer(memory, NONE, NONE)));
            assertEquals(DocaError.BAD_STATE, errorOf(() -> domain.setBufferCount(1)));
        }
    }

    @Test
    void a_region_is_not_closed_before_the_domain_that_has_it() {
        try (var host = HostMemory.open();
                var exchange = alone()) {
            var region = host.allocate(64);
            var domain = domain(exchange).setBufferCount(1);
            region.addTo(domain);
            assertEquals(DocaError.FULL, errorOf(() -> region.addTo(domain)));
            domain.startAndWait(DEADLINE);

            var refused = assertThrows(IllegalStateException.class, region::close);
            assertTrue(refused.getMessage().contains(domain.toString()), refused::getMessage);
            assertTrue(region.memory().scope().isAlive());
            domain.close();
            region.close();

            assertFalse(region.memory().scope().isAlive());
            try (var other = domain(exchange).setBufferCount(1)) {
                assertThrows(IllegalStateException.class, () -> region.addTo(other));
            }
        }
    }

    @Test
    void a_closed_domain_and_another_thread_are_refused() {
        var domain = domain(alone());
        OtherThread.run("intruder", () -> assertThrows(WrongThreadException.class, domain::start));
        domain.close();
        domain.close();
        assertThrows(IllegalStateException.class, domain::start);
        assertThrows(IllegalStateException.class, () -> domain.setBufferCount(1));
        assertThrows(IllegalStateException.class, domain::exchangeFailure);
    }

    private static DocaError errorOf(Runnable action) {
        return assertThrows(DocaException.class, action::run).error();
    }
}
