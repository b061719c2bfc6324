// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom plugins}: lists the plugins that a service offers to this host. */
@Command(name = "plugins", description = "Lists the plugins that a service offers to this host.")
public final class PluginsCommand implements Callable<Integer> {

    @Mixin
    private ServiceOption service;

    @Mixin
    private Output output;

    PluginsCommand() {} // created by picocli

    @Override
    public Integer call() {
        try (var chosen = service.open(output::remark);
                var engine = ProgressEngine.create();
                var device = Device.open();
                var running = service.start(engine, device)) {
            var table = Table.of("name", "version", "id");
            running.plugins()
                    .forEach(
                            plugin -> table.row(plugin.name(), plugin.version(), "0x" + Long.toHexString(plugin.id())));
            output.print(table);
        }
        return 0;
    }
}
