// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.hostile;

import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Keys of a service and of a host that authenticate each other. */
final class Keys {

    private Keys() {}

    /** Creates the keys in a folder, the host's as {@code host}; returns the options of the service. */
    static List<String> make(Path folder) throws IOException {
        var service = folder.resolve("service");
        var host = folder.resolve("host");
        var certificate = KeyPairFile.create(service, "service");
        var account = System.getProperty("user.name");
        var hosts = Files.writeString(
                folder.resolve("hosts"),
                "account: " + (account.equals("root") ? "daemon" : account) + "\n" + KeyPairFile.create(host, "host"));
        Files.writeString(host, certificate, StandardOpenOption.APPEND);
        return List.of("--listen", "127.0.0.1:0", "--key", service.toString(), "--authorized-hosts", hosts.toString());
    }
}
