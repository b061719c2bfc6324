// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.jurom.core.Buffer;
import dev.jurom.core.BufferInventory;
import dev.jurom.core.BufferPool;
import dev.jurom.core.Device;
import dev.jurom.core.DmaContext;
import dev.jurom.core.DmaCopyTask;
import dev.jurom.core.Graph;
import dev.jurom.core.GraphInstance;
import dev.jurom.core.LogSource;
import dev.jurom.core.MemoryMap;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.ShaAlgorithm;
import dev.jurom.core.ShaContext;
import dev.jurom.core.ShaHashTask;
import dev.jurom.core.ShaPartialHashTask;
import dev.jurom.core.SyncEvent;
import dev.jurom.core.SyncEventTask;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.MemoryFixture;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.UromDaemon;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.ucx.UcxContext;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CommandTaskPool;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkersByGroupTask;
import dev.jurom.urom.exchange.PmixExchange;
import dev.jurom.urom.exchange.TcpExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a close which failed at any step succeeds when it is repeated. */
@Timeout(120)
class RetriedCloseTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Logger LOGGER = Logger.getLogger("dev.jurom.service");

    @BeforeAll
    static void keepServicesQuiet() {
        LOGGER.setUseParentHandlers(false);
    }

    @AfterAll
    static void letServicesLog() {
        LOGGER.setUseParentHandlers(true);
    }

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
                                    && entry.getValue().length > 0
                                    && entry.getValue()[0].isNativeMethod()
                                    && entry.getValue()[0].getMethodName().startsWith("read")));
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

    private static void requireRetried(AutoCloseable object, AutoCloseable obstacle) throws Exception {
        assertThrows(RuntimeException.class, object::close, object::toString);
        assertThrows(RuntimeException.class, object::close, object::toString);
        obstacle.close();
        object.close();
        object.close();
    }

    /** The value of a private field. */
    @SuppressWarnings("unchecked")
    private static <T> T field(Object object, String name) throws ReflectiveOperationException {
        var field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return (T) field.get(object);
    }

    /** A handler that throws when a service logs its end. */
    private static final class FailingLog extends Handler implements AutoCloseable {

        private static final LogSettings LOGGED = LogSettings.DEFAULT.withLevels(LogLevel.INFO, LogLevel.WARNING);

        FailingLog() {
            LOGGER.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().contains("has ended")) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void flush() {
            // nothing waits
        }

        @Override
        public void close() {
            LOGGER.removeHandler(this);
        }
    }

    /** Closes an object of a type while an obstacle is there, and then without. */
    private record Attempt(Class<?> type, Executable attempt) {

        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    private static final List<Attempt> ATTEMPTS = List.of(
            new Attempt(ShaContext.class, RetriedCloseTest::sha),
            new Attempt(SyncEvent.class, RetriedCloseTest::syncEvent),
            new Attempt(Graph.class, RetriedCloseTest::graph),
            new Attempt(GraphInstance.class, RetriedCloseTest::graphInstance),
            new Attempt(BufferPool.class, RetriedCloseTest::pool),
            new Attempt(Buffer.class, RetriedCloseTest::buffer),
            new Attempt(UromDomain.class, RetriedCloseTest::uromDomain),
            new Attempt(Domain.class, RetriedCloseTest::domain),
            new Attempt(RdmoWriter.class, RetriedCloseTest::writer),
            new Attempt(UromDaemon.class, RetriedCloseTest::daemon),
            new Attempt(EmbeddedService.class, RetriedCloseTest::embeddedService),
            new Attempt(Urom.class, RetriedCloseTest::sharedService));

    /** Types whose close other tests of this class let fail. */
    private static final Set<Class<?>> TESTED = Set.of(
            RdmoTarget.class,
            Worker.class,
            ProgressEngine.class,
            Device.class,
            MemoryMap.class,
            BufferInventory.class,
            DmaContext.class,
            UromService.class,
            UromWorker.class,
            CommandTaskPool.class,
            HostMemory.class,
            HostRegion.class,
            RdmoPeer.class);

    /** Types whose close has no step that can fail temporarily, with the reason. */
    private static final Map<Class<?>, String> NEVER_FAIL = Map.of(
            LogSource.class, "the library keeps its number until it is closed",
            TcpExchange.class, "the system closes a socket even when it reports an error",
            ThreadExchange.class, "it marks a table in memory",
            PmixExchange.class, "PMIx_Finalize ends the process's part whatever it returns",
            DmaCopyTask.class, "a task in flight is given up",
            ShaHashTask.class, "a task in flight is given up",
            ShaPartialHashTask.class, "a task in flight is given up",
            SyncEventTask.class, "a task in flight is given up",
            CommandTask.class, "a task in flight is given up, and one of a pool is closed by that",
            WorkersByGroupTask.class, "a task in flight is given up");

    static List<Attempt> attempts() {
        return ATTEMPTS;
    }

    @ParameterizedTest
    @MethodSource("attempts")
    void a_close_that_has_failed_can_be_repeated(Attempt attempt) throws Throwable {
        attempt.attempt().execute();
    }

    @Test
    void every_type_that_applications_close_is_tested() {
        var exported = ModuleFinder.of(Command.LIBRARY, Command.WORKER, Command.SERVICE).findAll().stream()
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(exports -> !exports.isQualified())
                .map(Exports::source)
                .toList();
        var closeable = new ClassFileImporter()
                        .withImportOption(location -> !location.contains("/dev/jurom/abi/")) // generated
                        .importPaths(Command.LIBRARY, Command.WORKER, Command.SERVICE)
                        .stream()
                        .filter(type -> exported.contains(type.getPackageName())
                                && type.isAssignableTo(AutoCloseable.class)
                                && type.getModifiers().contains(JavaModifier.PUBLIC)
                                && type.getModifiers().contains(JavaModifier.FINAL))
                        .map(JavaClass::getName)
                        .collect(Collectors.toCollection(TreeSet::new));
        closeable.add(TcpExchange.class.getName()); // sealed

        var known = new TreeSet<String>();
        ATTEMPTS.forEach(attempt -> known.add(attempt.type().getName()));
        TESTED.forEach(type -> known.add(type.getName()));
        NEVER_FAIL.keySet().forEach(type -> known.add(type.getName()));
        assertEquals(closeable, known);
    }

    private static void sha() throws Exception {
        try (var fixture = new MemoryFixture(128);
                var source = fixture.source(0, 8);
                var digest = fixture.destination(64, 64)) {
            var sha = fixture.start(
                    ShaContext.create(fixture.engine(), fixture.device()).setHashTasks(1));
            requireRetried(sha, sha.hashTask(ShaAlgorithm.SHA256, source, digest));
        }
    }

    private static void syncEvent() throws Exception {
        try (var fixture = new MemoryFixture(64)) {
            var event = fixture.start(
                    SyncEvent.create(fixture.engine(), fixture.device()).setTasks(SyncEventTask.Kind.SET, 1));
            requireRetried(event, event.setTask(1));
        }
    }

    private static void graph() throws Exception {
        try (var fixture = new MemoryFixture(64);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1))) {
            var graph = Graph.create(fixture.engine(), 1);
            graph.addTask(dma);
            requireRetried(graph.start(), graph.instance());
        }
    }

    private static void graphInstance() throws Exception {
        try (var fixture = new MemoryFixture(64);
                var source = fixture.source(0, 8);
                var destination = fixture.destination(8, 8);
                var dma = fixture.start(DmaContext.create(fixture.engine(), fixture.device(), 1));
                var copy = dma.copyTask(source, destination);
                var graph = Graph.create(fixture.engine(), 1)) {
            var node = graph.addTask(dma);
            var instance = graph.start().instance().set(node, copy);
            instance.submit();
            requireRetried(instance, () -> assertTrue(fixture.engine().progressUntil(instance::isCompleted, DEADLINE)));
        }
    }

    private static void pool() throws Exception {
        try (var fixture = new MemoryFixture(64)) {
            var pool = BufferPool.create(1, 64, fixture.map()).start();
            requireRetried(pool, pool.buffer());
        }
    }

    private static void buffer() throws Exception {
        try (var fixture = new MemoryFixture(64);
                var first = fixture.source(0, 8)) {
            var second = fixture.source(8, 8);
            first.chain(second);
            requireRetried(second, () -> first.unchain(second));
        }
    }

    private static void uromDomain() throws Exception {
        try (var fixture = ServiceFixture.open();
                var exchange = ThreadExchange.open(1).getFirst();
                var worker = fixture.startWorker()) {
            var domain = UromDomain.create(fixture.engine(), exchange, Map.of(0L, worker));
            domain.startAndWait(DEADLINE);
            requireRetried(domain, new Reading(field(field(domain, "exchange"), "oob")));
        }
    }

    private static void domain() throws Exception {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME))) {
            var domain = urom.startDomain(exchange, worker);
            requireRetried(domain, new Reading(field(field(field(domain, "context"), "exchange"), "oob")));
        }
    }

    private static void writer() throws Exception {
        var writer = RdmoWriter.open();
        UcxContext context = field(field(writer, "awake"), "context");
        requireRetried(writer, context.createWorker());
        assertFalse(RetriedCloseTest.<Thread>field(writer, "thread").isAlive());
    }

    private static void daemon() throws Exception {
        var usual = DaemonConfiguration.usual().toBuilder().logs(FailingLog.LOGGED);
        requireRetried(UromDaemon.open(usual.build()), new FailingLog());
    }

    private static EmbeddedService loggedService() {
        return EmbeddedService.open(
                usual -> usual.toBuilder().logs(FailingLog.LOGGED).build());
    }

    private static void embeddedService() throws Exception {
        var named = ServiceFile.named();
        requireRetried(loggedService(), new FailingLog());
        assertEquals(named, ServiceFile.named());
    }

    /** The service that is shared by default closes with its last user. */
    private static void sharedService() throws Exception {
        var shared = SharedService.class.getDeclaredField("shared");
        shared.setAccessible(true);
        var service = loggedService();
        EmbeddedServices.remove(service); // as the service that the library opens
        shared.set(null, service);
        requireRetried(Urom.open(), new FailingLog());
        assertEquals(null, shared.get(null));
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
    void a_region_whose_memory_is_in_use() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME));
                var host = HostMemory.open()) {
            var region = host.allocate(64);
            try (var reading = new Reading(region.memory())) {
                assertThrows(IllegalStateException.class, region::close);
                assertThrows(IllegalStateException.class, region::packedKey);
                assertThrows(
                        IllegalStateException.class, () -> Sandbox.of(worker).map(region));
                assertThrows(IllegalStateException.class, region::close);
            }

            region.close();

            assertFalse(region.memory().scope().isAlive());
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
