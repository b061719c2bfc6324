// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.settings.RemoteAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of a configuration. */
class ServiceCheckTest {

    private static final int LOGS = 300; // more than a service keeps at its start
    private static final Path NOWHERE = Path.of("/proc/nowhere");

    @TempDir
    private Path folder;

    private static DaemonConfiguration.Builder logsTo(Path directory) {
        return TestDaemon.configuration().logs(LogSettings.DEFAULT.withDirectory(directory));
    }

    private static List<String> check(DaemonConfiguration.Builder configuration, Optional<Path> serviceFile) {
        return StandaloneService.check(configuration.build(), serviceFile);
    }

    private static void assertProblem(String words, List<String> problems) {
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().contains(words), problems.getFirst());
    }

    @Test
    void a_check_leaves_the_logs_of_workers() throws IOException {
        var logs = Files.createDirectory(folder.resolve("logs"));
        for (var i = 0; i < LOGS; i++) {
            Files.createFile(logs.resolve("urom_worker_" + i + "_dev.log"));
        }

        assertEquals(List.of(), check(logsTo(logs), Optional.empty()));

        try (var files = Files.list(logs)) {
            assertEquals(LOGS, files.count());
        }
    }

    @Test
    void a_check_makes_no_directory() {
        var logs = folder.resolve("new/logs");

        assertEquals(List.of(), check(logsTo(logs), Optional.of(folder.resolve("services"))));

        assertTrue(Files.notExists(folder.resolve("new")));
        assertTrue(Files.notExists(folder.resolve("services")));
    }

    private List<String> checkOf(String address) {
        var keys = new TestKeys(folder);
        keys.create("service");
        keys.authorize("# none");
        return check(
                TestDaemon.configuration()
                        .listen(new ListenAddress.Unix(folder.resolve("socket")), ListenAddress.parse(address))
                        .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts"))),
                Optional.empty());
    }

    @Test
    void a_check_reports_an_address_that_this_machine_does_not_have() {
        assertProblem(
                "192.0.2.1:7471 is not an address of this machine yet", // for documentation
                checkOf("192.0.2.1:7471"));
    }

    @Test
    void a_check_reports_a_host_name_that_cannot_be_resolved() {
        assertProblem("nowhere.invalid:7471: the host name could not be resolved", checkOf("nowhere.invalid:7471"));
    }

    @Test
    void a_check_reports_a_log_directory_that_cannot_be_written() {
        assertProblem("The log directory /proc/nowhere cannot be used", check(logsTo(NOWHERE), Optional.empty()));
    }

    @Test
    void a_check_reports_a_service_file_that_cannot_be_written() {
        assertProblem(
                "The service file /proc/nowhere cannot be written",
                check(TestDaemon.configuration(), Optional.of(NOWHERE)));
    }
}
