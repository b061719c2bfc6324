// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.report.ReliabilityPage;
import dev.jurom.service.KeyPairFile;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code urom load}: many concurrent clients of a service, and their effect on a legitimate host. The exit
 * code is 1 if resources leak or the service exits.
 */
@Command(
        name = "load",
        description = {
            "Load a service with many clients, and measure the effect on another host.",
            "Starts a private service. The host measures latencies without and with the clients in turn; after"
                    + " each round, all resources of the clients must be released."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {ExitCode.DONE_IS, ExitCode.FOUND_WRONG_IS})
public final class LoadCommand implements Callable<Integer> {

    private static final int WORKERS_MAX = 512;
    private static final String ACCOUNT = "daemon"; // exists on any system

    @Mixin
    private LoadSettings settings;

    @Option(names = "--write", description = "Write the output to docs/reliability.md.")
    private boolean write;

    @Spec
    private CommandSpec spec;

    private final List<String> lines = new ArrayList<>();

    private LoadCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        settings.requireDescriptors();
        var folder = Files.createTempDirectory("urom-load");
        boolean released;
        try (var service = ServiceProcess.start(folder, settings.heap, serviceOptions(folder))) {
            ServiceFile.name(service.serviceFile());
            var clientOptions = spec.mixins().get("settings").options().stream()
                    .map(option -> option.longestName() + "=" + option.getValue())
                    .toList();
            released = new LoadRun(service, settings, this::print).run(clientOptions);
        } finally {
            Folders.delete(folder);
        }
        if (write) {
            var command = String.join(" ", spec.commandLine().getParseResult().originalArgs());
            ReliabilityPage.write(
                    Path.of(System.getProperty("jurom.source"), "docs/reliability.md"),
                    "load",
                    "## Load\n\n```\n$ scripts/urom " + command + "\n" + String.join("\n", lines) + "\n```");
        }
        return released ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private void print(String line) {
        System.out.println(line);
        lines.add(line);
    }

    private List<String> serviceOptions(Path folder) throws IOException {
        var hosts = folder.resolve("hosts");
        KeyPairFile.create(folder.resolve("service.key"), "service");
        var certificate = KeyPairFile.create(folder.resolve("host.key"), "host");
        Files.writeString(hosts, "account: " + ACCOUNT + "\n" + certificate); // required to listen over TLS
        Files.setPosixFilePermissions(hosts, PosixFilePermissions.fromString("rw-------"));
        var connections = Integer.toString(2 * settings.connections());
        return List.of(
                "--listen",
                "127.0.0.1:0",
                "--key",
                folder.resolve("service.key").toString(),
                "--authorized-hosts",
                hosts.toString(),
                "--max-connections",
                connections,
                "--max-connections-per-user",
                connections,
                "--max-workers",
                Integer.toString(WORKERS_MAX),
                "--max-references",
                Integer.toString(2 * settings.attached + WORKERS_MAX));
    }
}
