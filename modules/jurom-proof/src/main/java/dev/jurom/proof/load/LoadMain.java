// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.proof.process.ChildProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The concurrent clients as a separate process. It reads the commands {@code connect}, {@code status} and
 * {@code disconnect}, and answers with the lines of {@link GroupStatus}. Its arguments have the form
 * {@code name=value}.
 */
final class LoadMain {

    private final Map<String, String> settings = new HashMap<>();
    private final List<ClientGroup> groups = new ArrayList<>();

    private LoadMain(String[] arguments) throws IOException {
        for (var argument : arguments) {
            var at = argument.indexOf('=');
            settings.put(argument.substring(0, at), argument.substring(at + 1));
        }
        var service = UnixDomainSocketAddress.of(settings.get("socket"));
        if (settings.containsKey("worker")) {
            aroundWorker(service);
        } else {
            aroundService(service);
        }
    }

    private int number(String name) {
        return Integer.parseInt(settings.getOrDefault(name, "0"));
    }

    private void aroundService(SocketAddress service) throws IOException {
        var port = number("port");
        var tls = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        groups.add(UnixSessions.idle(service, number("idle") - number("idle-tls")));
        groups.add(new TlsSessions(new TlsHost(Path.of(settings.get("key"))), port, number("idle-tls")));
        // Connections that the service closes soon are made late, and those that occupy the cores last.
        groups.add(new BusyHosts(number("hosts"), number("workers"), number("rate")));
        groups.add(UnixSessions.silent("silent", () -> service, number("silent") - number("silent-tls")));
        groups.add(UnixSessions.silent("silent at the TLS port", () -> tls, number("silent-tls")));
        groups.add(new GarbageClients(service, tls, Path.of(settings.get("directory")), number("garbage")));
    }

    private void aroundWorker(SocketAddress service) {
        var worker = number("worker");
        var ticketClients = new TicketClients(service, worker, number("unattached"));
        Supplier<SocketAddress> address = ticketClients::address;
        groups.add(ticketClients);
        groups.add(new AttachedHosts(worker, number("attached")));
        groups.add(UnixSessions.silent("silent at one worker", address, number("silent")));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var main = new LoadMain(arguments);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command;
        while ((command = input.readLine()) != null) {
            main.execute(command);
            System.out.println(ChildProgram.END);
        }
        System.exit(0);
    }

    private void execute(String command) throws IOException, InterruptedException {
        for (var group : groups) {
            switch (command) {
                case "connect" -> group.connect();
                case "disconnect" -> group.disconnect();
                default -> System.out.println(group.status().toLine());
            }
        }
    }
}
