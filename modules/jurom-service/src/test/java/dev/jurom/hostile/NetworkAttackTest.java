// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

/** What somebody reaches from another machine: with a key, with a wrong one, without any. */
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

    /** A host on the stranger's machine, with a key. */
    private static HostProcess host(String key) throws IOException {
        return new HostProcess(
                service,
                folder,
                networks.atStranger(),
                "DOCA_UROM_SERVICE_FILE=" + services,
                "DOCA_UROM_KEY_FILE=" + key(key));
    }

    private static HostProcess knownHost() throws IOException {
        var host = host("known.key");
        var answer = host.answer();
        assertTrue(answer.endsWith("= connected"), answer);
        return host;
    }

    /** Addresses and ports at which anybody listens where the service is. */
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

    private static Process stranger(String... arguments) throws IOException {
        var words = new ArrayList<>(networks.atStranger());
        words.addAll(ForkedJvm.command(StrangerProgram.class));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private static String line(Process process) throws IOException {
        var line = process.inputReader().readLine();
        return line == null ? "" : line;
    }

    @Test
    void nothing_listens_but_what_was_asked_for_and_a_worker_while_a_ticket_is_open() throws IOException {
        var alone = Set.of("tcp " + PLACE);
        assertEquals(alone, listeners());
        try (var local = new HostProcess(
                        service,
                        folder,
                        networks.atService(),
                        "DOCA_UROM_SERVICE_FILE=" + service.serviceFile("local", folder.resolve("socket")));
                var remote = knownHost()) {
            assertTrue(local.answer().endsWith("= connected"));
            assertTrue(local.ask("start 5 worker_graph -").startsWith("= running"));
            assertEquals(alone, listeners(), "for a local host");
            assertTrue(remote.ask("start 5 worker_graph -").startsWith("= running"));
            assertEquals(alone, listeners(), "when the ticket has been used");
            assertEquals("= value 3", remote.ask("loop 3"));
        }
    }

    /** The ticket stays open, as the raw host spawns and does not connect. */
    @Test
    void a_workers_port_is_open_only_for_its_ticket_and_at_the_sessions_address() throws IOException {
        var spawning = openssl("known.key", List.of(RawFrames.hello(), RawFrames.spawn(42)));
        try {
            Waiting.until("a worker listens", () -> listenersNow().size() == 2);
            var worker = listeners().stream()
                    .filter(l -> !l.endsWith(":" + PORT))
                    .findFirst()
                    .orElseThrow();
            assertTrue(worker.startsWith("tcp " + TwoNetworks.SERVICE + ":75"), worker);
            var port = worker.substring(worker.lastIndexOf(':') + 1);
            var there = stranger("reach", TwoNetworks.SERVICE, port, "" + PORT);
            assertEquals("open " + port, line(there));
            assertEquals("open " + PORT, line(there));
            var elsewhere = stranger("reach", TwoNetworks.SERVICE_TOO, port, "" + PORT);
            assertEquals("closed " + port, line(elsewhere));
            assertEquals("closed " + PORT, line(elsewhere));
            assertRefusesStrangers(port);
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

    /** Without a ticket: by TLS with a certificate, by an invented key, by rubbish. */
    private static void assertRefusesStrangers(String port) {
        var to = TwoNetworks.SERVICE + ":" + port;
        for (var options : List.of(
                "-cert " + key("known.key") + " -key " + key("known.key"),
                "-psk_identity 0123456789abcdef -psk " + "5".repeat(64),
                "-tls1_2")) {
            var result = networks.asStranger(
                    "sh",
                    "-c",
                    "echo hello | timeout 8 openssl s_client" + " -connect " + to + " " + options + " 2>&1");
            assertTrue(
                    result.output().contains("Cipher is (NONE)")
                            || result.output().contains("alert"),
                    result.output());
        }
        var rubbish = networks.asStranger(
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
                rubbish.output()); // an alert at most
    }

    /** A TLS client that sends these bytes and keeps the connection. */
    private static Process openssl(String key, List<byte[]> frames) throws IOException {
        var words = new ArrayList<>(networks.atStranger());
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
            // The service has ended the connection before all was sent.
        }
        return process;
    }

    @Test
    void who_has_no_key_or_a_wrong_one_or_an_old_protocol_hears_no_frame() throws IOException {
        for (var options : List.of(
                "",
                "-cert " + key("unknown.key") + " -key " + key("unknown.key"),
                "-tls1_2 -cert " + key("known.key") + " -key " + key("known.key"))) {
            var result = networks.asStranger(
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
        knownHost().close();
    }

    private static String octal(byte[] bytes) {
        var text = new StringBuilder();
        for (var b : bytes) {
            text.append("\\%03o".formatted(Byte.toUnsignedInt(b)));
        }
        return text.toString();
    }

    /** The service answers with a sentence and ends this connection, no other. */
    @Test
    void frames_that_are_too_long_or_out_of_turn_end_their_connection() throws Exception {
        try (var host = knownHost()) {
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
                    var heard = client.getInputStream().readAllBytes(); // until it is closed
                    var last = new String(heard, StandardCharsets.ISO_8859_1);
                    assertTrue(
                            last.contains("This is no frame") || last.contains("HELLO") || last.contains("A host asks"),
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
    void silent_and_slow_ones_end_in_time_and_keep_nobody_out() throws IOException {
        for (var kind : List.of(
                List.of("hold", TwoNetworks.SERVICE, "" + PORT, "30", TwoNetworks.moreAddress(0)),
                List.of("drip", TwoNetworks.SERVICE, "" + PORT, "15"))) {
            var crowd = stranger(kind.toArray(String[]::new));
            try {
                assertTrue(line(crowd).startsWith("holding"));
                try (var host = knownHost()) {
                    assertTrue(host.ask("start 7 worker_graph -").startsWith("= running"));
                }
                var end = line(crowd);
                assertTrue(end.matches("left 0 after [0-9]{1,4} ms"), end);
            } finally {
                crowd.destroyForcibly();
            }
        }
    }

    /**
     * docs/security.md: who has no key cannot keep authorised hosts out. Fails as long as those who
     * have not said who they are count towards the connections in all.
     */
    @Test
    void an_attacker_of_many_addresses_keeps_nobody_out() throws IOException {
        var words = new ArrayList<>(List.of("hold", TwoNetworks.SERVICE, "" + PORT, "" + UNAUTHENTICATED));
        IntStream.range(0, TwoNetworks.MORE_ADDRESSES)
                .mapToObj(TwoNetworks::moreAddress)
                .forEach(words::add);
        var crowd = stranger(words.toArray(String[]::new));
        try {
            assertTrue(line(crowd).startsWith("holding"));
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
            crowd.destroyForcibly();
        }
    }

    /** The same at a worker's port, while a host that has a ticket is on its way. */
    @Test
    void a_flood_at_a_workers_port_keeps_nobody_out() throws IOException {
        try (var host = knownHost()) {
            assertTrue(host.ask("start 8 worker_graph -").startsWith("= running"));
            var flood = stranger("flood", TwoNetworks.SERVICE, "" + WORKER_PORT, "6000");
            var second = stranger("flood", TwoNetworks.SERVICE, "" + (WORKER_PORT + 1), "6000");
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

    /** Whoever vanishes says no good-bye: the service must find out by itself. */
    @Test
    void connections_whose_wire_was_pulled_end_by_themselves() throws IOException {
        Waiting.until("nobody is left of before", () -> connections() == 0);
        var crowd = stranger("hold", TwoNetworks.SERVICE, "" + PORT, "15", TwoNetworks.moreAddress(1));
        try {
            assertTrue(line(crowd).startsWith("holding"));
            Waiting.until("all have arrived", () -> connections() == 15);
            networks.setWire(false);
            crowd.destroyForcibly();
            Waiting.until("they have been given up", () -> connections() == 0);
        } finally {
            networks.setWire(true);
            crowd.destroyForcibly();
        }
        knownHost().close();
        assertFalse(service.output().contains("Exception"), service.output());
    }

    /** How many connections the service has at its port. */
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
