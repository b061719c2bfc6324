// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code urom key}: the keys by which hosts and services of different machines know each other. */
@Command(name = "key", synopsisSubcommandLabel = "COMMAND",
        description = "Keys by which hosts and services of different machines know each other.")
final class KeyCommand {

    @Spec
    private CommandSpec spec;

    /** Makes a key. */
    @Command(name = "create",
            description = {"Makes a key for a host or a service: a new FILE of mode 0600 with a"
                + " private key and its certificate. Prints the certificate, which the other side"
                + " needs:",
                "  that of a host goes into the service's --authorized-hosts, after a line"
                + " \"account: NAME\" that names the local user of its workers;",
                "  that of a service goes to the end of the host's key file, which"
                + " DOCA_UROM_KEY_FILE names."})
    void create(
            @Parameters(paramLabel = "FILE", description = "The file; it must not be there.")
            Path file,
            @Option(names = "--name", paramLabel = "NAME", required = true,
                    description = "Whose key it is, for people: a host name, for instance.")
            String name) throws IOException {
        spec.commandLine().getOut().print(KeyPairFile.create(file, name));
        spec.commandLine().getOut().flush();
    }
}
