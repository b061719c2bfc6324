// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Interprets values of {@code --service}: an address or a service file. */
public final class ServiceChoice {

    private static final String UNIX = "unix:";

    private ServiceChoice() {}

    /**
     * {@return whether a word is {@code unix:PATH} or {@code HOST:PORT} rather than a file}
     *
     * @param word the value of the option
     */
    static boolean isAddress(String word) {
        return word.startsWith(UNIX) || word.matches("[^/]+:[0-9]{1,5}") && !Files.exists(Path.of(word));
    }

    /**
     * Selects the addresses that a service file has for this host.
     *
     * @param file the service file
     * @return different addresses in the order of the file; empty if no line applies to this host
     */
    public static List<String> addressesFor(ServiceFile file) {
        var names = namesOfThisHost();
        return file.entries().stream()
                .filter(entry -> isThisHost(entry, names))
                .map(ServiceFile.Entry::deviceHost)
                .distinct()
                .toList();
    }

    /**
     * Returns whether a line applies to this host: it contains the host's name, one of its
     * addresses, or localhost.
     *
     * @param entry the line of the service file
     * @param names the result of {@link #namesOfThisHost}
     * @return whether it applies
     */
    static boolean isThisHost(ServiceFile.Entry entry, Set<String> names) {
        return names.contains(entry.applicationHost().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the names and addresses of this host that a line of a service file may contain, in
     * lower case.
     *
     * @return at least {@code localhost}
     */
    static Set<String> namesOfThisHost() {
        var names = new HashSet<>(Set.of("localhost"));
        try {
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            names.add(name.toLowerCase(Locale.ROOT));
            names.add(name.replaceFirst("[.].*", "").toLowerCase(Locale.ROOT));
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(InetAddress::getHostAddress)
                    .map(address -> address.replaceFirst("%.*", ""))
                    .forEach(names::add);
        } catch (IOException e) {
            // The result then contains only the names found so far.
        }
        return names;
    }
}
