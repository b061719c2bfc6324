// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.HelpCommand;
import picocli.CommandLine.Command;

/** {@code urom service}: manages running services. */
@Command(
        name = "service",
        synopsisSubcommandLabel = "COMMAND",
        description = "Manages services that run on this machine as this user.",
        subcommands = {
            HelpCommand.class,
            StatusCommand.class,
            LogsCommand.class,
            RescanCommand.class,
            ServiceFileCommand.class
        })
public final class ServiceCommand {

    ServiceCommand() {} // created by picocli
}
