// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.testing.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What carries commands and notifications, as UCX itself says of each process's endpoints. */
class TransportTest {

    /** The process, and the transport of its active messages, of an endpoint that UCX made. */
    private static final Pattern ENDPOINT =
            Pattern.compile("\\[[^:\\]]+:(\\d+) *:\\d+\\].* ep_cfg\\[\\d+\\]: am\\((\\w+)/.*");
    private static final Pattern WORKER = Pattern.compile("worker +id \\d+, process (\\d+), .*");

    @Test
    void commands_and_notifications_travel_through_shared_memory_on_one_machine() {
        var output = demo();

        var processes = processesWith("posix", output);

        assertEquals(2, processes.size(), output); // the host and its worker
        assertTrue(processes.contains(worker(output)), output);
        assertFalse(processesWith("tcp", output).contains(worker(output)), output);
    }

    @Test
    void they_travel_over_tcp_where_the_environment_says_so() {
        var output = demo("UCX_TLS=tcp,self");

        assertEquals(Set.of(), processesWith("posix", output), output);
        assertTrue(processesWith("tcp", output).contains(worker(output)), output);
    }

    private static String demo(String... environment) {
        // To standard error: what is buffered may come late or never.
        var words = new ArrayList<>(List.of("env", "UCX_LOG_LEVEL=info", "UCX_LOG_FILE=stderr"));
        words.addAll(List.of(environment));
        words.addAll(Command.uromWords("demo", "--workers", "1", "--commands", "10"));
        return Command.run(words);
    }

    private static Set<String> processesWith(String transport, String output) {
        return output.lines()
                .map(ENDPOINT::matcher)
                .filter(line -> line.find() && line.group(2).equals(transport))
                .map(line -> line.group(1))
                .collect(Collectors.toSet());
    }

    private static String worker(String output) {
        var line = WORKER.matcher(output);
        assertTrue(line.find(), output);
        return line.group(1);
    }
}
