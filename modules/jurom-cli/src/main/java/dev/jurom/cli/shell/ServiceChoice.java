// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
        var host = ThisHost.find();
        return file.entries().stream()
                .filter(host::isMeantBy)
                .map(ServiceFile.Entry::deviceHost)
                .distinct()
                .toList();
    }

    /**
     * Returns the address that a service file has for a device of this host.
     *
     * @param file the service file
     * @param device the PCI address of the device as {@code dddd:bb:dd.f} in lower case
     * @return the address of the first line; empty if no line applies to the device
     */
    public static Optional<String> addressFor(ServiceFile file, String device) {
        var host = ThisHost.find();
        return file.entries().stream()
                .filter(host::isMeantBy)
                .filter(entry -> entry.devicePciAddress().equals(device))
                .map(ServiceFile.Entry::deviceHost)
                .findFirst();
    }

    /**
     * The names and addresses by which lines of a service file refer to this host.
     *
     * @param name the kernel's host name
     * @param addresses the addresses of its network interfaces
     */
    record ThisHost(String name, Set<InetAddress> addresses) {

        /** {@return this host; without addresses if they cannot be read} */
        static ThisHost find() {
            try {
                return new ThisHost(
                        Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
                        NetworkInterface.networkInterfaces()
                                .flatMap(NetworkInterface::inetAddresses)
                                .map(ThisHost::withoutScope)
                                .collect(Collectors.toSet()));
            } catch (IOException e) {
                return new ThisHost("localhost", Set.of());
            }
        }

        private static InetAddress withoutScope(InetAddress address) {
            return InetAddress.ofLiteral(address.getHostAddress().replaceFirst("%.*", ""));
        }

        /**
         * {@return whether a line applies to this host}
         *
         * @param entry the line of the service file
         */
        boolean isMeantBy(ServiceFile.Entry entry) {
            return entry.appliesTo(name)
                    || entry.applicationAddress().filter(addresses::contains).isPresent();
        }
    }
}
