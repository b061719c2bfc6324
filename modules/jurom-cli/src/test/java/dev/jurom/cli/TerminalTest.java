// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests commands in a terminal. */
class TerminalTest {

    private static final String GREEN = "\033[32m";

    @Test
    void ping_prints_its_summary_on_control_c() {
        try (var pane = new Pane(Programs.uromWords("ping", "--interval", "0.1"))) {
            pane.await("command=3 ");

            pane.type("C-c");

            pane.await("ended with 0");
            var screen = pane.screen();
            assertTrue(screen.contains("--- worker "), screen);
            assertTrue(
                    screen.matches(
                            "(?s).*min [\\d.]+, p50 [\\d.]+, p99 [\\d.]+, max [\\d.]+ us" + "\nended with 0\n.*"),
                    screen);
            assertFalse(screen.contains("urom: "), screen);
        }
    }

    @Test
    void colours_need_a_terminal_and_can_be_disabled() {
        try (var pane = new Pane(Programs.uromWords("doctor"))) {
            pane.await("ended with 0");
            assertTrue(pane.colouredScreen().contains(GREEN + "pass"), pane.colouredScreen());
        }
        var words = new ArrayList<>(List.of("env", "NO_COLOR=1"));
        words.addAll(Programs.uromWords("doctor"));
        try (var pane = new Pane(words)) {
            pane.await("ended with 0");
            assertFalse(pane.colouredScreen().contains("\033[3"), pane.colouredScreen());
        }
    }
}
