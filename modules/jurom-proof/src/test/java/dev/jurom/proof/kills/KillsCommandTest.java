// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine;

/** Executes a few kills, after building the C tests. */
@EnabledIfSystemProperty(named = "jurom.long", matches = "true")
class KillsCommandTest {

    @Test
    void a_few_kills_and_stops_cause_no_violation() {
        assertEquals(
                ExitCode.DONE,
                new CommandLine(new KillsCommand())
                        .execute("--workers", "20", "--hosts", "20", "--daemons", "3", "--stops", "5"));
    }
}
