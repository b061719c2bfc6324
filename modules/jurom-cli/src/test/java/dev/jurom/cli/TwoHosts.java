// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Two hosts on a network, each with a service that it uses over TLS: two network namespaces of
 * this machine with one address each, which reach each other only over tcp.
 */
final class TwoHosts implements AutoCloseable {

    private static final int PORT = 7471;
    private static final String SILENT = "10.77.1.3"; // sorts before the first host's address
    private static final int TOKEN_SIZE = 32;
    private static final String ACCOUNT = "daemon"; // exists on any system
    private static final long DEADLINE_SECONDS = 10;

    /** One of the two hosts, with the key by which its service authenticates it. */
    record Host(String namespace, String address, Path key, Path services) {

        /** Returns the address of its service, as in a service file. */
        String service() {
            return (address.contains(":") ? "[" + address + "]" : address) + ":" + PORT;
        }
    }

    private final Path folder;
    private final String network;
    private final Path installation;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Process> daemons = new ArrayList<>();

    private TwoHosts(Path folder, String network) throws IOException {
        this.folder = folder;
        this.network = network;
        this.installation = PublicInstallation.in(folder);
    }

    /**
     * Creates the hosts, with files in a folder; skips the test with a message if this is not
     * possible.
     */
    static TwoHosts open(Path folder) throws IOException {
        return open(folder, "10.77.1.");
    }

    /** Does the same as {@link #open(Path)}, on a network without IPv4. */
    static TwoHosts openWithIpv6(Path folder) throws IOException {
        return open(folder, "fd77::");
    }

    private static TwoHosts open(Path folder, String network) throws IOException {
        requirePossible();
        var hosts = new TwoHosts(folder, network);
        try {
            hosts.makeNetwork();
            for (var host : hosts.hosts) {
                hosts.startService(host);
            }
            return hosts;
        } catch (IOException | RuntimeException | Error e) {
            hosts.close();
            throw e;
        }
    }

    private static void requirePossible() {
        var probe = name("probe");
        var possible = Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "ip")))
                && Command.execute(List.of("ip", "netns", "add", probe)).exitCode() == 0;
        if (possible) {
            Command.run("ip", "netns", "del", probe);
        } else {
            System.out.println(
                    "Skipped: the tests across two hosts, as this user cannot make" + " network namespaces with ip.");
        }
        Assumptions.assumeTrue(possible, "no network namespaces can be made");
    }

    private static String name(String part) {
        return "jurom-" + ProcessHandle.current().pid() + "-" + part;
    }

    private void makeNetwork() throws IOException {
        for (var number = 1; number <= 2; number++) {
            hosts.add(new Host(
                    name("host" + number),
                    network + number,
                    folder.resolve("key" + number),
                    folder.resolve("services" + number)));
            Command.run("ip", "netns", "add", hosts.getLast().namespace);
        }
        Command.run(
                "ip",
                "link",
                "add",
                "wire",
                "netns",
                hosts.get(0).namespace,
                "type",
                "veth",
                "peer",
                "name",
                "wire",
                "netns",
                hosts.get(1).namespace);
        for (var host : hosts) {
            var ipv6 = host.address.contains(":");
            var address = "addr add " + host.address + (ipv6 ? "/64 nodad" : "/24") + " dev wire";
            ip(host, address);
            ip(host, "link set wire up");
            ip(host, "link set lo up");
            if (ipv6) {
                ip(host, "-4 addr flush dev lo");
            }
        }
    }

    private static void ip(Host host, String words) {
        Command.run(("ip -n " + host.namespace + " " + words).split(" "));
    }

    /** Disconnects or reconnects the hosts. */
    void setWire(boolean up) {
        ip(first(), "link set wire " + (up ? "up" : "down"));
    }

    /** Sets the size of the largest packet between the hosts, in bytes. */
    void setMtu(int bytes) {
        hosts.forEach(host -> ip(host, "link set wire mtu " + bytes));
    }

    /** Returns the second host with the key of the first one, for the service of the first one. */
    Host distant() {
        return new Host(second().namespace, second().address, first().key, first().services);
    }

    /** Starts a command line on a host over tcp with its key. */
    static Process start(Host host, Path output, List<String> words) throws IOException {
        return new ProcessBuilder(words(host, words))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Creates a file of random bytes that only its owner can access. */
    Path secret(String name) throws IOException {
        var bytes = new byte[TOKEN_SIZE];
        new SecureRandom().nextBytes(bytes);
        var file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, bytes);
    }

    /** Creates a key and returns its certificate. */
    private static String createKey(Path file, String name) {
        return Command.run(Programs.uromWords("key", "create", file.toString(), "--name", name));
    }

    private void startService(Host host) throws IOException {
        var key = folder.resolve(host.namespace + ".key");
        var authorized = folder.resolve(host.namespace + ".hosts");
        var certificate = createKey(key, "service of " + host.namespace);
        Files.writeString(
                authorized,
                "account: " + ACCOUNT + " plugins=graph,rdmo,sandbox\n" + createKey(host.key, host.namespace));
        Files.writeString(host.key, certificate, StandardOpenOption.APPEND);
        var output = folder.resolve(host.namespace + ".out");
        var words = daemonWords(
                "--listen",
                host.service(),
                "--key",
                key.toString(),
                "--authorized-hosts",
                authorized.toString(),
                "--plugin-transports",
                "tcp,self",
                "--service-file",
                host.services.toString());
        daemons.add(start(host, output, words));
        Waiting.until("the service of " + host.namespace + " to listen", () -> {
            if (!daemons.getLast().isAlive()) {
                throw new AssertionError("the service has ended: " + text(output));
            }
            return text(output).contains("urom service listening");
        });
    }

    /** Returns the command line of a service that runs only files that every user may read. */
    private List<String> daemonWords(String... arguments) {
        var words = new ArrayList<>(Programs.daemonWords(arguments));
        words.add(1, "-Djurom.software.path=" + installation);
        return words;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Host first() {
        return hosts.get(0);
    }

    Host second() {
        return hosts.get(1);
    }

    /**
     * Runs a command line on the second host with the first host's key. The first host's name
     * resolves to two further addresses before its own: nothing listens at one, and the other
     * never answers.
     */
    Command.Result runWithNames(String name, List<String> words) throws IOException {
        var first = first().namespace;
        Command.execute(List.of("ip", "-n", first, "addr", "add", SILENT + "/32", "dev", "wire"));
        Command.execute(List.of("ip", "-n", first, "rule", "add", "from", SILENT, "blackhole"));
        var names = folder.resolve("names");
        Files.writeString(
                names, "127.0.0.2 " + name + "\n" + SILENT + " " + name + "\n" + first().address + " " + name + "\n");
        var all = new ArrayList<>(
                List.of("unshare", "-m", "sh", "-c", "mount --bind " + names + " /etc/hosts && exec \"$@\"", "sh"));
        all.addAll(words);
        return run(distant(), all);
    }

    /** Runs a command line on a host over tcp with its key. */
    static Command.Result run(Host host, List<String> words) {
        return Command.execute(words(host, words));
    }

    private static List<String> words(Host host, List<String> words) {
        var all = new ArrayList<>(
                List.of("ip", "netns", "exec", host.namespace, "env", "UCX_TLS=tcp", "DOCA_UROM_KEY_FILE=" + host.key));
        all.addAll(words);
        return all;
    }

    @Override
    public void close() {
        daemons.forEach(Process::destroy);
        try {
            for (var daemon : daemons) {
                if (!daemon.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    daemon.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (var host : hosts) {
            Command.execute(List.of("ip", "netns", "del", host.namespace));
        }
    }
}
