// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The service file: which UROM service serves which device of which host.
 *
 * <p>{@code DOCA_UROM_SERVICE_FILE} names the file that the library reads when a service starts. It
 * has one entry a line, five words each; blank lines and lines that start with {@code #} mean
 * nothing:
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

    /** The only service type there is. */
    public static final String TYPE_DPU = "dpu";

    private static volatile @Nullable String named; // in place of the variable

    private static final int FIELDS = 5;
    private static final Pattern PCI_ADDRESS = Pattern.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int MAX_PORT = 65_535;
    private static final String UNIX = "unix:";
    private static final int MAX_PATH = 106; // bytes that a Unix socket's path can have

    /**
     * One line: the service for one device of one host.
     *
     * @param applicationHost name or address of the host that the line applies to
     * @param deviceHost name or address of the host where the service listens; it may carry
     *        {@code :port}, and an IPv6 address is then in brackets. Or {@code unix:PATH}, the
     *        Unix socket of a service on the same machine
     * @param devicePciAddress PCI address of the device on the application's host, as
     *        {@code dddd:bb:dd.f}
     * @param networkDevices the network devices that both sides share; {@code all} means no
     *        restriction
     */
    public record Entry(
            String applicationHost, String deviceHost, String devicePciAddress, List<String> networkDevices) {

        /**
         * Makes an entry.
         *
         * @throws IllegalArgumentException if a field is empty, has white space, or is malformed
         */
        public Entry {
            networkDevices = List.copyOf(networkDevices);
            requireWord("application host", applicationHost);
            requireWord("device host", deviceHost);
            if (deviceHost.startsWith(UNIX)) {
                requirePath(deviceHost.substring(UNIX.length()));
            } else {
                requirePort(deviceHost);
            }
            if (!PCI_ADDRESS.matcher(devicePciAddress).matches()) {
                throw new IllegalArgumentException(
                        "the PCI address \"" + devicePciAddress + "\" does not look like 0000:03:00.0");
            }
            if (networkDevices.isEmpty()) {
                throw new IllegalArgumentException("there is no network device: write \"all\" for" + " no restriction");
            }
            networkDevices.forEach(device -> requireWord("network device", device));
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
            var length = path.getBytes(StandardCharsets.UTF_8).length;
            if (!path.startsWith("/") || length > MAX_PATH) {
                throw new IllegalArgumentException("the path \"" + path + "\" of a Unix socket"
                        + " must begin with \"/\" and have at most " + MAX_PATH + " bytes");
            }
        }

        private static void requirePort(String host) {
            var colon = host.lastIndexOf(':');
            var inBrackets = host.startsWith("[");
            if (inBrackets ? colon < host.indexOf(']') : colon < 0 || host.indexOf(':') != colon) {
                return; // no port, or a bare IPv6 address
            }
            var port = host.substring(colon + 1);
            if (colon == 0
                    || !PORT.matcher(port).matches()
                    || Integer.parseInt(port) < 1
                    || Integer.parseInt(port) > MAX_PORT) {
                throw new IllegalArgumentException(
                        "the device host \"" + host + "\" does not end in a port from 1 to " + MAX_PORT);
            }
        }

        /** The entry as a line of the file, without its end. */
        @Override
        public String toString() {
            return String.join(
                    " ", applicationHost, TYPE_DPU, deviceHost, devicePciAddress, String.join(",", networkDevices));
        }
    }

    /**
     * Makes a service file.
     *
     * @throws NullPointerException if an entry is null
     */
    public ServiceFile {
        entries = List.copyOf(entries);
    }

    /**
     * Makes a service file of the given entries.
     *
     * @param entries in the order of their lines
     * @return the file's content
     */
    public static ServiceFile of(Entry... entries) {
        return new ServiceFile(List.of(entries));
    }

    /**
     * Returns the path of the service file of this process.
     *
     * @return the path that was {@linkplain #name named} last, or else the value of
     *         {@value #VARIABLE} if it is set
     */
    public static Optional<String> named() {
        return Optional.ofNullable(named).or(() -> Optional.ofNullable(Environment.get(VARIABLE)));
    }

    /**
     * Names the service file of the services that are started from now on, in place of
     * {@value #VARIABLE}. Child processes do not inherit it. Stands for
     * {@code jurom_urom_service_set_service_file}; the vendor's library has no such function, so
     * there this sets the variable, and must be called while no other thread uses native code.
     *
     * @param file the path, which is made absolute
     */
    public static void name(Path file) {
        use(file.toAbsolutePath().toString());
    }

    /** Undoes {@link #name}: {@value #VARIABLE} names the service file again. */
    public static void unname() {
        use(null);
    }

    private static void use(@Nullable String path) {
        if (DocaRuntime.current().kind() == RuntimeKind.VENDOR) {
            Environment.restore(VARIABLE, path);
        } else {
            named = path;
        }
    }

    /** Gives a service that is about to start the path that was named, if one was. */
    static void giveTo(MemorySegment service) {
        if (DocaRuntime.current().kind() == RuntimeKind.SOFTWARE) {
            var path = named;
            try (var arena = Arena.ofConfined()) {
                check(
                        doca_h.jurom_urom_service_set_service_file(
                                service, path == null ? MemorySegment.NULL : arena.allocateFrom(path)),
                        "jurom_urom_service_set_service_file",
                        "service file");
            }
        }
    }

    /**
     * Reads a service file.
     *
     * @param file its path
     * @return its content
     * @throws ServiceFileException if a line is malformed
     * @throws UncheckedIOException if it cannot be read
     */
    public static ServiceFile read(Path file) {
        try {
            return parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("The service file " + file + " cannot be read: " + why(e), e);
        }
    }

    private static String why(IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing -> "there is no such file";
            case AccessDeniedException denied -> "permission denied";
            case CharacterCodingException other -> "it is not UTF-8 text";
            default -> failure.toString();
        };
    }

    /**
     * Reads a service file's text.
     *
     * @param text the text
     * @param source where it comes from, for messages
     * @return its content
     * @throws ServiceFileException if a line is malformed
     */
    public static ServiceFile parse(String text, String source) {
        var entries = new ArrayList<Entry>();
        var number = 0;
        for (var line : text.split("\n", -1)) {
            number++;
            var stripped = line.strip();
            if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                entries.add(parseLine(stripped, source, number));
            }
        }
        return new ServiceFile(entries);
    }

    private static Entry parseLine(String line, String source, int number) {
        var words = line.split("\\s+");
        if (words.length != FIELDS) {
            throw new ServiceFileException(
                    source,
                    number,
                    "there are " + words.length
                            + " words and " + FIELDS
                            + " are needed: app_hostname service_type dev_hostname dev_pci_addr"
                            + " net,devs");
        }
        if (!words[1].equals(TYPE_DPU)) {
            throw new ServiceFileException(
                    source,
                    number,
                    "the service type \"" + words[1] + "\" is unknown: it must be \"" + TYPE_DPU + "\"");
        }
        try {
            return new Entry(words[0], words[2], words[3], List.of(words[4].split(",", -1)));
        } catch (IllegalArgumentException e) {
            throw new ServiceFileException(source, number, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The first entry for a host and one of its devices.
     *
     * @param applicationHost a name or address, compared without regard to case
     * @param devicePciAddress the device's address as {@code dddd:bb:dd.f}
     * @return the entry, or empty
     */
    public Optional<Entry> find(String applicationHost, String devicePciAddress) {
        Objects.requireNonNull(applicationHost);
        Objects.requireNonNull(devicePciAddress);
        return entries.stream()
                .filter(entry -> entry.applicationHost().equalsIgnoreCase(applicationHost))
                .filter(entry -> entry.devicePciAddress().equalsIgnoreCase(devicePciAddress))
                .findFirst();
    }

    /**
     * Writes this file; {@link #read} reads the same content back.
     *
     * @param file where; a file that is there is replaced
     * @throws UncheckedIOException if it cannot be written
     */
    public void write(Path file) {
        try {
            Files.writeString(file, toString());
        } catch (IOException e) {
            throw new UncheckedIOException("The service file " + file + " cannot be written: " + e, e);
        }
    }

    /** The file's text. */
    @Override
    public String toString() {
        return entries.stream().map(entry -> entry + "\n").collect(Collectors.joining());
    }
}
