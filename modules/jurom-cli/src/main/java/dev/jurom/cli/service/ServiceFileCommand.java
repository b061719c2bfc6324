// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.HelpCommand;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.ServiceFileCheck;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code urom service file}: writes and checks service files, which contain the addresses of services. */
@Command(
        name = "file",
        synopsisSubcommandLabel = "COMMAND",
        description = "Writes and checks service files, which contain the addresses of services.",
        subcommands = HelpCommand.class)
final class ServiceFileCommand {

    @Command(
            name = "write",
            description = "Writes a service file, for use in DOCA_UROM_SERVICE_FILE. Replaces an existing file.")
    int write(
            @Parameters(paramLabel = "FILE", description = "The file.") Path file,
            @Option(
                            names = "--address",
                            required = true,
                            paramLabel = "ADDRESS",
                            description = "Address of the service: unix:PATH, HOST or HOST:PORT.")
                    String address,
            @Option(
                            names = "--host",
                            paramLabel = "NAME",
                            defaultValue = "localhost",
                            description = "Host to which the lines apply (default: ${DEFAULT-VALUE}, which is"
                                    + " any host that reads the file).")
                    String host,
            @Option(
                            names = "--device",
                            paramLabel = "PCI",
                            description = "PCI address of the device on the host; may be repeated (default: each"
                                    + " device of this machine).")
                    List<String> devices,
            @Option(
                            names = "--net",
                            paramLabel = "NAMES",
                            split = ",",
                            defaultValue = "all",
                            description = "Network devices that both sides share (default:" + " ${DEFAULT-VALUE}).")
                    List<String> network)
            throws IOException {
        var addresses = devices != null
                ? devices
                : Device.list().stream().map(DeviceInfo::pciAddress).distinct().toList();
        var content = new ServiceFile(addresses.stream()
                .map(pci -> new ServiceFile.Entry(host, address, pci, network))
                .toList());
        replace(file.toAbsolutePath(), content);
        System.out.print(content);
        return ExitCode.DONE;
    }

    /**
     * Replaces a regular file atomically, so that hosts never read a partial file. Any other file,
     * such as a device or pipe, is written directly.
     */
    private static void replace(Path file, ServiceFile content) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            content.write(file);
            return;
        }
        var unfinished = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid());
        try {
            content.write(unfinished);
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    @Command(
            name = "check",
            description = "Checks each line of a service file: its syntax, whether it applies to this host and"
                    + " one of its devices, and whether a service accepts a connection at its address; a service"
                    + " of another machine with the key of DOCA_UROM_KEY_FILE.")
    int check(
            @Parameters(
                            paramLabel = "FILE",
                            arity = "0..1",
                            description = "The file (default: that of DOCA_UROM_SERVICE_FILE).")
                    Path file,
            @Mixin Output output)
            throws IOException {
        var wanted = file != null
                ? file
                : ServiceFile.named()
                        .map(Path::of)
                        .orElseThrow(() -> new CommandFailure(
                                ExitCode.USAGE,
                                "No service file is named: specify one, or set" + " DOCA_UROM_SERVICE_FILE"));
        var lines = ServiceFileCheck.of(wanted, entry -> true);
        var table = Table.of("line", "result", "what");
        lines.forEach(line -> table.row(line.number(), line.result().word(), line.what()));
        output.print(table);
        if (lines.isEmpty()) {
            throw new CommandFailure(ExitCode.FOUND_WRONG, wanted + " has no line for any service");
        }
        return lines.stream().anyMatch(ServiceFileCheck.Line::isWrong) ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }
}
