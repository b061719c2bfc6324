// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterDirectory;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service that has no free descriptor. */
class DescriptorExhaustionTest {

    private static final int ATTEMPTS = 20; // those of two seconds

    @TempDir
    private Path folder;

    @Test
    void failed_attempts_to_accept_are_counted_and_logged_once_a_minute() {
        try (var daemon = new DaemonProcess(folder, Map.of(), "--listen", "unix:" + folder.resolve("socket"))) {
            var address = daemon.address();
            TestHost.admitted(new TestHost(address)).close(); // opens the files of the classes loaded
            limitDescriptors(daemon, "0");
            try (var host = new TestHost(address)) {
                host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
                Waiting.until("attempts fail", () -> count(daemon, Counter.DAEMON_NOT_ACCEPTED) >= ATTEMPTS);

                assertLoggedOnce("No connection can be accepted", daemon);
                limitDescriptors(daemon, "1000");
                assertInstanceOf(Frame.Welcome.class, host.receive());
            }
        }
    }

    @Test
    void refusals_beyond_three_quarters_of_the_descriptors_are_counted_and_logged_once_a_minute() {
        var hosts = new ArrayList<TestHost>();
        try (var daemon = new DaemonProcess(
                folder, List.of("prlimit", "--nofile=64"), Map.of(), "--listen", "unix:" + folder.resolve("socket"))) {
            var address = daemon.address();
            Waiting.until("hosts are refused", () -> {
                hosts.add(new TestHost(address));
                return count(daemon, Counter.DAEMON_LIMITS_HIT) >= ATTEMPTS;
            });

            assertInstanceOf(Frame.Failure.class, hosts.getLast().receive());
            assertLoggedOnce("three quarters of the 64 descriptors", daemon);
        } finally {
            hosts.forEach(TestHost::close);
        }
    }

    private static void assertLoggedOnce(String text, DaemonProcess daemon) {
        assertEquals(
                1, daemon.error().lines().filter(line -> line.contains(text)).count(), daemon::error);
    }

    private static void limitDescriptors(DaemonProcess daemon, String number) {
        Command.run("prlimit", "--pid", Long.toString(daemon.id()), "--nofile=" + number + ":");
    }

    private static long count(DaemonProcess daemon, Counter counter) {
        var status = ServiceStatus.running().stream()
                .filter(service -> service.process() == daemon.id())
                .findFirst()
                .orElseThrow();
        try {
            return CounterDirectory.read(status.directory(), List.of())
                    .files()
                    .getFirst()
                    .value(counter);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
