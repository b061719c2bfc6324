// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What seeded runs print is read up to the first run in which something did not hold. */
class FoundRunTest {

    @Test
    void the_first_run_that_fails_is_told_with_what_did_not_hold() throws IOException {
        var found = FoundRun.firstOf(new BufferedReader(new StringReader("""
                seed 7, 100 runs, 4 at a time
                scripts/urom faults --seed 7 --run 12
                  left over: /tmp/x
                  kept in /tmp/y
                scripts/urom faults --seed 7 --run 13
                """)), Set.of());

        assertEquals(
                Optional.of(new FoundRun(12, "scripts/urom faults --seed 7 --run 12", "left over: /tmp/x")), found);
    }

    @Test
    void a_run_that_fails_without_the_defect_does_not_count() throws IOException {
        var output =
                "scripts/urom faults --seed 7 --run 12\n  hung\n" + "scripts/urom faults --seed 7 --run 13\n  lost\n";

        assertEquals(
                13,
                FoundRun.firstOf(new BufferedReader(new StringReader(output)), Set.of(12))
                        .orElseThrow()
                        .run());
        assertEquals(Optional.empty(), FoundRun.firstOf(new BufferedReader(new StringReader(output)), Set.of(12, 13)));
    }

    @Test
    void runs_in_which_all_holds_find_nothing() throws IOException {
        assertEquals(
                Optional.empty(),
                FoundRun.firstOf(
                        new BufferedReader(
                                new StringReader("seed 7, 100 runs\n0 lost, 0 runs in which something did not hold\n")),
                        Set.of()));
    }
}
