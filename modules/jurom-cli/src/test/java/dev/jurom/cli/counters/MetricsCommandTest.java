// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.EmbeddedService;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.status.VisibleServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsCommandTest {

    private static List<ServiceStatus> servicesOfThisProcess() {
        return ServiceStatus.running().stream()
                .filter(status -> status.process() == ProcessHandle.current().pid())
                .toList();
    }

    @Test
    void services_that_end_after_they_were_found_are_not_reported() {
        VisibleServices found;
        try (var service = EmbeddedService.open()) {
            found = new VisibleServices(servicesOfThisProcess(), new TreeMap<>(Map.of(1000, 2)));
            var text = MetricsCommand.text(found, Optional.of("unix:/never"));
            assertTrue(text.contains("\njurom_services 1\n"), text);
            assertTrue(text.contains("\njurom_services_unreadable{user_id=\"1000\"} 2\n"), text);
            assertFalse(text.contains("\njurom_service_up{"), text);
        }

        var text = MetricsCommand.text(found, Optional.of("unix:/never"));
        assertTrue(text.contains("\njurom_services 0\n"), text);
        assertTrue(text.contains("\njurom_service_up{service=\"unix:/never\"} 0\n"), text);
    }

    @Test
    void a_service_that_becomes_unreadable_after_it_was_found_is_counted(@TempDir Path folder) throws IOException {
        try (var service = EmbeddedService.open()) {
            var own = servicesOfThisProcess();
            var file = Files.createFile(folder.resolve("s-0123456789abcdef"));
            var unreadable =
                    ServiceStatus.builder(file, own.getFirst().process()).build();
            var found = new VisibleServices(List.of(unreadable, own.getFirst()), Collections.emptySortedMap());

            var text = MetricsCommand.text(found, Optional.empty());

            assertTrue(text.contains("\njurom_services 1\n"), text);
            assertTrue(
                    text.contains("\njurom_services_unreadable{user_id=\"" + Files.getAttribute(file, "unix:uid")
                            + "\"} 1\n"),
                    text);
        }
    }
}
