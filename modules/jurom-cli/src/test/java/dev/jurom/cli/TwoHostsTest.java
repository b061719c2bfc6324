// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.TwoHosts.Host;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.OtherThread;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests examples of several processes across two hosts, each of which uses its own service. */
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

    /** Runs an example on both hosts, each with its own first argument. */
    private static List<Command.Result> run(String example, String first, String second) {
        var other = OtherThread.start("second", () -> run(hosts.second(), example, second));
        return List.of(run(hosts.first(), example, first), other.join());
    }

    private static Command.Result run(Host host, String example, String argument) {
        var words = new ArrayList<>(List.of("env", ServiceFile.VARIABLE + "=" + host.services()));
        words.addAll(Programs.exampleWords(example, argument, hosts.first().address(), "9000", token.toString()));
        return TwoHosts.run(host, words);
    }

    private static void assertPrinted(String line, Command.Result result) {
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains(line + "\n"), result::output);
    }

    @Test
    void workers_of_two_hosts_send_messages_to_each_other() {
        var results = run("ranks/Greet.java", "0", "1");

        assertPrinted("rank 0 received: hello from rank 1", results.getFirst());
        assertPrinted("rank 1 received: hello from rank 0", results.getLast());
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
    void each_address_of_a_host_without_a_service_is_named() throws IOException {
        var result = hosts.runWithNames("manifold", Programs.uromWords("doctor", "--service", "manifold:7472"));

        assertEquals(1, result.exitCode(), result::output);
        for (var address : List.of("127.0.0.2", hosts.first().address())) {
            assertTrue(result.output().contains(" at " + address + " port 7472 cannot be reached: "), result::output);
        }
    }

    @Test
    void a_process_writes_to_the_memory_of_a_process_on_another_host() {
        var results = run("rdmo/Journal.java", "target", "writer");

        assertPrinted("the journal: opened, written, and 2 lines by count", results.getFirst());
        assertEquals(0, results.getLast().exitCode(), results::toString);
    }
}
