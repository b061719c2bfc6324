// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.TwoHosts.Host;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.OtherThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the multi-rank programs across two hosts, each of which uses its own service. */
class TwoHostsTest {

    @TempDir
    private static Path folder;

    private static TwoHosts hosts;
    private static Path token;

    @BeforeAll
    static void open() throws IOException {
        hosts = TwoHosts.open(folder);
        token = hosts.secret("token");
    }

    @AfterAll
    static void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    /** Runs a program as rank 0 on the first host and as rank 1 on the second. */
    private static List<Command.Result> run(String... program) {
        var other = OtherThread.start("rank 1", () -> rank(1, hosts.second(), program));
        var result = rank(0, hosts.first(), program);
        return List.of(result, other.join());
    }

    private static Command.Result rank(int rank, Host host, String... program) {
        var words = new ArrayList<>(List.of(program));
        words.addAll(List.of(
                "--rank",
                "" + rank,
                "--ranks",
                "2",
                "--rendezvous",
                hosts.first().address() + ":9000",
                "--token-file",
                token.toString(),
                "--service",
                host.services().toString()));
        return TwoHosts.run(host, Programs.uromWords(words.toArray(String[]::new)));
    }

    @Test
    void ping_pong_runs_across_hosts() {
        var results = run("ping-pong", "--rounds", "5", "--size", "1,1000,65536,1048576");

        for (var result : results) {
            assertEquals(0, result.exitCode(), results::toString);
        }
        for (var size : new int[] {1, 1000, 65_536, 1 << 20}) {
            assertTrue(
                    results.getFirst().output().contains("5 rounds of " + size + " bytes in "),
                    results.getFirst()::output);
        }
    }

    @Test
    void a_host_connects_to_the_address_of_a_service_that_answers() throws IOException {
        for (var command : List.of("ping -n 1", "doctor")) {
            var words = new ArrayList<>(List.of(command.split(" ")));
            words.addAll(List.of("--service", "manifold:7471"));

            var result = hosts.runWithNames("manifold", Programs.uromWords(words.toArray(String[]::new)));

            assertEquals(0, result.exitCode(), result::output);
            assertFalse(result.output().contains("cannot be reached"), result::output);
        }
    }

    @Test
    void a_client_writes_to_the_memory_of_a_server_on_another_host() {
        var results = run("rdmo", "--size", "300000", "--appends", "40", "--scatters", "40");

        for (var result : results) {
            assertEquals(0, result.exitCode(), results::toString);
        }
        assertTrue(
                results.getFirst().output().contains("every byte of its memory is as it must" + " be"),
                results.getFirst()::output);
        assertTrue(results.getLast().output().contains("40 appends of "), results.getLast()::output);
    }
}
