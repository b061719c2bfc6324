// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of docs/faults.md. */
class FaultPageTest {

    private final String page = Files.readString(Path.of(System.getProperty("jurom.source"), "docs/faults.md"));

    FaultPageTest() throws IOException {}

    @Test
    void the_page_lists_each_action_and_the_actions_of_each_kind() {
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
    void the_schedule_of_the_page_is_valid() {
        var begin = page.indexOf("```\n# The disk") + "```\n".length();

        assertEquals(
                3,
                FaultSchedule.parse(page.substring(begin, page.indexOf("```", begin)))
                        .size());
    }
}
