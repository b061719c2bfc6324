// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static dev.jurom.plugin.MessageKind.hex;
import static dev.jurom.plugin.MessageKind.inlineBytes;
import static dev.jurom.plugin.MessageKind.line;
import static dev.jurom.plugin.MessageKind.numbers;

import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphCommand;
import dev.jurom.plugin.graph.GraphNotification;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generates messages of the graph plugin. */
final class GraphMessages {

    private GraphMessages() {}

    static List<MessageKind<?>> kinds() {
        return List.of(
                MessageKind.of(GraphCodec.COMMAND, commands(), GraphMessages::text),
                MessageKind.of(GraphCodec.NOTIFICATION, notifications(), GraphMessages::text));
    }

    private static Arbitrary<GraphCommand> commands() {
        return Combinators.combine(numbers(), inlineBytes()).as(GraphCommand.Loopback::new);
    }

    private static Arbitrary<GraphNotification> notifications() {
        return Combinators.combine(numbers(), inlineBytes()).as(GraphNotification.Loopback::new);
    }

    private static String text(GraphCommand command) {
        return switch (command) {
            case GraphCommand.Loopback loopback -> line("graph_loopback", loopback.data(), hex(loopback.payload()));
        };
    }

    private static String text(GraphNotification notification) {
        return switch (notification) {
            case GraphNotification.Loopback loopback ->
                line("graph_notify_loopback", loopback.data(), hex(loopback.payload()));
        };
    }
}
