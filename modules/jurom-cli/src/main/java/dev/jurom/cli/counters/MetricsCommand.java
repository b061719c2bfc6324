// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.status.VisibleServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom metrics}: exports the counters of running services to Prometheus. Any local user can
 * read them over loopback: numbers, names of programs and plugins, and process ids.
 */
@Command(
        name = "metrics",
        description = "Print the counters of running services in the format of Prometheus, or serve them on loopback"
                + " at /metrics.")
public final class MetricsCommand implements Callable<Integer> {

    private static final String DEFAULT = "127.0.0.1:9464";
    private static final int THREADS = 2;
    private static final int WAITING = 16;
    private static final int CONNECTIONS = 32;
    private static final String SECONDS = "5"; // to receive a request, and to send its response
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int MISDIRECTED = 421; // RFC 9110
    private static final int FAILED = 503;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            arity = "0..1",
            fallbackValue = DEFAULT,
            description = "Serve the metrics at a loopback address until a signal ends the command (without a"
                    + " value: "
                    + DEFAULT + "; port 0: any).")
    private String listen;

    @Mixin
    private RunningServiceOption service;

    private MetricsCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (listen == null) {
            System.out.print(text());
        } else {
            serve(address(listen));
        }
        return ExitCode.DONE;
    }

    private String text() {
        return text(find(), service.addressOrFile());
    }

    /** Returns the services to report; none if the service file does not exist, which systemd removes with its service. */
    private VisibleServices find() {
        try {
            return service.select();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return new VisibleServices(List.of(), Collections.emptySortedMap());
            }
            throw e;
        }
    }

    /**
     * Returns the metrics of those services that still run. A service that has become unreadable is counted.
     *
     * @param services the services
     * @param expected the address or service file of a service that is reported as not running if there are no services
     */
    static String text(VisibleServices services, Optional<String> expected) {
        var counted = new ArrayList<CountedService>();
        var unreadable = new TreeMap<>(services.unreadable());
        for (var status : services.running()) {
            try {
                CountedService.of(status).ifPresent(counted::add);
            } catch (IOException e) {
                owner(status).ifPresent(user -> unreadable.merge(user, 1, Integer::sum));
            }
        }
        return PrometheusText.of(counted, unreadable, counted.isEmpty() ? expected : Optional.empty());
    }

    /** Returns the user id of a service; empty if the service has ended. */
    private static Optional<Integer> owner(ServiceStatus status) {
        try {
            return Optional.of((Integer) Files.getAttribute(status.directory(), "unix:uid", NOFOLLOW_LINKS));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Parses the value of {@code --listen}, which must be a loopback address. */
    static InetSocketAddress address(String words) throws IOException {
        var colon = words.lastIndexOf(':');
        var port = words.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 0xFFFF) {
            throw new CommandFailure(ExitCode.USAGE, "--listen " + words + " is not ADDRESS:PORT, as " + DEFAULT);
        }
        var host = words.substring(0, colon).replaceAll("^\\[|\\]$", "");
        if (!isLoopback(host)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--listen " + words + " is not on loopback,"
                            + " and metrics are served without authentication: use 127.0.0.1, and forward it");
        }
        return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(port));
    }

    private static boolean isLoopback(String host) {
        return List.of("localhost", "::1").contains(host) || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    private void serve(InetSocketAddress address) throws IOException, InterruptedException {
        System.setProperty("sun.net.httpserver.maxReqTime", SECONDS);
        System.setProperty("sun.net.httpserver.maxRspTime", SECONDS);
        System.setProperty("jdk.httpserver.maxConnections", Integer.toString(CONNECTIONS));
        var server = open(address);
        // Requests are rejected when the queue is full.
        server.setExecutor(new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform()
                        .inheritInheritableThreadLocals(false)
                        .daemon()
                        .factory(),
                new ThreadPoolExecutor.AbortPolicy()));
        server.createContext("/", this::answer);
        server.start();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform()
                        .inheritInheritableThreadLocals(false)
                        .unstarted(() -> server.stop(0)));
        var name = server.getAddress().getAddress().getHostAddress();
        var host = name.contains(":") ? "[" + name + "]" : name;
        System.out.println(
                "urom metrics at http://" + host + ":" + server.getAddress().getPort() + "/metrics");
        System.out.flush();
        while (!Thread.interrupted()) {
            TimeUnit.HOURS.sleep(1); // the server runs in its own threads
        }
    }

    private static HttpServer open(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, WAITING);
        } catch (IOException e) {
            throw new IOException(
                    "Cannot listen at " + address.getAddress().getHostAddress() + ":" + address.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var method = exchange.getRequestMethod();
            if (!isForLoopback(exchange)) {
                send(
                        exchange,
                        MISDIRECTED,
                        "The Host header must be localhost or a loopback address,"
                                + " as a protection against DNS rebinding.\n");
            } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                send(exchange, NOT_FOUND, "The only path is /metrics.\n");
            } else if (!method.equals("GET")) {
                send(exchange, NOT_ALLOWED, "The only supported method is GET.\n");
            } else {
                sendMetrics(exchange);
            }
        }
    }

    /**
     * Returns whether the Host header is localhost or a loopback address. Other names are
     * rejected, since a web page could read the metrics by DNS rebinding.
     */
    private static boolean isForLoopback(HttpExchange exchange) {
        var host = exchange.getRequestHeaders().getFirst("Host");
        return host != null && isLoopback(host.replaceFirst(":[0-9]{1,5}$", "").replaceAll("^\\[|\\]$", ""));
    }

    private void sendMetrics(HttpExchange exchange) throws IOException {
        String text;
        try {
            text = text();
        } catch (RuntimeException e) {
            send(exchange, FAILED, e.getMessage() + "\n");
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", PrometheusText.TYPE);
        send(exchange, OK, text);
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
