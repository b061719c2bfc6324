// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.cli.shell.CheckResult;
import dev.jurom.cli.shell.FailureLine;
import dev.jurom.cli.shell.Reach;
import dev.jurom.cli.shell.ServiceChoice;
import dev.jurom.cli.shell.ServiceFileCheck;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceFileException;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the address of a service, the service, and the round trip of a command. */
final class ServiceChecks {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long VALUE = 42;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Findings findings;

    ServiceChecks(Findings findings) {
        this.findings = findings;
    }

    void run(ServiceOption option) {
        var own = option.isPrivate();
        try (var chosen = option.open(line -> {});
                var device = Device.open()) {
            var remote = own
                    ? Optional.<String>empty()
                    : remote(option, device.info().pciAddress());
            if (own) {
                findings.add(Finding.pass("service", "none is named: each program starts its own"));
            } else {
                named(option, remote);
            }
            try (var engine = ProgressEngine.create();
                    var service = option.start(engine, device)) {
                remote.ifPresent(address -> findings.add(
                        Finding.pass("service", address + " accepts the key of this host, which has its certificate")));
                offered(service);
            }
        } catch (RuntimeException e) {
            connectionFailed(FailureLine.of(e).text());
        }
    }

    /** Returns the address of the service of a device; empty if it is on this machine or the file is reported below. */
    private static Optional<String> remote(ServiceOption option, String device) {
        try {
            return option.address()
                    .or(() -> option.file()
                            .map(ServiceFile::read)
                            .flatMap(file -> ServiceChoice.addressFor(file, device)))
                    .filter(address -> !Reach.isLocal(address));
        } catch (ServiceFileException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Adds a failed connection, unless an earlier check has reported it. */
    private void connectionFailed(String why) {
        if (findings.all().stream()
                .noneMatch(finding -> finding.result() == CheckResult.FAIL && why.endsWith(finding.what()))) {
            findings.add(new Finding("connection", CheckResult.FAIL, why, Optional.empty()));
        }
    }

    /** Checks all services of this host but the one at {@code remote}: the command authenticates this host there. */
    private void named(ServiceOption option, Optional<String> remote) {
        var addresses = option.address()
                .map(this::address)
                .orElseGet(() ->
                        option.file().map(file -> serviceFile(file, remote)).orElse(List.of()));
        findings.check("key", () -> KeyCheck.look(System.getenv("DOCA_UROM_KEY_FILE"), addresses));
        addresses.stream()
                .filter(address ->
                        Reach.isLocal(address) && Reach.ofSocket(address).isEmpty())
                .forEach(address -> findings.check("service", () -> whose(address)));
    }

    private List<String> address(String address) {
        if (Reach.isLocal(address)) {
            Reach.ofSocket(address)
                    .ifPresent(why -> findings.add(new Finding("service", CheckResult.FAIL, why, Optional.empty())));
        }
        return List.of(address);
    }

    /** Reports each line and returns the addresses for this host. */
    private List<String> serviceFile(Path file, Optional<String> remote) {
        try {
            var lines = ServiceFileCheck.of(
                    file, entry -> remote.filter(entry.deviceHost()::equals).isEmpty());
            for (var line : lines) {
                findings.add(new Finding(
                        "service file",
                        line.result(),
                        line.isWrong() ? line.what() : file + ", line " + line.number() + ": " + line.what(),
                        Optional.empty()));
            }
            return ServiceChoice.addressesFor(ServiceFile.read(file));
        } catch (IOException | RuntimeException e) {
            findings.add(Finding.fail(
                    "service file", FailureLine.of(e).text(), "urom service file write FILE --address ADDRESS"));
            return List.of();
        }
    }

    private static Finding whose(String address) throws IOException {
        var process = ServiceStatus.running().stream()
                .filter(status -> status.addresses().contains(address))
                .findFirst()
                .map(status -> ", process " + status.process() + ", jurom " + status.release())
                .orElse("");
        return ServiceUser.of(Reach.ownerOf(address)).check(address, process);
    }

    private void offered(UromService service) {
        findings.add(Finding.pass("CPUs", service.cpuSet() + " for workers"));
        findings.check("plugins", () -> plugins(service.plugins()));
        findings.check("command", () -> command(service));
    }

    private static Finding plugins(List<PluginInfo> plugins) {
        return plugins.isEmpty()
                ? Finding.fail(
                        "plugins",
                        "the service offers none",
                        "add their folders to UROM_PLUGIN_PATH of the service, then run urom service"
                                + " rescan; its log names each skipped file with the reason")
                : Finding.pass(
                        "plugins",
                        plugins.stream()
                                .map(plugin -> plugin.name() + " " + Long.toUnsignedString(plugin.version()))
                                .collect(Collectors.joining(", ")));
    }

    /** Checks the whole path: a worker process, its shared memory, and an answer. */
    private static Finding command(UromService service) {
        var plugin = GraphPlugin.find(service);
        try (var worker = UromWorker.create(service.engine(), service).setPlugins(plugin)) {
            worker.startAndWait(TIMEOUT);
            try (var task = worker.commandTask(plugin)) {
                var start = System.nanoTime();
                task.setPayloadLength(GraphCodec.packLoopback(VALUE, task.payload()));
                task.submit();
                var inTime = service.engine().progressUntil(task::isCompleted, TIMEOUT);
                return answer(task, inTime, System.nanoTime() - start);
            }
        }
    }

    private static Finding answer(CommandTask task, boolean inTime, long nanos) {
        if (!inTime) {
            return Finding.fail(
                    "command",
                    "no answer within " + TIMEOUT.toSeconds() + " s",
                    "see the worker's log: urom service logs --worker PROCESS");
        }
        task.requireSuccess();
        return GraphCodec.loopbackData(task.response()) == VALUE
                ? Finding.pass(
                        "command",
                        String.format(
                                Locale.ROOT,
                                "a worker answered the first" + " after %.0f us; urom ping prints more",
                                nanos / NANOS_PER_MICRO))
                : Finding.fail(
                        "command",
                        "a worker sent a wrong answer",
                        "replace the plugin worker_graph by that of this release");
    }
}
