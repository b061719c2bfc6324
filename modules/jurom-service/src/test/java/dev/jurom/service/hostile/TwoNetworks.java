// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Two connected network namespaces, of the service and of an attacker, and a third one with distant hosts.
 */
final class TwoNetworks implements AutoCloseable {

    /** The address at which the service listens. */
    static final String SERVICE = "10.78.1.1";
    /** Another address of the machine of the service. */
    static final String SERVICE_TOO = "10.78.2.1";
    /** The address of the attacker, which has further ones from 10.78.1.100. */
    static final String ATTACKER = "10.78.1.2";

    static final int MORE_ADDRESSES = 12;

    /** The address of the distant hosts, unless they share that of the attacker. */
    static final String DISTANT = "10.78.3.2";

    private static final String TABLE = "100"; // the way to the hosts far away, by their ports

    private final String service = name("service");
    private final String attacker = name("attacker");
    private final String distant = name("distant");
    private Process slowWire;

    private TwoNetworks() {}

    private static String name(String part) {
        return "jurom-" + ProcessHandle.current().pid() + "-" + part;
    }

    /** Creates the namespaces; skips the test with a message if this is not possible. */
    static TwoNetworks open() {
        var networks = new TwoNetworks();
        if (Command.execute(List.of("sh", "-c", "ip netns add " + networks.service))
                        .exitCode()
                != 0) {
            System.out.println("Skipped: the attacks from another machine, as this user cannot create network"
                    + " namespaces with ip.");
            Assumptions.abort("network namespaces cannot be created");
        }
        try {
            networks.connect();
            return networks;
        } catch (RuntimeException | Error e) {
            networks.close();
            throw e;
        }
    }

    private void connect() {
        Command.run("ip", "netns", "add", attacker);
        Command.run(
                "ip", "link", "add", "wire", "netns", service, "type", "veth", "peer", "name", "wire", "netns",
                attacker);
        address(service, SERVICE);
        address(service, SERVICE_TOO);
        address(attacker, ATTACKER);
        address(attacker, "10.78.2.2");
        for (var i = 0; i < MORE_ADDRESSES; i++) {
            address(attacker, moreAddress(i));
        }
        for (var namespace : List.of(service, attacker)) {
            Command.run("ip", "-n", namespace, "link", "set", "lo", "up");
            wire(namespace, "up");
        }
    }

    static String moreAddress(int number) {
        return "10.78.1." + (100 + number);
    }

    private static void address(String namespace, String address) {
        Command.run("ip", "-n", namespace, "addr", "add", address + "/24", "dev", "wire");
    }

    private static void wire(String namespace, String state) {
        Command.run("ip", "-n", namespace, "link", "set", "wire", state);
    }

    /** Disconnects or reconnects the networks. */
    void setWire(boolean up) {
        wire(attacker, up ? "up" : "down");
    }

    /**
     * Creates the third network with a delay of packets in both directions, without netem, which some kernels lack.
     *
     * @param wire the path of the program slow_wire
     */
    void addDistant(Path wire, int milliseconds) throws IOException {
        Command.run("ip", "netns", "add", distant);
        slowWire = new ProcessBuilder(
                        wire.toString(), "" + milliseconds, "/run/netns/" + service, "/run/netns/" + distant)
                .start();
        if (!"connected".equals(slowWire.inputReader().readLine())) {
            throw new IOException("the slow wire does not work");
        }
        ip(service, "addr add 10.78.3.1/24 dev slow");
        ip(distant, "addr add " + DISTANT + "/24 dev slow");
        ip(distant, "addr add " + ATTACKER + "/32 dev slow");
        ip(service, "link set slow up");
        ip(distant, "link set slow up");
        ip(distant, "link set lo up");
        ip(service, "route add default dev slow table " + TABLE);
        ip(service, "rule add ipproto tcp dport 60000-65000 lookup " + TABLE);
        setPorts(distant, "60000 65000");
        setPorts(attacker, "10000 59999");
    }

    private static void ip(String namespace, String words) {
        Command.run(("ip -n " + namespace + " " + words).split(" "));
    }

    private static void setPorts(String namespace, String range) {
        Command.run(
                "ip",
                "netns",
                "exec",
                namespace,
                "sh",
                "-c",
                "echo " + range + " > /proc/sys/net/ipv4/ip_local_port_range");
    }

    /** Returns the words that run a program in the distant network with one of the two addresses. */
    List<String> atDistance(String address) {
        ip(distant, "route replace " + SERVICE + " dev slow src " + address);
        return List.of("ip", "netns", "exec", distant);
    }

    /** Returns the words that run a program in the namespace of the service. */
    List<String> atService() {
        return List.of("ip", "netns", "exec", service);
    }

    /** Returns the words that run a program in the namespace of the attacker. */
    List<String> atAttacker() {
        return List.of("ip", "netns", "exec", attacker);
    }

    /** Runs a program in the namespace of the attacker. */
    Command.Result asAttacker(String... words) {
        var all = new ArrayList<>(atAttacker());
        all.addAll(List.of(words));
        return Command.execute(all);
    }

    @Override
    public void close() {
        if (slowWire != null) {
            slowWire.destroyForcibly();
            Command.execute(List.of("ip", "netns", "del", distant));
        }
        Command.execute(List.of("ip", "netns", "del", attacker));
        Command.execute(List.of("ip", "netns", "del", service));
    }
}
