// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.HelpCommand;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code urom key}: manages the keys by which hosts and services of different machines authenticate
 * each other.
 */
@Command(
        name = "key",
        synopsisSubcommandLabel = "COMMAND",
        description = "Manages the keys by which hosts and services of different machines authenticate each other.",
        subcommands = HelpCommand.class)
final class KeyCommand {

    @Spec
    private CommandSpec spec;

    /** Creates a key. */
    @Command(
            name = "create",
            description = {
                "Creates a key for a host or a service: a new FILE of mode 0600 with a private key and its"
                        + " certificate. Prints the certificate, which the other side needs:",
                "  a host's certificate goes into the service's --authorized-hosts, after a line"
                        + " \"account: NAME\" that names the local user of its workers;",
                "  a service's certificate goes to the end of the host's key file, which DOCA_UROM_KEY_FILE" + " names."
            })
    void create(
            @Parameters(paramLabel = "FILE", description = "New file; it must not exist.") Path file,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            required = true,
                            description = "Readable name of the key's owner, such as a host name.")
                    String name)
            throws IOException {
        spec.commandLine().getOut().print(KeyPairFile.create(file, name));
        spec.commandLine().getOut().flush();
    }

    @Command(
            name = "list",
            description = "Lists the certificates of a key file or of a file of authorized hosts:"
                    + " the one of the private key is \"own\", the others are \"known\".")
    void list(@Parameters(paramLabel = "FILE", description = "The file.") Path file, @Mixin Output output)
            throws IOException {
        var table = Table.of("line", "certificate", "account", "name", "sha256");
        for (var entry : KeyPairFile.certificates(file)) {
            table.row(
                    entry.line(), entry.isOwn() ? "own" : "known", entry.account(), entry.name(), entry.fingerprint());
        }
        output.print(table);
    }

    @Command(
            name = "fingerprint",
            description = "Prints the SHA-256 digest of the own certificate of a key file, or of"
                    + " each certificate of a file without a private key. Logs and error messages name"
                    + " unknown certificates by it.")
    void fingerprint(@Parameters(paramLabel = "FILE", description = "The file.") Path file) throws IOException {
        var all = KeyPairFile.certificates(file);
        var own = all.stream().filter(KeyPairFile.Entry::isOwn).toList();
        (own.isEmpty() ? all : own).forEach(entry -> spec.commandLine().getOut().println(entry.fingerprint()));
        spec.commandLine().getOut().flush();
    }
}
