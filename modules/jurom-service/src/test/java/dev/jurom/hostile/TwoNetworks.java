// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Two network namespaces of this machine with a wire between them: the service's and a stranger's;
 * and a third one, of hosts far away.
 */
final class TwoNetworks implements AutoCloseable {

    /** Where the service is asked to listen. */
    static final String SERVICE = "10.78.1.1";
    /** Where nobody asked it to. */
    static final String SERVICE_TOO = "10.78.2.1";
    /** Of the stranger, who has some more from 10.78.1.100 on. */
    static final String STRANGER = "10.78.1.2";

    static final int MORE_ADDRESSES = 12;

    /** Of the hosts far away, unless they have the stranger's. */
    static final String DISTANT = "10.78.3.2";

    private static final String TABLE = "100"; // the way to the hosts far away, by their ports

    private final String service = name("service");
    private final String stranger = name("stranger");
    private final String distant = name("distant");
    private Process slowWire;

    private TwoNetworks() {}

    private static String name(String part) {
        return "jurom-" + ProcessHandle.current().pid() + "-" + part;
    }

    /** Makes them; skips the test, and says so, where that cannot be. */
    static TwoNetworks open() {
        var networks = new TwoNetworks();
        if (Command.execute(List.of("sh", "-c", "ip netns add " + networks.service))
                        .exitCode()
                != 0) {
            System.out.println("Skipped: the attacks from another machine, as this user cannot make"
                    + " network namespaces with ip.");
            Assumptions.abort("no network namespaces can be made");
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
        Command.run("ip", "netns", "add", stranger);
        Command.run(
                "ip", "link", "add", "wire", "netns", service, "type", "veth", "peer", "name", "wire", "netns",
                stranger);
        address(service, SERVICE);
        address(service, SERVICE_TOO);
        address(stranger, STRANGER);
        address(stranger, "10.78.2.2");
        for (var i = 0; i < MORE_ADDRESSES; i++) {
            address(stranger, moreAddress(i));
        }
        for (var namespace : List.of(service, stranger)) {
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

    /** Pulls the wire, or plugs it in again. */
    void setWire(boolean up) {
        wire(stranger, up ? "up" : "down");
    }

    /**
     * Makes the third network, whose packets take a while each way. The kernel's netem would do it,
     * but not all kernels have it.
     *
     * @param wire the program slow_wire
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
        ip(distant, "addr add " + STRANGER + "/32 dev slow");
        ip(service, "link set slow up");
        ip(distant, "link set slow up");
        ip(distant, "link set lo up");
        ip(service, "route add default dev slow table " + TABLE);
        ip(service, "rule add ipproto tcp dport 60000-65000 lookup " + TABLE);
        setPorts(distant, "60000 65000");
        setPorts(stranger, "10000 59999");
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

    /** The words that run a program far away, with one of the two addresses. */
    List<String> atDistance(String address) {
        ip(distant, "route replace " + SERVICE + " dev slow src " + address);
        return List.of("ip", "netns", "exec", distant);
    }

    /** The words that run a program where the service is. */
    List<String> atService() {
        return List.of("ip", "netns", "exec", service);
    }

    /** The words that run a program where the stranger is. */
    List<String> atStranger() {
        return List.of("ip", "netns", "exec", stranger);
    }

    /** Runs a program where the stranger is. */
    Command.Result asStranger(String... words) {
        var all = new ArrayList<>(atStranger());
        all.addAll(List.of(words));
        return Command.execute(all);
    }

    @Override
    public void close() {
        if (slowWire != null) {
            slowWire.destroyForcibly();
            Command.execute(List.of("ip", "netns", "del", distant));
        }
        Command.execute(List.of("ip", "netns", "del", stranger));
        Command.execute(List.of("ip", "netns", "del", service));
    }
}
