// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.proof.report.Transcript;
import dev.jurom.service.KeyPairFile;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code urom load}: many concurrent clients of a service, then of one worker, and their effect on a
 * legitimate host. The exit code is 1 if resources leak or the service no longer serves hosts.
 */
@Command(
        name = "load",
        description = {
            "Load a service and one of its workers with many clients, and measure the effect on another host.",
            "Starts a private service. The host measures latencies without and with the clients in turn; after"
                    + " each round, all resources of the clients must be released."
        })
public final class LoadCommand implements Callable<Integer> {

    private static final int WORKERS_MAX = 512;

    @Mixin
    private LoadSettings settings;

    @Option(
            names = "--target",
            paramLabel = "service|worker",
            split = ",",
            defaultValue = "service,worker",
            description = "The target of the clients (default: ${DEFAULT-VALUE}).")
    private List<String> targets;

    @Option(names = "--write", description = "Write the output to docs/reliability.md.")
    private boolean write;

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        settings.requireDescriptors();
        var transcript = new Transcript(output);
        var folder = Files.createTempDirectory("urom-load");
        var failed = false;
        try {
            for (var target : targets) {
                failed |= run(Files.createDirectory(folder.resolve(target)), target, transcript);
            }
        } finally {
            Folders.delete(folder);
        }
        if (write) {
            transcript.write(
                    "load",
                    "Load",
                    "scripts/urom "
                            + String.join(
                                    " ", spec.commandLine().getParseResult().originalArgs()),
                    "");
        }
        return failed ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }

    private boolean run(Path folder, String target, Transcript transcript) throws IOException, InterruptedException {
        var hosts = folder.resolve("hosts");
        KeyPairFile.create(folder.resolve("service.key"), "service");
        var certificate = KeyPairFile.create(folder.resolve("host.key"), "host");
        Files.writeString(hosts, "account: " + accountOfHosts() + "\n" + certificate);
        Files.setPosixFilePermissions(hosts, PosixFilePermissions.fromString("rw-------"));
        var connections = Integer.toString(2 * settings.connections());
        var options = List.of(
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
                Integer.toString(2 * (settings.attached + settings.unattached) + WORKERS_MAX));
        try (var service = ServiceProcess.start(folder, List.of("-Xmx" + settings.heap + "m"), Map.of(), options)) {
            ServiceFile.name(service.serviceFile());
            return new LoadRun(service, settings, transcript, folder.resolve("host.key")).run(target);
        }
    }

    /** Workers of remote hosts must not run as root. */
    private static String accountOfHosts() {
        var own = System.getProperty("user.name");
        return own.equals("root") ? "daemon" : own;
    }
}
