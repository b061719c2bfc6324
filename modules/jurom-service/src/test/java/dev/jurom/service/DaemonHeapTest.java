// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.service.sessions.Sessions;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the heap size of the service and the warning if it is too small for the limits. */
class DaemonHeapTest {

    private static final int MANY = 20_000;
    private static final int OUT_OF_MEMORY = 3; // the JVM's own exit status

    @TempDir
    private Path folder;

    private DaemonProcess start(Map<String, String> environment) {
        return new DaemonProcess(
                folder,
                environment,
                "--listen",
                "unix:" + socket(),
                "--max-connections",
                Integer.toString(MANY),
                "--max-connections-per-user",
                Integer.toString(MANY));
    }

    private Path socket() {
        return folder.resolve("socket");
    }

    @Test
    void the_default_heap_fits_the_limits() {
        try (var daemon = start(Map.of())) {
            daemon.address();

            assertFalse(daemon.error().contains("heap"), daemon::error);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 20_000, 999_999_999})
    void the_heap_has_32_mebibytes_more_than_the_connections_take(int connections) {
        var words = new ArrayList<>(List.of(Command.ROOT + "/src/main/install/daemon-options"));
        var limits = Limits.DEFAULT;
        if (connections > 0) {
            words.addAll(List.of("--max-connections", Integer.toString(connections)));
            limits = limits.toBuilder().connections(connections).build();
        }

        var options = Command.run(words);
        var heap = Pattern.compile("-Xmx(\\d+)m ").matcher(options);
        assertTrue(heap.find(), options);
        var mebibytes = Long.parseLong(heap.group(1));
        assertTrue(mebibytes >= 128, options);
        assertTrue((mebibytes - 32) << 20 >= Sessions.heapOf(limits), options);
    }

    @Test
    void the_log_warns_of_a_heap_that_does_not_fit_the_limits() {
        try (var daemon = start(Map.of("JUROM_DAEMON_HEAP", "128m"))) {
            daemon.address();

            assertTrue(
                    daemon.error()
                            .contains("may not suffice for 20000 connections, which take"
                                    + " up to 220 MiB: raise JUROM_DAEMON_HEAP"),
                    daemon::error);
        }
    }

    /** Each host sends an incomplete frame, which occupies the most heap. */
    @Test
    void a_service_without_heap_exits() throws IOException {
        var hosts = new ArrayList<SocketChannel>();
        try (var daemon = start(Map.of("JUROM_DAEMON_HEAP", "12m"))) {
            daemon.address();
            while (connect(hosts)) {
                assertTrue(hosts.size() < MANY, "a heap of 12 MiB suffices for all hosts");
            }

            assertEquals(OUT_OF_MEMORY, daemon.awaitEnd());
            assertTrue(daemon.output().contains("Terminating due to java.lang.OutOfMemoryError"), daemon::output);
        } finally {
            for (var host : hosts) {
                host.close();
            }
        }
    }

    private boolean connect(ArrayList<SocketChannel> hosts) {
        var hello =
                PeerFrames.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
        try {
            var host = SocketChannel.open(UnixDomainSocketAddress.of(socket()));
            hosts.add(host);
            host.write(ByteBuffer.wrap(Arrays.copyOf(hello, hello.length - 1)));
            return true;
        } catch (IOException e) {
            return false; // the service has exited
        }
    }
}
