// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of violations and durations. */
class KillFindingsTest {

    private static final long LIMIT = 100_000_000;

    private final KillFindings findings = new KillFindings("kills");

    @Test
    void a_duration_within_the_limit_is_no_violation() {
        findings.within("seen", LIMIT, 0, LIMIT, "worker 1");

        assertFalse(findings.hasViolations());
        assertEquals(List.of("kills: 0 violations", "    seen (1): p50 100, p99 100, max 100 ms"), findings.lines());
    }

    @Test
    void a_duration_above_the_limit_is_a_violation() {
        findings.within("seen", LIMIT + 1_000_000, 0, LIMIT, "worker 1");

        assertTrue(findings.hasViolations());
        assertTrue(findings.lines().getLast().startsWith("    VIOLATION seen took 101 ms"));
    }

    @Test
    void a_duration_exceeded_by_waiting_for_a_core_is_counted_separately() {
        findings.within("seen", LIMIT + 1_000_000, 2_000_000, LIMIT, "worker 1");

        assertFalse(findings.hasViolations());
        assertEquals(
                "kills: 1 over 100 ms while waiting for a core, 0 violations",
                findings.lines().getFirst());
    }

    @Test
    void quantiles_include_all_durations() {
        var durations = new Durations();
        for (var i = 1; i <= 200; i++) {
            durations.add(i % 100 + 1);
        }

        assertEquals(200, durations.count());
        assertEquals(50, durations.quantile(0.5));
        assertEquals(99, durations.quantile(0.99));
        assertEquals(100, durations.max());
    }
}
