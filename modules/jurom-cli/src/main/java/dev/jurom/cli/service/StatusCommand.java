// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RemoteHosts;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterDirectory;
import dev.jurom.service.counters.CounterKind;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom service status}: prints the configuration and the state of services. */
@Command(
        name = "status",
        description =
                "Prints each running service with its addresses, plugins and workers. Exit code 4: a service is stopped,"
                        + " or does not answer within 5 s.")
final class StatusCommand implements Callable<Integer> {

    private static final String RUNNING = "running";

    @Mixin
    private RunningServiceOption service;

    @Option(
            names = "--ready",
            description = "Exit with 1 if a service has a problem, such as a key file that it cannot use.")
    private boolean ready;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        var visible = service.findVisible();
        var all = visible.running();
        var hung = false;
        for (var status : all) {
            if (status != all.getFirst() && !output.isJson()) {
                System.out.println();
            }
            var state = state(status);
            hung |= !state.equals(RUNNING);
            output.print(values(status, state));
        }
        RunningServiceOption.remarks(visible).forEach(output::remark);
        if (hung) {
            return ExitCode.LOST;
        }
        return ready && all.stream().anyMatch(status -> !status.problems().isEmpty())
                ? ExitCode.FOUND_WRONG
                : ExitCode.DONE;
    }

    private static String state(ServiceStatus status) {
        if (ProcessOfService.isStopped(status)) {
            return "stopped";
        }
        return status.answers() ? RUNNING : "does not answer";
    }

    private static Map<String, Object> values(ServiceStatus status, String state) {
        var values = new LinkedHashMap<String, Object>();
        values.put("process", status.process());
        values.put("kind", status.reloads() ? "daemon" : "embedded");
        values.put("state", state);
        values.put("since", since(status.started()));
        values.put("release", status.release());
        values.put("listens", status.addresses());
        values.put("serves", status.servesAll() ? "all users" : "its own user");
        values.put("max_message_size", status.maxMessageSize());
        values.put("cpus", status.cpus());
        values.put("logs", status.logDirectory());
        values.put("directory", status.directory());
        values.put("not_accepted", counted(status, Counter.DAEMON_NOT_ACCEPTED));
        values.put("sockets_restored", counted(status, Counter.DAEMON_SOCKETS_RESTORED));
        var hosts = status.authorizedHosts();
        values.put("authorized_hosts", hosts.isPresent() ? Optional.of(hosts.getAsInt()) : Optional.empty());
        values.put("problems", status.problems());
        values.put("plugins", plugins(status));
        values.put("workers", Tables.workers(status));
        values.put("remote_hosts", RemoteHosts.table(status));
        return values;
    }

    /** Returns the value of a counter; empty for a service that could not create its counters. */
    private static Optional<Long> counted(ServiceStatus status, Counter counter) {
        try {
            return CounterDirectory.read(status.directory(), List.of()).files().stream()
                    .filter(file -> file.kind() == CounterKind.DAEMON)
                    .map(file -> file.value(counter))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Table plugins(ServiceStatus status) {
        var table = Table.of("name", "version", "id", "file");
        status.plugins()
                .forEach(plugin -> table.row(
                        plugin.name(), plugin.version(), "0x" + Long.toHexString(plugin.id()), plugin.file()));
        return table;
    }

    static Instant since(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }
}
