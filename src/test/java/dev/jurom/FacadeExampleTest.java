// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.Device;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples of the package's page. */
class FacadeExampleTest {

    @Test
    void a_call_is_answered() throws InterruptedException {
        long answer;

        // @start region="call"
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            answer = worker.call(GraphPlugin.LOOPBACK, 42L);
        }
        // @end

        assertEquals(42, answer);
    }

    @Test
    void an_answer_to_come_is_a_future() throws InterruptedException {
        long answer;

        // @start region="submit"
        var configuration = UromConfiguration.builder()
                .device(Device.list().getFirst().name())
                .callTimeout(Duration.ofSeconds(5)) // then a future fails with TIME_OUT
                .build();
        try (var urom = Urom.open(configuration);
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var one = worker.submit(GraphPlugin.LOOPBACK, 1L);
            var two = worker.submit(GraphPlugin.LOOPBACK, 2L);
            answer = one.thenCombine(two, Long::sum).join();
        }
        // @end

        assertEquals(3, answer);
    }
}
