// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example in the Javadoc of the package. */
class UromExampleTest {

    @Test
    void a_worker_answers_a_command() {
        try (var fixture = ServiceFixture.open()) {
            var engine = fixture.engine();
            var service = fixture.service();
            long answer;

            // @start region="command"
            var plugin = GraphPlugin.find(service);
            try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                worker.startAndWait(Duration.ofSeconds(10));
                try (var task = worker.commandTask(plugin)) {
                    task.setPayloadLength(GraphCodec.packLoopback(42, task.payload()));
                    task.submit();
                    engine.progressUntil(task::isCompleted, Duration.ofSeconds(1));
                    task.requireSuccess();
                    answer = GraphCodec.loopbackData(task.response());
                }
            }
            // @end

            assertEquals(42, answer);
        }
    }
}
