// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests attacks from another machine with a key, with a wrong key and without a key. */
class NetworkAttackTest {

    private static final int PORT = 7471;
    private static final int WORKER_PORT = 7500;
    private static final int CONNECTIONS = 100;
    private static final int UNAUTHENTICATED = 20;
    private static final String PLACE = TwoNetworks.SERVICE + ":" + PORT;
    private static final Pattern LISTENING =
            Pattern.compile("(?:0{16}FFFF0000)?([0-9A-F]{8}):([0-9A-F]{4})") /* IPv4, which IPv6 may carry */;

    @TempDir
    private static Path folder;

    private static TwoNetworks networks;
    private static AttackedService service;
    private static Path services;

    @BeforeAll
    static void open() throws IOException {
        networks = TwoNetworks.open();
        service = new AttackedService(folder);
        var certificate = createKey("service.key");
        var known = createKey("known.key");
        createKey("unknown.key");
        Files.writeString(folder.resolve("hosts"), "account: daemon\n" + known);
        for (var key : List.of("known.key", "unknown.key")) {
            Files.writeString(folder.resolve(key), certificate, StandardOpenOption.APPEND);
        }
        services = service.serviceFile("services", PLACE);
        service.start(
                networks.atService(),
                Map.of(),
                "--listen",
                PLACE,
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--key",
                key("service.key"),
                "--authorized-hosts",
                key("hosts"),
                "--handshake-timeout",
                "3",
                "--max-connections",
                "" + CONNECTIONS,
                "--max-unauthenticated",
                "" + UNAUTHENTICATED,
                "--worker-ports",
                WORKER_PORT + "-" + (WORKER_PORT + 9));
    }

    @AfterAll
    static void close() {
        if (service != null) {
            service.close();
        }
        if (networks != null) {
            networks.close();
        }
    }

    private static String createKey(String name) throws IOException {
        return KeyPairFile.create(Path.of(key(name)), name);
    }

    private static String key(String name) {
        return folder.resolve(name).toString();
    }

    /** Starts a host with a key on the machine of the attacker. */
    private static HostProcess host(String key) throws IOException {
        return new HostProcess(
                service,
                folder,
                networks.atAttacker(),
                "DOCA_UROM_SERVICE_FILE=" + services,
                "DOCA_UROM_KEY_FILE=" + key(key));
    }

    private static HostProcess authorizedHost() throws IOException {
        var host = host("known.key");
        var answer = host.answer();
        assertTrue(answer.endsWith("= connected"), answer);
        return host;
    }

    /** Returns the addresses and ports of all listening sockets on the machine of the service. */
    private static Set<String> listeners() throws IOException {
        var found = new TreeSet<String>();
        for (var table : List.of("tcp", "tcp6", "udp", "udp6")) {
            var lines = Files.readAllLines(Path.of("/proc/" + service.process().pid() + "/net/" + table));
            for (var line : lines.subList(1, lines.size())) {
                var words = line.strip().split("\\s+");
                var matcher = LISTENING.matcher(words[1]);
                if (words[3].equals(table.startsWith("tcp") ? "0A" : "07")) {
                    found.add(table.substring(0, 3) + " "
                            + (matcher.matches()
                                    ? text(matcher.group(1)) + ":" + Integer.parseInt(matcher.group(2), 16)
                                    : words[1]));
                }
            }
        }
        return found;
    }

    private static String text(String address) {
        return IntStream.of(6, 4, 2, 0)
                .map(at -> Integer.parseInt(address.substring(at, at + 2), 16))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("."));
    }

    private static Process attacker(String... arguments) throws IOException {
        var words = new ArrayList<>(networks.atAttacker());
        words.addAll(ForkedJvm.command(AttackerProgram.class));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private static String line(Process process) throws IOException {
        var line = process.inputReader().readLine();
        return line == null ? "" : line;
    }

    @Test
    void only_the_configured_port_and_workers_with_open_tickets_listen() throws IOException {
        var alone = Set.of("tcp " + PLACE);
        assertEquals(alone, listeners());
        try (var local = new HostProcess(
                        service,
                        folder,
                        networks.atService(),
                        "DOCA_UROM_SERVICE_FILE=" + service.serviceFile("local", folder.resolve("socket")));
                var remote = authorizedHost()) {
            assertTrue(local.answer().endsWith("= connected"));
            assertTrue(local.ask("start 5 worker_graph -").startsWith("= running"));
            assertEquals(alone, listeners(), "for a local host");
            assertTrue(remote.ask("start 5 worker_graph -").startsWith("= running"));
            assertEquals(alone, listeners(), "when the ticket has been used");
            assertEquals("= value 3", remote.ask("loop 3"));
        }
    }

    /** The ticket stays open because the raw host does not connect to the worker. */
    @Test
    void the_port_of_a_worker_is_open_only_for_its_ticket_at_the_address_of_the_session() throws IOException {
        var spawning = openssl("known.key", List.of(RawFrames.hello(), RawFrames.spawn(42)));
        try {
            Waiting.until("a worker listens", () -> listenersNow().size() == 2);
            var worker = listeners().stream()
                    .filter(l -> !l.endsWith(":" + PORT))
                    .findFirst()
                    .orElseThrow();
            assertTrue(worker.startsWith("tcp " + TwoNetworks.SERVICE + ":75"), worker);
            var port = worker.substring(worker.lastIndexOf(':') + 1);
            var there = attacker("reach", TwoNetworks.SERVICE, port, "" + PORT);
            assertEquals("open " + port, line(there));
            assertEquals("open " + PORT, line(there));
            var elsewhere = attacker("reach", TwoNetworks.SERVICE_TOO, port, "" + PORT);
            assertEquals("closed " + port, line(elsewhere));
            assertEquals("closed " + PORT, line(elsewhere));
            assertRejectsAttackers(port);
        } finally {
            spawning.destroyForcibly();
        }
        Waiting.until(
                "the port is closed with the session", () -> listenersNow().size() == 1);
    }

    private static Set<String> listenersNow() {
        try {
            return listeners();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Attacks without a ticket: TLS with a certificate, a wrong key, and garbage. */
    private static void assertRejectsAttackers(String port) {
        var to = TwoNetworks.SERVICE + ":" + port;
        for (var options : List.of(
                "-cert " + key("known.key") + " -key " + key("known.key"),
                "-psk_identity 0123456789abcdef -psk " + "5".repeat(64),
                "-tls1_2")) {
            var result = networks.asAttacker(
                    "sh",
                    "-c",
                    "echo hello | timeout 8 openssl s_client" + " -connect " + to + " " + options + " 2>&1");
            assertTrue(
                    result.output().contains("Cipher is (NONE)")
                            || result.output().contains("alert"),
                    result.output());
        }
        var rubbish = networks.asAttacker(
                "bash",
                "-c",
                "exec 3<>/dev/tcp/" + TwoNetworks.SERVICE
                        + "/" + port + "; printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3; timeout 8 cat <&3 | wc"
                        + " -c");
        assertTrue(
                Integer.parseInt(rubbish.output()
                                .strip()
                                .lines()
                                .reduce((a, b) -> b)
                                .orElseThrow())
                        <= 7,
                rubbish.output()); // at most an alert
    }

    /** Starts a TLS client that sends the given bytes and keeps the connection open. */
    private static Process openssl(String key, List<byte[]> frames) throws IOException {
        var words = new ArrayList<>(networks.atAttacker());
        words.addAll(List.of("openssl", "s_client", "-quiet", "-connect", PLACE, "-cert", key(key), "-key", key(key)));
        var process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            for (var frame : frames) {
                process.getOutputStream().write(frame);
            }
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The service closed the connection before all bytes were sent.
        }
        return process;
    }

    @Test
    void a_peer_without_a_valid_key_or_protocol_receives_no_frame() throws IOException {
        for (var options : List.of(
                "",
                "-cert " + key("unknown.key") + " -key " + key("unknown.key"),
                "-tls1_2 -cert " + key("known.key") + " -key " + key("known.key"))) {
            var result = networks.asAttacker(
                    "sh",
                    "-c",
                    "printf '" + octal(RawFrames.hello())
                            + "' | timeout 8 openssl s_client -quiet -connect " + PLACE + " " + options
                            + " 2>/dev/null | wc -c");
            assertEquals("0", result.output().strip(), options);
        }
        try (var host = host("unknown.key")) {
            var answer = host.answer();
            assertTrue(answer.contains("= refused"), answer);
        }
        authorizedHost().close();
    }

    private static String octal(byte[] bytes) {
        var text = new StringBuilder();
        for (var b : bytes) {
            text.append("\\%03o".formatted(Byte.toUnsignedInt(b)));
        }
        return text.toString();
    }

    /** The service answers with an error and closes only this connection. */
    @Test
    void frames_that_are_too_long_or_out_of_order_end_their_connection() throws Exception {
        try (var host = authorizedHost()) {
            for (var frames : List.of(
                    List.of(RawFrames.frame(RawFrames.HELLO, (1 << 20) - 16, (1 << 20) - 16)),
                    List.of(RawFrames.frame(RawFrames.HELLO, 0xFFFFFFFFL, 4096)),
                    List.of(RawFrames.release()),
                    List.of(RawFrames.hello(), RawFrames.hello()),
                    List.of(RawFrames.hello(), RawFrames.frame(24, 8, 8)),
                    List.of(RawFrames.hello(), RawFrames.frame(33, 8, 8)),
                    List.of(RawFrames.hello(), RawFrames.frame(RawFrames.ERROR, 8, 8)))) {
                var client = openssl("known.key", frames);
                try {
                    var received = client.getInputStream().readAllBytes(); // until the connection is closed
                    var last = new String(received, StandardCharsets.ISO_8859_1);
                    assertTrue(
                            last.contains("The frame is malformed")
                                    || last.contains("HELLO")
                                    || last.contains("Only SPAWN"),
                            last);
                } finally {
                    client.destroyForcibly();
                }
            }
            assertTrue(host.ask("start 6 worker_graph -").startsWith("= running"));
            assertEquals("= value 4", host.ask("loop 4"));
        }
    }

    @Test
    void silent_and_slow_connections_end_in_time_and_lock_out_no_host() throws IOException {
        for (var kind : List.of(
                List.of("hold", TwoNetworks.SERVICE, "" + PORT, "30", TwoNetworks.moreAddress(0)),
                List.of("drip", TwoNetworks.SERVICE, "" + PORT, "15"))) {
            var attackers = attacker(kind.toArray(String[]::new));
            try {
                assertTrue(line(attackers).startsWith("holding"));
                try (var host = authorizedHost()) {
                    assertTrue(host.ask("start 7 worker_graph -").startsWith("= running"));
                }
                var end = line(attackers);
                assertTrue(end.matches("left 0 after [0-9]{1,4} ms"), end);
            } finally {
                attackers.destroyForcibly();
            }
        }
    }

    /**
     * Tests a statement of docs/security.md: an attacker without a key cannot lock out authorized hosts.
     * Unauthenticated connections must not count towards the total limit.
     */
    @Test
    void an_attacker_with_many_addresses_locks_out_no_host() throws IOException {
        var words = new ArrayList<>(List.of("hold", TwoNetworks.SERVICE, "" + PORT, "" + UNAUTHENTICATED));
        IntStream.range(0, TwoNetworks.MORE_ADDRESSES)
                .mapToObj(TwoNetworks::moreAddress)
                .forEach(words::add);
        var attackers = attacker(words.toArray(String[]::new));
        try {
            assertTrue(line(attackers).startsWith("holding"));
            try (var local = new HostProcess(
                            service,
                            folder,
                            networks.atService(),
                            "DOCA_UROM_SERVICE_FILE=" + service.serviceFile("local2", folder.resolve("socket")));
                    var host = host("known.key")) {
                var near = local.answer();
                var far = host.answer();
                assertTrue(near.endsWith("= connected"), near);
                assertTrue(far.endsWith("= connected"), far);
            }
        } finally {
            attackers.destroyForcibly();
        }
    }

    /** The same at the port of a worker while a host with a ticket connects. */
    @Test
    void a_flood_at_the_port_of_a_worker_locks_out_no_other_host() throws IOException {
        try (var host = authorizedHost()) {
            assertTrue(host.ask("start 8 worker_graph -").startsWith("= running"));
            var flood = attacker("flood", TwoNetworks.SERVICE, "" + WORKER_PORT, "6000");
            var second = attacker("flood", TwoNetworks.SERVICE, "" + (WORKER_PORT + 1), "6000");
            try {
                assertEquals("flooding", line(flood));
                assertEquals("flooding", line(second));
                for (var i = 0; i < 10; i++) {
                    var answer = host.ask("start " + (100 + i) + " worker_graph -");
                    assertTrue(answer.contains("= running"), answer);
                }
            } finally {
                flood.destroyForcibly();
                second.destroyForcibly();
            }
        }
    }

    /** The service must detect lost connections by itself. */
    @Test
    void connections_end_after_the_network_is_lost() throws IOException {
        Waiting.until("no earlier connections remain", () -> connections() == 0);
        var attackers = attacker("hold", TwoNetworks.SERVICE, "" + PORT, "15", TwoNetworks.moreAddress(1));
        try {
            assertTrue(line(attackers).startsWith("holding"));
            Waiting.until("all are connected", () -> connections() == 15);
            networks.setWire(false);
            attackers.destroyForcibly();
            Waiting.until("the connections are closed", () -> connections() == 0);
        } finally {
            networks.setWire(true);
            attackers.destroyForcibly();
        }
        authorizedHost().close();
        assertFalse(service.output().contains("Exception"), service.output());
    }

    /** The kernel takes half a minute to report the loss: with -Djurom.long=true only. */
    @Test
    void the_log_states_that_a_worker_has_exited_after_the_network_was_lost() throws IOException {
        assumeTrue(Boolean.getBoolean("jurom.long"), "-Djurom.long=true is not set");
        var line =
                "Worker 9 exited, because the session of its last host has ended: the connection to the host was lost: ";
        var host = authorizedHost();
        try {
            assertTrue(host.ask("start 9 worker_graph -").startsWith("= running"));
            networks.setWire(false);
            Waiting.within(
                    Duration.ofMinutes(2),
                    "the service has lost the host",
                    () -> service.output().contains(line));
        } finally {
            networks.setWire(true);
            host.close();
        }
    }

    /** Returns the number of connections of the port of the service. */
    private static long connections() {
        try (var lines = Files.lines(Path.of("/proc/" + service.process().pid() + "/net/tcp6"))) {
            var port = ":%04X".formatted(PORT);
            return lines.map(line -> line.strip().split("\\s+"))
                    .filter(words -> words[1].endsWith(port) && words[3].equals("01"))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
