// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom devices}: lists the devices of this machine. */
@Command(name = "devices", description = "Lists the devices of this machine.")
public final class DevicesCommand implements Callable<Integer> {

    @Mixin
    private Output output;

    DevicesCommand() {} // created by picocli

    @Override
    public Integer call() {
        var table = Table.of("pci_address", "interface", "infiniband", "ipv4", "ipv6", "mac", "rate_bits_per_second");
        for (var device : Device.list()) {
            table.row(
                    device.pciAddress(),
                    name(device.interfaceName()),
                    name(device.infinibandName()),
                    device.ipv4Address().map(InetAddress::getHostAddress),
                    device.ipv6Address().map(InetAddress::getHostAddress),
                    device.macAddress(),
                    device.activeRate().isPresent()
                            ? Optional.of(device.activeRate().getAsLong())
                            : Optional.empty());
        }
        output.print(table);
        return 0;
    }

    private static Optional<String> name(String name) {
        return Optional.of(name).filter(it -> !it.isEmpty());
    }
}
