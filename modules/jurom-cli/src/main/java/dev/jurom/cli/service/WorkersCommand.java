// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RunningServiceOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom workers}: lists the workers of a running service. */
@Command(
        name = "workers",
        description =
                "Lists the workers of a service that runs on this machine as this user." + " Sends no message to it.")
public final class WorkersCommand implements Callable<Integer> {

    @Mixin
    private RunningServiceOption service;

    @Mixin
    private Output output;

    WorkersCommand() {} // created by picocli

    @Override
    public Integer call() {
        output.print(Tables.workers(service.find()));
        return 0;
    }
}
