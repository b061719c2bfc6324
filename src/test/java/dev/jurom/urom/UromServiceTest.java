// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.service.EmbeddedService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests starting services, and the errors if a service is missing or has unexpected properties. */
class UromServiceTest {

    @TempDir
    private Path folder;

    private EmbeddedService embedded;
    private ProgressEngine engine;
    private Device device;
    private UromService service;

    @BeforeEach
    void open() {
        embedded = EmbeddedService.open();
        engine = ProgressEngine.create();
        device = Device.open();
        service = UromService.create(engine, device);
    }

    @AfterEach
    void close() {
        service.close();
        device.close();
        engine.close();
        embedded.close();
    }

    @Test
    void a_service_counts_the_commands_of_its_workers() {
        service.start();
        var plugin = service.plugin("worker_graph");
        try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
            worker.startAndWait(ServiceFixture.DEADLINE);
            try (var task = worker.commandTask(plugin)) {
                ServiceFixture.loopback(task, 1);
                ServiceFixture.loopback(task, 2);
            }

            var counters = service.counters();

            assertEquals(2, counters.submitted());
            assertEquals(2, counters.completed());
            assertEquals(0, counters.failed());
            assertEquals(0, counters.inFlight());
            assertEquals(1, counters.workers());
        }
        assertEquals(0, service.counters().workers());
    }

    @Test
    void a_started_service_runs_and_lists_its_plugins() {
        assertThrowsError(DocaError.BAD_STATE, service::plugins);
        assertThrowsError(DocaError.BAD_STATE, service::cpuSet);

        assertTrue(service.start());

        assertEquals(ContextState.RUNNING, service.state());
        assertEquals(1, service.plugin("worker_graph").version());
        assertFalse(service.cpuSet().isEmpty());
        var refusal = assertThrowsError(DocaError.NOT_FOUND, () -> service.plugin("no_such_plugin"));
        assertTrue(refusal.advice().contains("worker_graph"), refusal.advice());
        assertTrue(service.stop());
        assertEquals(ContextState.IDLE, service.state());
    }

    @Test
    void a_plugin_of_another_version_is_rejected_with_both_versions() {
        service.start();
        var plugin = service.plugin("worker_graph");

        var refusal = assertThrows(IllegalStateException.class, () -> plugin.requireVersion(99));

        assertTrue(
                refusal.getMessage().contains("99") && refusal.getMessage().contains("version 1"),
                refusal.getMessage());
    }

    @Test
    void without_a_service_file_the_start_names_the_variable_to_set() {
        embedded.close();

        assertStartFails(DocaError.NOT_FOUND, "DOCA_UROM_SERVICE_FILE is not set");
    }

    @Test
    void a_missing_service_file_is_named() {
        var missing = folder.resolve("missing");
        service.setLocation(ServiceLocation.file(missing));

        assertStartFails(DocaError.NOT_FOUND, missing.toString());
    }

    @Test
    void a_malformed_line_is_named_with_its_number_and_the_reason() throws IOException {
        serviceFile("# a comment\nlocalhost dpu 127.0.0.1\n");

        assertStartFails(DocaError.BAD_CONFIG, "line 2: the number of words is 3 instead of 5");
    }

    @Test
    void an_unknown_service_type_is_named() throws IOException {
        serviceFile("localhost gpu 127.0.0.1 " + device.info().pciAddress() + " all\n");

        assertStartFails(DocaError.BAD_CONFIG, "\"gpu\" is unknown");
    }

    @Test
    void a_file_without_a_line_for_this_host_or_device_is_named() throws IOException {
        serviceFile("another.host dpu 127.0.0.1 " + device.info().pciAddress() + " all\n");
        assertStartFails(DocaError.NOT_FOUND, " has no line for this host and ");

        serviceFile("localhost dpu 127.0.0.1 00ff:ff:1f.7 all\n");
        assertStartFails(DocaError.NOT_FOUND, "the device at " + device.info().pciAddress());
    }

    @Test
    void a_service_that_is_not_running_is_named_by_its_address() throws IOException {
        var address = "unix:" + folder.resolve("socket");
        serviceFile("localhost dpu " + address + " " + device.info().pciAddress() + " all\n");

        var refusal = assertThrows(DocaException.class, service::start);

        assertTrue(refusal.getMessage().contains(address), refusal.getMessage());
        assertEquals(ContextState.IDLE, service.state());
    }

    @Test
    void an_address_without_a_service_is_named() {
        var address = "unix:" + folder.resolve("socket");
        service.setLocation(ServiceLocation.address(address));

        var refusal = assertThrows(DocaException.class, service::start);

        assertTrue(refusal.advice().contains("runs at " + address + "."), refusal.advice());
    }

    @Test
    void a_closed_embedded_service_is_no_location() {
        embedded.close();
        service.setLocation(ServiceLocation.embedded());

        var refusal = assertThrows(IllegalStateException.class, service::start);

        assertTrue(refusal.getMessage().contains("open an EmbeddedService"), refusal.getMessage());
    }

    @Test
    void the_location_of_a_started_service_is_fixed() {
        service.start();

        assertThrowsError(DocaError.BAD_STATE, () -> service.setLocation(ServiceLocation.environment()));
    }

    @Test
    void a_maximum_message_size_that_differs_from_the_services_is_rejected() {
        service.setMaxMessageSize(8192);

        assertStartFails(DocaError.INVALID_VALUE, "maximum message size");
    }

    @Test
    void a_service_that_failed_to_start_can_be_started_after_the_cause_is_fixed() throws IOException {
        serviceFile("nonsense\n");
        assertStartFails(DocaError.BAD_CONFIG, "line 1");

        service.setLocation(ServiceLocation.embedded());

        assertTrue(service.start());
    }

    @Test
    void settings_out_of_range_are_rejected() {
        for (var workers : new int[] {0, 3, -1, Integer.MIN_VALUE}) {
            assertOutOfRange("from 1 to 1073741824", () -> service.setMaxWorkers(workers));
        }
        for (var bytes : new long[] {0, -1, 255, (64 << 20) + 1, (1L << 32) + 4096}) {
            assertOutOfRange("from 256 to 67108864", () -> service.setMaxMessageSize(bytes));
        }
        service.setMaxWorkers(1 << 30).setMaxMessageSize(64 << 20);
    }

    private static void assertOutOfRange(String range, Runnable setting) {
        var refusal = assertThrows(IllegalArgumentException.class, setting::run);
        assertTrue(refusal.getMessage().contains(range), refusal.getMessage());
    }

    private void serviceFile(String text) throws IOException {
        var file = folder.resolve("services");
        Files.writeString(file, text);
        service.setLocation(ServiceLocation.file(file));
    }

    private void assertStartFails(DocaError expected, String reason) {
        var refusal = assertThrowsError(expected, service::start);
        assertEquals("doca_ctx_start", refusal.function());
        assertTrue(refusal.advice().contains(reason), refusal.advice());
        assertEquals(ContextState.IDLE, service.state());
        assertEquals(List.of(), List.copyOf(embeddedWorkers()));
    }

    private static List<ProcessHandle> embeddedWorkers() {
        return dev.jurom.fixture.ServiceFixture.workerProcesses();
    }

    private static DocaException assertThrowsError(
            DocaError expected, org.junit.jupiter.api.function.Executable action) {
        var failure = assertThrows(DocaException.class, action);
        assertEquals(expected, failure.error(), failure.getMessage());
        return failure;
    }
}
