// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.ExitCode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The concurrent clients as a separate process. It reads the commands {@code connect}, {@code status} and
 * {@code disconnect}, and answers with lines that end with {@link #END}. With {@code status}, the lines are
 * those of {@link ClientGroup#status}.
 */
final class LoadClients implements Callable<Integer> {

    /** The last line of an answer. */
    static final String END = ".";

    @Mixin
    private LoadSettings settings;

    @Option(names = "--socket", required = true)
    private Path socket;

    @Option(names = "--port", required = true)
    private int port;

    @Option(names = "--directory", required = true)
    private Path directory;

    private LoadClients() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadClients()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        var groups = groups();
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var command = input.readLine(); command != null; command = input.readLine()) {
            for (var group : groups) {
                switch (command) {
                    case "connect" -> group.connect();
                    case "disconnect" -> group.disconnect();
                    default -> System.out.println(group.status());
                }
            }
            System.out.println(END);
        }
        return ExitCode.DONE;
    }

    /** Connections that the service closes soon are made late, and those that occupy the cores last. */
    private List<ClientGroup> groups() {
        var service = UnixDomainSocketAddress.of(socket);
        var tls = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return List.of(
                new IdleClients("idle sessions", service, settings.idle, false),
                new AttachedHosts(LoadRun.WORKER, settings.attached),
                new BusyHosts(settings.hosts, settings.workers, settings.rate),
                new IdleClients("silent", service, settings.silent - settings.silentTls, true),
                new IdleClients("silent at the TLS port", tls, settings.silentTls, true),
                new GarbageClients(service, tls, directory, settings.garbage));
    }
}
