// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of docs/faults.md. */
class FaultListTest {

    private static final Path PAGE = Path.of(System.getProperty("jurom.source"), "docs", "faults.md");

    @TempDir
    private Path folder;

    @Test
    void the_page_lists_the_points_of_this_build() throws IOException {
        var copy = Files.copy(PAGE, folder.resolve("faults.md"));

        FaultList.write(copy);

        assertEquals(
                Files.readString(PAGE),
                Files.readString(copy),
                "docs/faults.md is outdated: run scripts/urom faults --list --write");
    }

    @Test
    void the_page_lists_each_action_and_the_actions_of_each_kind() throws IOException {
        var page = Files.readString(PAGE);
        for (var action : FaultAction.values()) {
            assertTrue(page.contains("\n| `" + action + "` | "), action.name());
        }
        for (var kind : FaultKind.values()) {
            var row = page.lines()
                    .filter(line -> line.startsWith("| `" + kind + "` |"))
                    .collect(Collectors.joining());
            for (var action : kind.actions()) {
                assertTrue(
                        row.contains(action.name())
                                || row.contains("those of `STATE`")
                                        && FaultKind.STATE.actions().contains(action),
                        kind + " " + action);
            }
        }
    }

    @Test
    void the_schedule_of_the_page_is_valid() throws IOException {
        var page = Files.readString(PAGE);
        var begin = page.indexOf("```\n# The disk") + "```\n".length();

        var schedule = FaultSchedule.parse(page.substring(begin, page.indexOf("```", begin)), FaultPoints.read());

        assertEquals(3, schedule.faults().size());
    }
}
