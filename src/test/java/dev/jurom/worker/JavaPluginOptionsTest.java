// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the heap of a plugin in Java, and the options of the JVM that a host sets for its worker. */
class JavaPluginOptionsTest {

    private static final long MEMORY = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getTotalMemorySize(); // of the cgroup, if it has less than the machine
    private static final long SMALLEST_DEFAULT = 128 << 20; // of the JVM, however little memory there is
    private static final Pattern LISTENING = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
    private static final String HANDSHAKE = "JDWP-Handshake";

    private static EmbeddedService open(LogSettings logs) {
        return EmbeddedService.open(
                usual -> usual.toBuilder().plugin(ProbePlugin.class).logs(logs).build());
    }

    private static WorkerConfiguration withOptions(String options) {
        return WorkerConfiguration.builder(ProbePlugin.NAME)
                .environment(Map.of("JAVA_TOOL_OPTIONS", options))
                .build();
    }

    private static long maxHeap(Urom urom, WorkerConfiguration configuration) throws InterruptedException {
        try (var worker = urom.startWorker(configuration)) {
            return Long.parseLong(
                    worker.call(PROBE, Request.of(Action.MAX_HEAP, "")).text());
        }
    }

    @Test
    void the_heap_has_a_twentieth_of_the_memory_unless_the_host_sets_another_size() throws InterruptedException {
        try (var service = open(LogSettings.DEFAULT);
                var urom = Urom.open()) {
            var usual = maxHeap(urom, WorkerConfiguration.of(ProbePlugin.NAME));
            var larger = maxHeap(urom, withOptions("-Xmx" + MEMORY / 2));

            assertTrue(usual <= Math.max(MEMORY / 20, SMALLEST_DEFAULT), () -> usual + " of " + MEMORY);
            assertTrue(larger > MEMORY / 3, () -> larger + " of " + MEMORY);
        }
    }

    @Test
    @Timeout(60)
    void a_debugger_connects_to_a_worker(@TempDir Path logs) throws Exception {
        try (var service = open(LogSettings.DEFAULT.withDirectory(logs));
                var urom = Urom.open();
                var worker = urom.startWorker(
                        withOptions("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"))) {
            Waiting.until("the agent listens", () -> port(logs).isPresent());
            try (var socket =
                    new Socket(InetAddress.getLoopbackAddress(), port(logs).getAsInt())) {
                socket.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));

                assertEquals(
                        HANDSHAKE,
                        new String(socket.getInputStream().readNBytes(HANDSHAKE.length()), StandardCharsets.US_ASCII));
            }
            assertEquals("x", worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
        }
    }

    /** Returns the port that the agent has printed to the log of its worker. */
    private static OptionalInt port(Path logs) {
        try (var files = Files.newDirectoryStream(logs, "urom_worker_*")) {
            for (var file : files) {
                var line = LISTENING.matcher(Files.readString(file));
                if (line.find()) {
                    return OptionalInt.of(Integer.parseInt(line.group(1)));
                }
            }
            return OptionalInt.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
