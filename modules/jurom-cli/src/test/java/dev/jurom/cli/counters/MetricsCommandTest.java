// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.status.VisibleServices;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetricsCommandTest {

    private static List<ServiceStatus> servicesOfThisProcess() {
        return ServiceStatus.running().stream()
                .filter(status -> status.process() == ProcessHandle.current().pid())
                .toList();
    }

    @Test
    void metrics_fail_if_all_services_end_after_they_were_found() {
        VisibleServices found;
        try (var service = EmbeddedService.open()) {
            found = new VisibleServices(servicesOfThisProcess(), new TreeMap<>(Map.of(1000, 2)));
            assertTrue(MetricsCommand.text(found).contains("\njurom_services 1\n"));
            assertTrue(MetricsCommand.text(found).contains("\njurom_services_unreadable{user_id=\"1000\"} 2\n"));
        }

        var failure = assertThrows(CommandFailure.class, () -> MetricsCommand.text(found));
        assertEquals(ExitCode.NO_SERVICE, failure.exitCode());
    }
}
