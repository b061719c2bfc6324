// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static dev.jurom.urom.exchange.Participants.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Mpirun;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PmixExchangeTest {

    private static Command.Result run(int ranks, String what) {
        Mpirun.require();
        return Mpirun.run(ranks, ForkedJvm.command(PmixRank.class, ForkedJvm.NATIVE_ACCESS, PmixRank.doing(what)));
    }

    private static void requireLine(Command.Result result, String line) {
        assertTrue(result.output().lines().anyMatch(line::equals), result.output());
    }

    @Test
    void ranks_of_a_launched_job_exchange_blocks_without_configuration() {
        var result = run(3, "exchange");

        assertEquals(0, result.exitCode(), result.output());
        for (var rank = 0; rank < 3; rank++) {
            requireLine(result, "rank " + rank + " of 3: 4 rounds right");
        }
    }

    @Test
    void blocks_of_different_lengths_are_rejected_naming_both_lengths() {
        var result = run(2, "differ");

        requireLine(
                result,
                "rank 0 of 2: INVALID_VALUE Participant 1 contributed a block of 11 bytes"
                        + " instead of 10: all blocks must have the same length");
    }

    @Test
    void an_all_gather_that_others_do_not_join_times_out() {
        var result = run(2, "lose-patience");

        assertTrue(result.output().contains("rank 0 of 2: TIME_OUT Rank 0 of 2 waited PT0.3S"), result.output());
    }

    @Test
    void a_process_started_without_a_launcher_receives_an_error_that_asks_for_one() {
        assertFalse(PmixExchange.isLaunched());

        var failure = assertThrows(ExchangeException.class, () -> PmixExchange.open(DEADLINE));

        assertEquals(DocaError.NOT_CONNECTED, failure.error());
        assertTrue(failure.getMessage().contains("mpirun"), failure.getMessage());
    }

    @Test
    void without_pmix_the_error_names_the_package_to_install() {
        var failure = assertThrows(ExchangeException.class, () -> PmixLibrary.find(Set.of(Path.of("/nowhere"))));

        assertEquals(DocaError.NOT_FOUND, failure.error());
        assertTrue(failure.getMessage().contains("apt-get install libpmix2"), failure.getMessage());
    }
}
