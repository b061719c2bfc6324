// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.UromService;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that exceptions name the failed operation, the object, the reason and the remedy. */
class MessagesTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);

    private final Urom urom = Urom.open();

    @AfterEach
    void close() {
        urom.close();
    }

    private static void assertSays(Throwable failure, String... parts) {
        for (var part : parts) {
            assertTrue(failure.getMessage().contains(part), () -> "no \"" + part + "\" in: " + failure.getMessage());
        }
    }

    private static void assertRefuses(Executable action) {
        assertThrows(IllegalArgumentException.class, action);
    }

    @Test
    void a_rejection_names_the_plugin_and_the_command() throws InterruptedException {
        var refused = Offload.<Integer, Long>of(
                GraphPlugin.NAME, GraphPlugin.VERSION, (length, payload) -> length, GraphCodec::loopbackData);
        try (var worker = urom.startWorker(GRAPH)) {
            var called = assertThrows(DocaException.class, () -> worker.call(refused, 3));
            var submitted = assertThrows(
                            CompletionException.class,
                            () -> worker.submit(refused, 3).join())
                    .getCause();

            for (var failure : List.of(called, submitted)) {
                assertSays(
                        failure,
                        worker.toString(),
                        "the plugin \"worker_graph\" refused",
                        "Integer",
                        "3 bytes",
                        "INVALID_VALUE");
                assertFalse(failure.getMessage().contains("doca_task_submit"));
            }
        }
    }

    @Test
    void a_timeout_names_the_operation_the_object_and_the_time() throws InterruptedException {
        try (var worker = urom.startWorker(GRAPH)) {
            var process =
                    Long.toString(ServiceFixture.workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            try {
                for (var time : List.of(Duration.ofNanos(100), Duration.ofMillis(30))) {
                    var options = CallOptions.DEFAULT.withTimeout(time);
                    var failure = assertThrows(DocaException.class, () -> worker.call(LOOPBACK, 1L, options));
                    assertSays(
                            failure,
                            "a command to " + worker,
                            "TIME_OUT",
                            time.toMillis() == 0 ? "within 100 ns" : "within 30 ms");
                    assertFalse(failure.getMessage().contains("doca_pe_progress"));
                }
            } finally {
                Command.run("kill", "-CONT", process);
            }
        }
    }

    @Test
    void a_timeout_that_is_not_positive_is_rejected() {
        for (var time : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertRefuses(() -> CallOptions.DEFAULT.withTimeout(time));
            assertRefuses(() -> WorkerConfiguration.builder("any").submitTimeout(time));
            assertRefuses(() -> UromConfiguration.builder().callTimeout(time));
        }
        try (var peer = RdmoPeer.open();
                var writer = RdmoWriter.open()) {
            for (var time : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                assertRefuses(() -> peer.flush(time));
                assertRefuses(() -> writer.flush(time));
            }
            assertSays(
                    assertThrows(IllegalArgumentException.class, () -> peer.flush(Duration.ofMillis(-1500))),
                    "-1500 ms is not positive");
        }
    }

    /** A command of any length. */
    private record Bytes(MemorySegment content) {}

    @Test
    void the_error_of_a_command_that_is_too_long_names_the_limit_to_raise() throws InterruptedException {
        var struct = StructBuilder.<Bytes>struct("bytes");
        var content = struct.rest("content", Bytes::content);
        var codec = struct.codec(in -> new Bytes(content.get(in)));
        var packed =
                Offload.<Bytes, Long>of(GraphPlugin.NAME, GraphPlugin.VERSION, codec::pack, GraphCodec::loopbackData);
        var counted = Offload.<Bytes, Long>of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (bytes, payload) -> bytes.content().byteSize(),
                GraphCodec::loopbackData);
        try (var worker = urom.startWorker(GRAPH)) {
            for (var offload : List.of(packed, counted)) {
                assertSays(
                        assertThrows(
                                RuntimeException.class,
                                () -> worker.call(offload, new Bytes(MemorySegment.ofArray(new byte[5000])))),
                        "5000",
                        "maxMessageSize",
                        "UromConfiguration",
                        "--max-msg-size");
            }
        }
    }

    @Test
    void the_error_of_a_missing_plugin_says_how_to_add_a_folder() {
        assertSays(
                assertThrows(DocaException.class, () -> urom.startWorker(WorkerConfiguration.of("my_plugin"))),
                "my_plugin",
                "worker_graph",
                "UROM_PLUGIN_PATH",
                "EmbeddedService.open");
    }

    @Test
    void a_rejected_worker_reports_the_error_of_the_service() throws InterruptedException {
        var twice = WorkerConfiguration.builder(GraphPlugin.NAME)
                .id(7)
                .environment(Map.of("A", "b"))
                .build();
        try (var worker = urom.startWorker(twice)) {
            var refused = assertThrows(DocaException.class, () -> urom.startWorker(twice));

            assertEquals(DocaError.ALREADY_EXIST, refused.error());
            assertSays(refused, "worker 7", "its environment cannot be set any more");
        }
    }

    private static void assertRange(Consumer<Integer> setter) {
        assertRefuses(() -> setter.accept(UromService.MIN_MESSAGE_SIZE - 1));
        assertRefuses(() -> setter.accept(UromService.MAX_MESSAGE_SIZE + 1));
        setter.accept(UromService.MIN_MESSAGE_SIZE);
        setter.accept(UromService.MAX_MESSAGE_SIZE);
    }

    @Test
    void setters_check_their_ranges() {
        assertRange(bytes -> UromConfiguration.builder().maxMessageSize(bytes));
        assertRange(bytes -> DaemonConfiguration.usual().toBuilder().maxMessageSize(bytes));
        assertRefuses(() -> UromConfiguration.builder().maxWorkers(3));
        assertRefuses(() -> WorkerConfiguration.builder("any").tasks(1 << 17));
        assertRefuses(() -> WorkerConfiguration.builder("any").environment(Map.of("A=B", "")));
    }

    @Test
    void the_maximum_message_size_can_be_set_once() throws InterruptedException {
        urom.close();
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().maxMessageSize(8192).build());
                var other = Urom.open();
                var worker = other.startWorker(GRAPH)) {
            assertTrue(worker.maxCommandSize() > 8000);
            assertEquals(5, worker.call(LOOPBACK, 5L));
        }
        try (var first = Urom.open(
                        UromConfiguration.builder().maxMessageSize(8192).build());
                var second = Urom.open();
                var worker = second.startWorker(GRAPH)) {
            assertTrue(worker.maxCommandSize() > 8000);
        }
    }

    private static void assertValue(Object one, Object same, Object other, String... parts) {
        assertEquals(one, same);
        assertEquals(one.hashCode(), same.hashCode());
        assertNotEquals(one, other);
        for (var part : parts) {
            assertTrue(one.toString().contains(part), one.toString());
        }
    }

    @Test
    void configurations_of_domains_are_values() throws InterruptedException {
        try (var exchange = ThreadExchange.open(1).getFirst();
                var worker = urom.startWorker(GRAPH)) {
            assertValue(
                    DomainConfiguration.builder(exchange).worker(worker).build(),
                    DomainConfiguration.builder(exchange).worker(worker).build(),
                    DomainConfiguration.builder(exchange)
                            .worker(worker)
                            .startTimeout(Duration.ofSeconds(1))
                            .build(),
                    "participant 0 of 1",
                    worker.toString(),
                    "startTimeout=60 s");
        }
    }

    @Test
    void configurations_are_values() {
        assertValue(
                GRAPH,
                WorkerConfiguration.of(GraphPlugin.NAME),
                WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build(),
                "worker_graph",
                "tasks=64");
        assertFalse(WorkerConfiguration.builder("any")
                .environment(Map.of("KEY", "secret"))
                .build()
                .toString()
                .contains("secret"));
        assertValue(
                UromConfiguration.DEFAULT,
                UromConfiguration.builder().build(),
                UromConfiguration.builder().maxWorkers(1).build(),
                "maxWorkers=64");
        assertValue(
                DaemonConfiguration.usual(),
                DaemonConfiguration.usual(),
                DaemonConfiguration.usual().toBuilder().cores(1).build(),
                "maxMessageSize=4096");
    }
}
