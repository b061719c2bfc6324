// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Mpirun;
import dev.jurom.fixture.OtherThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingPongTest {

    @TempDir
    private Path folder;

    private static Command.Result play(int ranks, String... options) {
        Mpirun.require();
        return Mpirun.run(ranks, Programs.uromWords(options));
    }

    private Path token(String permissions) throws IOException {
        var file = folder.resolve("token");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        return Files.writeString(file, "0123456789abcdef");
    }

    @Test
    void two_ranks_exchange_messages_from_one_byte_to_one_mebibyte() {
        var sizes = new int[] {1, 17, 1000, 4096, 65_536, 1 << 20};

        var result = play(
                2, "ping-pong", "--rounds", "3", "--message", "tic tac ", "--size", "1,17,1000,4096,65536,1048576");

        assertEquals(0, result.exitCode(), result::output);
        for (var size : sizes) {
            assertTrue(
                    result.output()
                            .contains("ping-pong 3 rounds of " + size + " bytes in "
                                    + (size < 4000 ? "commands" : "mapped memory") + ", every byte right"),
                    result::output);
        }
    }

    @Test
    void ranks_in_a_container_with_its_own_pid_namespace_exchange_messages() {
        Mpirun.require();
        var container = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
        var all = new ArrayList<>(container);
        all.add("true");
        assumeTrue(Command.execute(all).exitCode() == 0, "this machine gives no PID namespace");

        var result = Mpirun.run(container, 2, Programs.uromWords("ping-pong", "--rounds", "3", "--size", "17,65536"));

        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("3 rounds of 65536 bytes in mapped memory"), result::output);
    }

    @Test
    void a_larger_maximum_message_size_allows_longer_messages_in_commands() {
        var result = play(2, "ping-pong", "--rounds", "2", "--size", "1048576,100", "--max-message-size", "2097152");

        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("2 rounds of 1048576 bytes in commands"), result::output);
    }

    @Test
    void three_ranks_are_rejected() {
        var result = play(3, "ping-pong");

        assertNotEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("played by 2 ranks, and 3 were started"), result::output);
    }

    @Test
    void ranks_without_a_launcher_meet_at_an_address_and_detect_different_options() throws IOException {
        int port;
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();
        }
        var token = token("rw-------").toString();
        var other = OtherThread.start(
                "rank 1",
                () -> Programs.urom(
                        "ping-pong",
                        "--rank",
                        "1",
                        "--ranks",
                        "2",
                        "--rendezvous",
                        "127.0.0.1:" + port,
                        "--token-file",
                        token,
                        "--message",
                        "abd"));

        var result = Programs.urom(
                "ping-pong",
                "--rank",
                "0",
                "--ranks",
                "2",
                "--rendezvous",
                "127.0.0.1:" + port,
                "--token-file",
                token,
                "--message",
                "abc");

        for (var rank : List.of(result, other.join())) {
            assertEquals(ExitCode.USAGE, rank.exitCode(), rank::output);
            assertTrue(rank.output().contains("The ranks have different options"), rank::output);
        }
    }

    @Test
    void a_process_without_a_rank_prints_how_to_start_it() {
        var result = Programs.urom("ping-pong");

        assertEquals(ExitCode.USAGE, result.exitCode(), result::output);
        assertTrue(result.output().contains("start it with mpirun"), result::output);
    }

    @Test
    void options_of_a_rank_are_checked() throws IOException {
        var open = token("rw-r--r--").toString();
        var address = "127.0.0.1:1";

        var some = Programs.urom("ping-pong", "--rank", "0", "--ranks", "2");
        var range = Programs.urom(
                "ping-pong", "--rank", "2", "--ranks", "2", "--rendezvous", address, "--token-file", open);
        var readable = Programs.urom(
                "ping-pong", "--rank", "1", "--ranks", "2", "--rendezvous", address, "--token-file", open);
        var nowhere =
                Programs.urom("ping-pong", "--rank", "1", "--ranks", "2", "--rendezvous", "here", "--token-file", open);

        assertTrue(some.output().contains("give all or none"), some::output);
        assertTrue(range.output().contains("it must be from 0 to 1"), range::output);
        assertTrue(readable.output().contains("use chmod 600"), readable::output);
        assertTrue(nowhere.output().contains("is not HOST:PORT"), nowhere::output);
    }
}
