// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

// @start region="service"
@ExtendWith(EmbeddedServiceExtension.class)
class EmbeddedServiceExtensionTest {

    @Test
    void a_worker_answers() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            assertEquals(7, worker.call(GraphPlugin.LOOPBACK, 7L));
        }
    }
    // @end

    @Test
    void the_service_is_a_parameter_and_is_named_by_the_environment(EmbeddedService service) {
        assertEquals(service.serviceFile().toString(), ServiceFile.named().orElseThrow());
    }

    @Nested
    class Within {

        @Test
        void nested_classes_have_the_same_service(EmbeddedService service) {
            assertEquals(service.serviceFile().toString(), ServiceFile.named().orElseThrow());
        }
    }
}
