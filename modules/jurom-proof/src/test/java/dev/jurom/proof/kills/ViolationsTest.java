// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a violation, and how times are put together. */
class ViolationsTest {

    private static final long LIMIT = 100_000_000;

    private final Violations findings = new Violations("kills");

    @Test
    void what_is_in_time_is_no_violation() {
        findings.within("seen", LIMIT, 0, LIMIT, "worker 1");

        assertFalse(findings.areBad());
        assertEquals(List.of("kills: 0 violations", "    seen (1): p50 100, p99 100, max 100 ms"), findings.lines());
    }

    @Test
    void what_is_late_is_a_violation() {
        findings.within("seen", LIMIT + 1_000_000, 0, LIMIT, "worker 1");

        assertTrue(findings.areBad());
        assertTrue(findings.lines().getLast().startsWith("    VIOLATION seen took 101 ms"));
    }

    @Test
    void what_is_late_because_the_machine_was_at_something_else_is_counted_apart() {
        findings.within("seen", LIMIT + 1_000_000, 2_000_000, LIMIT, "worker 1");

        assertFalse(findings.areBad());
        assertEquals(
                "kills: 1 over 100 ms while waiting for a core, 0 violations",
                findings.lines().getFirst());
    }

    @Test
    void quantiles_are_of_all_times() {
        var times = new Times();
        for (var i = 1; i <= 200; i++) {
            times.add(i % 100 + 1);
        }

        assertEquals(200, times.count());
        assertEquals(50, times.quantile(0.5));
        assertEquals(99, times.quantile(0.99));
        assertEquals(100, times.max());
    }
}
