// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of finding the first failed run in the output of seeded runs. */
class FailedRunTest {

    @Test
    void the_first_failed_run_is_returned_with_its_violation() throws IOException {
        var found = FailedRun.firstOf(new BufferedReader(new StringReader("""
                seed 7, 100 runs, 4 at a time
                scripts/urom faults --seed 7 --run 12
                  left over: /tmp/x
                  files kept in /tmp/y
                scripts/urom faults --seed 7 --run 13
                """)), Set.of());

        assertEquals(
                Optional.of(new FailedRun(12, "scripts/urom faults --seed 7 --run 12", "left over: /tmp/x")), found);
    }

    @Test
    void an_ignored_run_is_skipped() throws IOException {
        var output =
                "scripts/urom faults --seed 7 --run 12\n  hung\n" + "scripts/urom faults --seed 7 --run 13\n  lost\n";

        assertEquals(
                13,
                FailedRun.firstOf(new BufferedReader(new StringReader(output)), Set.of(12))
                        .orElseThrow()
                        .run());
        assertEquals(Optional.empty(), FailedRun.firstOf(new BufferedReader(new StringReader(output)), Set.of(12, 13)));
    }

    @Test
    void passing_runs_return_nothing() throws IOException {
        assertEquals(
                Optional.empty(),
                FailedRun.firstOf(
                        new BufferedReader(new StringReader("seed 7, 100 runs\n0 lost, 0 failed runs\n")), Set.of()));
    }
}
