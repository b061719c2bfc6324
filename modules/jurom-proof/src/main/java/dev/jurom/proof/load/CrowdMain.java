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
 * The crowd as a process of its own. It is told {@code gather}, {@code look} and {@code disperse},
 * and answers with the lines of {@link Standing}. Its arguments are {@code name=value}.
 */
final class CrowdMain {

    private final Map<String, String> settings = new HashMap<>();
    private final List<CrowdPart> parts = new ArrayList<>();

    private CrowdMain(String[] arguments) throws IOException {
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
        parts.add(UnixSessions.idle(service, number("idle") - number("idle-tls")));
        parts.add(new TlsSessions(new TlsHost(Path.of(settings.get("key"))), port, number("idle-tls")));
        // Those who have not long to stay come last, and who takes the cores comes late.
        parts.add(new BusyHosts(number("hosts"), number("workers"), number("rate")));
        parts.add(UnixSessions.silent("silent", () -> service, number("silent") - number("silent-tls")));
        parts.add(UnixSessions.silent("silent at the TLS port", () -> tls, number("silent-tls")));
        parts.add(new Garbage(service, tls, Path.of(settings.get("directory")), number("garbage")));
    }

    private void aroundWorker(SocketAddress service) {
        var worker = number("worker");
        var guests = new WorkerGuests(service, worker, number("guests"));
        Supplier<SocketAddress> place = guests::address;
        parts.add(guests);
        parts.add(new AttachedHosts(worker, number("attached")));
        parts.add(UnixSessions.silent("silent at one worker", place, number("silent")));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var crowd = new CrowdMain(arguments);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String order;
        while ((order = input.readLine()) != null) {
            crowd.follow(order);
            System.out.println(ChildProgram.END);
        }
        System.exit(0);
    }

    private void follow(String order) throws IOException, InterruptedException {
        for (var part : parts) {
            switch (order) {
                case "gather" -> part.gather();
                case "disperse" -> part.disperse();
                default -> System.out.println(part.standing().toLine());
            }
        }
    }
}
