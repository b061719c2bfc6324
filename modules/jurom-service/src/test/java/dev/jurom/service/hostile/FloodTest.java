// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An attacker without a key floods a port with connections from its own address and from that of the hosts.
 * Hosts with a latency of 20 ms must be served within their deadlines.
 */
class FloodTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int PORT = 7471;
    private static final int WORKER_PORT = 7500;
    private static final String PLACE = TwoNetworks.SERVICE + ":" + PORT;
    private static final int HOSTS = 10;
    private static final int ONE_WAY_MILLIS = 10;
    private static final int SECONDS = 30; // longer than the hosts run
    private static final int WORKER_RATE = 4_000; // connections per second
    private static final int SERVICE_RATE = LONG ? 20_000 : 4_000;
    /** More than the capacity of either kind of port. */
    private static final int UNDER_WAY = 50;
    /**
     * The minimum number of accepted hosts if the flood uses their address and begins handshakes: the service
     * then accepts connections at random with half of its cores, 3 to 10 of 10 hosts depending on the load.
     */
    private static final int ADMITTED_BY_CHANCE = 1;

    private static final Path SOURCES = Command.ROOT.resolve("src/test/c/attack");

    @TempDir
    private static Path folder;

    private static TwoNetworks networks;
    private static AttackedService service;
    private static Path services;
    private static Path flood;

    @BeforeAll
    static void open() throws IOException {
        networks = TwoNetworks.open();
        service = new AttackedService(folder);
        flood = compile("flood");
        networks.addDistant(compile("slow_wire"), ONE_WAY_MILLIS);
        var certificate = createKey("service.key");
        Files.writeString(folder.resolve("hosts"), "account: daemon\n" + createKey("host.key"));
        Files.writeString(folder.resolve("host.key"), certificate, StandardOpenOption.APPEND);
        services = service.serviceFile("services", PLACE);
        service.start(
                networks.atService(),
                Map.of(),
                "--listen",
                PLACE,
                "--key",
                folder.resolve("service.key").toString(),
                "--authorized-hosts",
                folder.resolve("hosts").toString(),
                "--worker-ports",
                WORKER_PORT + "-" + WORKER_PORT);
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
        return KeyPairFile.create(folder.resolve(name), name);
    }

    private static Path compile(String program) {
        var file = folder.resolve(program);
        Command.run(
                "cc",
                "-O2",
                "-D_GNU_SOURCE",
                "-o",
                file.toString(),
                SOURCES.resolve(program + ".c").toString(),
                "-lssl",
                "-lcrypto");
        return file;
    }

    private static HostProcess host(String address) throws IOException {
        var host = new HostProcess(
                service,
                folder,
                networks.atDistance(address),
                "DOCA_UROM_SERVICE_FILE=" + services,
                "DOCA_UROM_KEY_FILE=" + folder.resolve("host.key"));
        assertEquals("= connected", host.answer());
        return host;
    }

    private static Process flood(String kind, int port, int rate) throws IOException {
        var words = new ArrayList<>(networks.atAttacker());
        words.addAll(List.of(
                flood.toString(), kind, TwoNetworks.SERVICE, "" + port, "" + rate, "" + SECONDS, TwoNetworks.ATTACKER));
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        assertEquals("flooding", process.inputReader().readLine());
        return process;
    }

    /** A host that does not use its ticket, so the worker listens for 20 s. */
    private static Process spawn(String address) throws IOException {
        var key = folder.resolve("host.key").toString();
        var words = new ArrayList<>(networks.atDistance(address));
        words.addAll(List.of("openssl", "s_client", "-quiet", "-connect", PLACE, "-cert", key, "-key", key));
        var process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().write(RawFrames.hello());
        process.getOutputStream().write(RawFrames.spawn(5));
        process.getOutputStream().flush();
        return process;
    }

    /** Returns the number of connections of a port. */
    private static long connections(int port) {
        var table = Path.of("/proc/" + service.process().pid() + "/net/" + (port == PORT ? "tcp6" : "tcp"));
        try (var lines = Files.lines(table)) {
            var end = ":%04X".formatted(port);
            return lines.filter(line -> line.strip().split("\\s+")[1].endsWith(end))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static int admitted(String answer) {
        return Integer.parseInt(answer.substring(answer.lastIndexOf("= ") + 2).split(" ")[0]);
    }

    private static void report(String what, String answer, Process flood) throws IOException {
        flood.getOutputStream().close();
        System.out.println(
                what + ": " + answer + "; flood " + flood.inputReader().readLine());
    }

    /** Pairs of the message of the attacker and the address of the hosts. */
    private static Stream<Arguments> floods(String... greetings) {
        var shared = Stream.of(greetings).map(kind -> arguments(kind, TwoNetworks.ATTACKER));
        return LONG
                ? Stream.concat(shared, Stream.of(greetings).map(kind -> arguments(kind, TwoNetworks.DISTANT)))
                : shared;
    }

    static Stream<Arguments> floodsAtService() {
        return LONG ? floods("silent", "part", "hello") : floods("silent", "hello");
    }

    static Stream<Arguments> floodsAtWorker() {
        return LONG ? floods("silent", "part", "ticket") : floods("silent");
    }

    @ParameterizedTest
    @MethodSource("floodsAtService")
    void a_flood_at_the_port_of_the_service_locks_out_no_host(String kind, String address) throws IOException {
        try (var host = host(address)) {
            var byChance = !kind.equals("silent") && address.equals(TwoNetworks.ATTACKER);
            var flood = flood(kind, PORT, SERVICE_RATE);
            try {
                Waiting.until("the flood is running", () -> connections(PORT) > UNDER_WAY);
                var answer = host.ask("concurrent " + HOSTS);
                report("service, " + kind + ", hosts at " + address, answer, flood);
                assertTrue(admitted(answer) >= (byChance ? ADMITTED_BY_CHANCE : HOSTS), answer);
            } finally {
                flood.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("floodsAtWorker")
    void a_flood_at_the_port_of_a_worker_locks_out_no_host(String kind, String address) throws IOException {
        try (var host = host(address)) {
            assertTrue(host.ask("start 5 worker_graph -").contains("= running"));
            assertEquals(HOSTS, admitted(host.ask("concurrent " + HOSTS)));
            var spawning = spawn(address);
            var flood = flood(kind, WORKER_PORT, WORKER_RATE);
            try {
                Waiting.until("the flood is running", () -> connections(WORKER_PORT) > UNDER_WAY);
                var answer = host.ask("each start 5 worker_graph -");
                report("worker, " + kind + ", hosts at " + address, answer, flood);
                assertEquals(HOSTS, admitted(answer), answer);
            } finally {
                flood.destroyForcibly();
                spawning.destroyForcibly();
            }
        }
    }
}
