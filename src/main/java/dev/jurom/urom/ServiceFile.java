// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The service file, which maps devices of hosts to the addresses of their UROM services.
 *
 * <p>{@code DOCA_UROM_SERVICE_FILE} or a {@link ServiceLocation.File} names the file that the library reads
 * when a service starts.
 * Each line has one entry of five words, which are separated by spaces or tabs; blank lines and lines
 * that start with {@code #} are ignored:
 *
 * <pre>
 * # app_hostname  service_type  dev_hostname       dev_pci_addr  net,devs
 * node1           dpu           node1-dpu:7471     0000:03:00.0  mlx5_0:1,eth2
 * localhost       dpu           unix:/run/jurom/urom.sock  0000:00:00.0  all
 * </pre>
 *
 * @param entries the entries in the order of their lines
 */
public record ServiceFile(List<Entry> entries) {

    /** The environment variable that names the file. */
    public static final String VARIABLE = "DOCA_UROM_SERVICE_FILE";

    /** The only service type. */
    public static final String TYPE_DPU = "dpu";

    // The library has the same grammar: src/main/c/urom/service_file.c.
    private static final int FIELDS = 5;
    private static final int MAX_LINE = 2046; // bytes
    private static final int MAX_FIELD = 255; // bytes
    private static final Pattern BLANKS = Pattern.compile("[ \\t\\r]+");
    private static final Pattern PCI_ADDRESS =
            Pattern.compile("(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    private static final int SHORT_PCI_ADDRESS = "03:00.0".length();
    private static final Pattern ADDRESS =
            Pattern.compile("(?:0|[1-9][0-9]*)(?:\\.(?:0|[1-9][0-9]*)){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int MAX_PORT = 65_535;
    private static final String UNIX = "unix:";
    private static final int MAX_PATH = 106; // maximum length of the path of a Unix socket, in bytes

    /**
     * An entry: the service for one device of one host.
     *
     * @param applicationHost the short or full name, or the address, of the host that the entry
     *         applies to, or {@code localhost}
     * @param deviceHost the name or address of the host where the service listens, optionally with
     *         {@code :port}, in which case an IPv6 address is in brackets; or {@code unix:PATH},
     *         the Unix socket of a service on the same machine
     * @param devicePciAddress the PCI address of the device on the application host, as
     *         {@code dddd:bb:dd.f} in lower case; {@code bb:dd.f} is converted to it
     * @param networkDevices the network devices that both sides share; {@code all} means no
     *         restriction
     */
    public record Entry(
            String applicationHost, String deviceHost, String devicePciAddress, List<String> networkDevices) {

        /**
         * Creates an entry.
         *
         * @throws IllegalArgumentException if a field is empty, contains white space, is malformed,
         *         or is longer than 255 bytes
         */
        public Entry {
            networkDevices = List.copyOf(networkDevices);
            requireWord("application host", applicationHost);
            requireShort("application host", applicationHost);
            requireAddress(deviceHost);
            devicePciAddress = longForm(devicePciAddress);
            if (networkDevices.isEmpty()) {
                throw new IllegalArgumentException("there is no network device: write \"all\" for no restriction");
            }
            networkDevices.forEach(device -> requireWord("network device", device));
            requireShort("list of network devices", String.join(",", networkDevices));
        }

        /** Requires an address of a service as {@link #deviceHost}. */
        static void requireAddress(String address) {
            requireWord("device host", address);
            if (address.startsWith(UNIX)) {
                requirePath(address.substring(UNIX.length()));
            } else {
                requireHost(address);
            }
        }

        private static String longForm(String pciAddress) {
            if (!PCI_ADDRESS.matcher(pciAddress).matches()) {
                throw new IllegalArgumentException(
                        "the PCI address \"" + pciAddress + "\" does not have the form 0000:03:00.0 or 03:00.0");
            }
            var prefix = pciAddress.length() == SHORT_PCI_ADDRESS ? "0000:" : "";
            return prefix + pciAddress.toLowerCase(Locale.ROOT);
        }

        private static void requireShort(String field, String text) {
            if (bytes(text) > MAX_FIELD) {
                throw new IllegalArgumentException(
                        "the " + field + " \"" + text + "\" is longer than " + MAX_FIELD + " bytes");
            }
        }

        private static void requireWord(String field, String word) {
            if (word.isEmpty() || word.chars().anyMatch(c -> c <= ' ' || c == '#' || c == 0x7f)) {
                throw new IllegalArgumentException(
                        "the " + field + " is \"" + word + "\": it must be one word without \"#\"");
            }
            if (field.startsWith("network") && word.contains(",")) {
                throw new IllegalArgumentException("the network device \"" + word + "\" has a comma in its name");
            }
        }

        private static void requirePath(String path) {
            if (!path.startsWith("/") || bytes(path) > MAX_PATH) {
                throw new IllegalArgumentException("the path \"" + path + "\" of a Unix socket"
                        + " must begin with \"/\" and have at most " + MAX_PATH + " bytes");
            }
        }

        /** Requires {@code name}, {@code name:port}, {@code [v6]:port} or a bare IPv6 address. */
        private static void requireHost(String host) {
            var colon = host.indexOf(':');
            var end = host.length(); // the end of the name or address
            if (host.startsWith("[")) {
                end = host.indexOf(']');
                if (end < 0 || end + 1 < host.length() && host.charAt(end + 1) != ':') {
                    throw new IllegalArgumentException(
                            "the device host \"" + host + "\" has no closing bracket before its port");
                }
                colon = end + 1;
            } else if (colon >= 0 && host.indexOf(':', colon + 1) < 0) {
                end = colon;
            } else {
                colon = end;
            }
            var name = host.substring(host.startsWith("[") ? 1 : 0, end);
            if (name.isEmpty()) {
                throw new IllegalArgumentException("the device host \"" + host + "\" is empty");
            }
            requireShort("device host", name);
            if (colon < host.length() && !isPort(host.substring(colon + 1))) {
                throw new IllegalArgumentException(
                        "the device host \"" + host + "\" does not end in a port from 1 to " + MAX_PORT);
            }
        }

        private static boolean isPort(String text) {
            return PORT.matcher(text).matches() && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MAX_PORT;
        }

        /**
         * Returns whether this entry has the name of a host. A short name stands for each full name
         * that begins with it, and the other way round; {@code localhost} stands for every host. The
         * case does not matter.
         *
         * @param hostName the short or full name of the host
         * @return true if the library uses this entry on that host
         */
        public boolean appliesTo(String hostName) {
            return applicationHost.equalsIgnoreCase("localhost")
                    || applicationHost.equalsIgnoreCase(hostName)
                    || !(applicationHost.contains(".") && hostName.contains("."))
                            && shortName(applicationHost).equalsIgnoreCase(shortName(hostName));
        }

        private static String shortName(String name) {
            return name.replaceFirst("[.].*", "");
        }

        /**
         * Returns the application host as an address, if it is one.
         *
         * @return the address, or empty for a name
         */
        public Optional<InetAddress> applicationAddress() {
            if (!ADDRESS.matcher(applicationHost).matches()) {
                return Optional.empty();
            }
            try {
                var address = InetAddress.ofLiteral(applicationHost);
                // No interface has an IPv4 address in the form of IPv6.
                return address instanceof Inet4Address && applicationHost.contains(":")
                        ? Optional.empty()
                        : Optional.of(address);
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /** Returns the entry as a line of the file, without the line terminator. */
        @Override
        public String toString() {
            return String.join(
                    " ", applicationHost, TYPE_DPU, deviceHost, devicePciAddress, String.join(",", networkDevices));
        }
    }

    /**
     * Creates a service file.
     *
     * @throws NullPointerException if an entry is null
     */
    public ServiceFile {
        entries = List.copyOf(entries);
    }

    /**
     * Creates a service file with the given entries.
     *
     * @param entries the entries in the order of their lines
     * @return the service file
     */
    public static ServiceFile of(Entry... entries) {
        return new ServiceFile(List.of(entries));
    }

    /**
     * Returns the path of the service file that {@link ServiceLocation#environment()} stands for.
     *
     * @return the path of the file of the embedded service that the program opened last and has not
     *         closed, or else the value of {@value #VARIABLE} if it is set and not empty
     */
    public static Optional<String> named() {
        return EmbeddedServices.last()
                .map(service -> service.serviceFile().toString())
                .or(ServiceFile::ofVariable);
    }

    /** Returns the value of {@value #VARIABLE} if it is set and not empty. */
    static Optional<String> ofVariable() {
        return Optional.ofNullable(Environment.get(VARIABLE)).filter(name -> !name.isEmpty());
    }

    /**
     * Reads a service file.
     *
     * @param file the path
     * @return the content
     * @throws ServiceFileException if a line is malformed
     * @throws UncheckedIOException if the file cannot be read
     */
    public static ServiceFile read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("The service file " + file + " cannot be read: " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing -> "there is no such file";
            case AccessDeniedException denied -> "permission denied";
            case CharacterCodingException other -> "it is not UTF-8 text";
            default -> failure.toString();
        };
    }

    /**
     * Parses the text of a service file.
     *
     * @param text the text
     * @param source the name of the file, for messages
     * @return the content
     * @throws ServiceFileException if a line is malformed
     */
    public static ServiceFile parse(String text, String source) {
        var entries = new ArrayList<Entry>();
        var number = 0;
        for (var line : text.split("\n", -1)) {
            number++;
            if (bytes(line) > MAX_LINE) {
                throw new ServiceFileException(source, number, "it is longer than " + MAX_LINE + " bytes");
            }
            var words =
                    BLANKS.splitAsStream(line).filter(word -> !word.isEmpty()).toList();
            if (!words.isEmpty() && !words.getFirst().startsWith("#")) {
                entries.add(parseLine(words, source, number));
            }
        }
        return new ServiceFile(entries);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static Entry parseLine(List<String> words, String source, int number) {
        if (words.size() != FIELDS) {
            throw new ServiceFileException(
                    source,
                    number,
                    "the number of words is " + words.size() + " instead of " + FIELDS
                            + ": app_hostname service_type dev_hostname dev_pci_addr net,devs");
        }
        if (!words.get(1).equals(TYPE_DPU)) {
            throw new ServiceFileException(
                    source,
                    number,
                    "the service type \"" + words.get(1) + "\" is unknown: it must be \"" + TYPE_DPU + "\"");
        }
        try {
            return new Entry(
                    words.get(0),
                    words.get(2),
                    words.get(3),
                    List.of(words.get(4).split(",", -1)));
        } catch (IllegalArgumentException e) {
            throw new ServiceFileException(source, number, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the first entry for a host and one of its devices.
     *
     * @param applicationHost the name or address of the host, as in {@link Entry#appliesTo}
     * @param devicePciAddress the address of the device as {@code dddd:bb:dd.f} or {@code bb:dd.f},
     *         case-insensitive
     * @return the entry, or empty if there is none
     * @throws IllegalArgumentException if {@code devicePciAddress} has another form
     */
    public Optional<Entry> find(String applicationHost, String devicePciAddress) {
        Objects.requireNonNull(applicationHost);
        var device = Entry.longForm(devicePciAddress);
        return entries.stream()
                .filter(entry -> entry.appliesTo(applicationHost))
                .filter(entry -> entry.devicePciAddress().equals(device))
                .findFirst();
    }

    /**
     * Writes this service file, so that {@link #read} returns the same content.
     *
     * @param file the path; an existing file is replaced
     * @throws UncheckedIOException if the file cannot be written
     */
    public void write(Path file) {
        try {
            Files.writeString(file, toString());
        } catch (IOException e) {
            throw new UncheckedIOException("The service file " + file + " cannot be written: " + e, e);
        }
    }

    /** Returns the text of the file. */
    @Override
    public String toString() {
        return entries.stream().map(entry -> entry + "\n").collect(Collectors.joining());
    }
}
