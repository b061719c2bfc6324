// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Mpirun;
import dev.jurom.fixture.OtherThread;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests domains of several processes that share the service of this process. */
class DomainRanksTest {

    // Minimize the startup time of many short-lived JVMs.
    private static final List<String> FLAGS =
            List.of(ForkedJvm.NATIVE_ACCESS, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static EmbeddedService service;

    @BeforeAll
    static void open() {
        service = EmbeddedService.open();
    }

    @AfterAll
    static void close() {
        service.close();
    }

    private static List<String> rank(String... properties) {
        var flags = new ArrayList<>(FLAGS);
        flags.addAll(List.of(properties));
        var words = new ArrayList<>(List.of("env", ServiceFile.VARIABLE + "=" + service.serviceFile()));
        words.addAll(ForkedJvm.command(DomainRank.class, flags.toArray(String[]::new)));
        return words;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void workers_of_all_processes_of_a_job_exchange_messages(int ranks) {
        Mpirun.require();

        var result = Mpirun.run(ranks, rank());

        assertEquals(0, result.exitCode(), result::output);
        assertReceived(ranks, result);
    }

    private static void assertReceived(int ranks, Command.Result result) {
        for (var rank = 0; rank < ranks; rank++) {
            assertTrue(result.output().contains("rank " + rank + " received from " + ranks + "\n"), result::output);
        }
    }

    @Test
    void ranks_in_a_pid_namespace_with_services_of_their_own_exchange_messages() {
        Mpirun.require();
        var container = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
        var probe = new ArrayList<>(container);
        probe.add("true");
        assumeTrue(Command.execute(probe).exitCode() == 0, "this user cannot create a PID namespace");

        var flags = new ArrayList<>(FLAGS);
        flags.add("-Drank.mapped=true");

        var result = Mpirun.run(container, 2, ForkedJvm.command(DomainRank.class, flags.toArray(String[]::new)));

        assertEquals(0, result.exitCode(), result::output);
        assertReceived(2, result);
        for (var rank = 0; rank < 2; rank++) {
            var line = "rank " + rank + " received " + DomainRank.MAPPED_SIZE + " mapped bytes\n";
            assertTrue(result.output().contains(line), result::output);
        }
    }

    @Test
    void a_process_that_dies_during_the_exchange_fails_all_domains_with_its_index() throws IOException {
        int port;
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();
        }
        var ranks = IntStream.range(0, 3)
                .mapToObj(index -> OtherThread.start(
                        "rank " + index,
                        () -> Command.execute(rank(
                                "-Drank.port=" + port,
                                "-Drank.count=3",
                                "-Drank.index=" + index,
                                "-Drank.dies=" + (index == 2)))))
                .toList();

        assertEquals(9, ranks.get(2).join().exitCode(), ranks.get(2).join()::output);
        for (var rank : ranks.subList(0, 2)) {
            var output = rank.join().output();
            assertTrue(output.contains("failed: domain with the workers"), output);
            assertTrue(output.contains("Participant 2 of 3 has disconnected"), output);
        }
    }
}
