// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ServiceFixture;
import java.lang.foreign.Arena;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the package. */
class GraphExampleTest {

    private static final Duration TIMEOUT = ServiceFixture.DEADLINE;

    @Test
    void a_number_is_returned() {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            var engine = fixture.engine();
            long number;

            // @start region="number"
            task.setPayloadLength(GraphCodec.packLoopback(42, task.payload()));
            task.submit();
            engine.progressUntil(task::isCompleted, TIMEOUT);
            task.requireSuccess();
            number = GraphCodec.loopbackData(task.response());
            // @end

            assertEquals(42, number);
        }
    }

    @Test
    void bytes_are_returned_with_the_number() {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var arena = Arena.ofConfined();
                var task = worker.commandTask(fixture.graph())) {
            var engine = fixture.engine();
            String answer;

            // @start region="bytes"
            var command = new GraphCommand.Loopback(42, arena.allocateFrom("there and back"));
            task.setPayloadLength(GraphCodec.COMMAND.pack(command, task.payload()));
            task.submit();
            engine.progressUntil(task::isCompleted, TIMEOUT);
            task.requireSuccess();
            answer = switch (GraphCodec.NOTIFICATION.unpack(task.response())) {
                case GraphNotification.Loopback(var number, var bytes) -> number + ": " + bytes.getString(0);
            };
            // @end

            assertEquals("42: there and back", answer);
        }
    }
}
