// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import dev.jurom.cli.shell.HelpCommand;
import picocli.CommandLine.Command;

/** {@code urom model}: estimates of the effects of a DPU. */
@Command(
        name = "model",
        synopsisSubcommandLabel = "COMMAND",
        description = "Estimates what a DPU would change, from figures measured on one machine.",
        subcommands = {CompressionModelCommand.class, HelpCommand.class})
public final class ModelCommand {

    ModelCommand() {} // created by picocli
}
