// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Tests that options and documentation state the defaults of the settings. */
class DaemonDefaultsTest {

    private static final Pattern ROW = Pattern.compile("\\| (`-.*?`) \\| ([^|]*?) \\|.*");
    private static final Pattern OPTION = Pattern.compile("`(--[a-z-]+)`");

    private static CommandSpec daemon() {
        return UromDaemonMain.commandLine().getCommandSpec();
    }

    private static String defaultOf(String option) {
        var spec = daemon().findOption(option);
        assertNotNull(spec, option);
        return spec.defaultValueString();
    }

    @Test
    void options_have_the_defaults_of_the_settings() {
        var limits = Limits.DEFAULT;
        assertEquals(Integer.toString(limits.connections()), defaultOf("--max-connections"));
        assertEquals(Integer.toString(limits.connectionsPerUser()), defaultOf("--max-connections-per-user"));
        assertEquals(Integer.toString(limits.unauthenticated()), defaultOf("--max-unauthenticated"));
        assertEquals(Long.toString(limits.handshake().toSeconds()), defaultOf("--handshake-timeout"));
        assertEquals(Integer.toString(limits.workers()), defaultOf("--max-workers"));
        assertEquals(Integer.toString(limits.workersPerUser()), defaultOf("--max-workers-per-user"));
        assertEquals(Integer.toString(limits.environmentBytes()), defaultOf("--max-env-size"));
        assertEquals(Integer.toString(limits.environmentStrings()), defaultOf("--max-env-strings"));
        assertEquals(Integer.toString(limits.references()), defaultOf("--max-references"));
        var workers = WorkerSettings.of(Path.of("/worker"));
        assertEquals(Long.toString(workers.hangTimeout().toSeconds()), defaultOf("--hang-timeout"));
        assertEquals(Long.toString(workers.busyTimeout().toSeconds()), defaultOf("--busy-timeout"));
        assertEquals(Long.toString(workers.memory()), defaultOf("--worker-memory"));
        assertEquals(Integer.toString(workers.files()), defaultOf("--worker-files"));
        assertEquals(Integer.toString(workers.tasks()), defaultOf("--worker-tasks"));
        assertEquals(Integer.toString(workers.tasksPerUser()), defaultOf("--worker-tasks-per-user"));
        assertEquals(Integer.toString(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE), defaultOf("--max-msg-size"));
    }

    @Test
    void the_table_of_limits_states_the_defaults_of_the_options() throws IOException {
        var compared = new ArrayList<String>();
        for (var line : Files.readAllLines(Command.ROOT.resolve("docs/operations.md"))) {
            var row = ROW.matcher(line);
            if (row.matches() && line.contains("`--")) {
                var options = OPTION.matcher(row.group(1))
                        .results()
                        .map(MatchResult::group)
                        .map(option -> option.replace("`", ""))
                        .toList();
                var stated = List.of(
                        row.group(2).replace("none", "0").replace(" s", "").split(", "));
                for (var i = 0; i < options.size(); i++) {
                    if (daemon().findOption(options.get(i)) != null) {
                        assertEquals(
                                defaultOf(options.get(i)), stated.get(Math.min(i, stated.size() - 1)), options.get(i));
                        compared.add(options.get(i));
                    }
                }
            }
        }
        assertTrue(
                compared.containsAll(List.of("--max-workers", "--max-connections", "--hang-timeout")),
                () -> "compared: " + compared);
    }
}
