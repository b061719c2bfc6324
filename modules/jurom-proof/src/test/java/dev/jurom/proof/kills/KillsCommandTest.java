// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine;

/** A few kills; builds the C side's tests first, which takes a while. */
@EnabledIfSystemProperty(named = "jurom.long", matches = "true")
class KillsCommandTest {

    @Test
    void a_few_kills_and_stops_are_noticed_as_they_must_be() {
        assertEquals(
                ExitCode.DONE,
                new CommandLine(new KillsCommand())
                        .execute("--workers", "20", "--hosts", "20", "--daemons", "3", "--stops", "5"));
    }
}
