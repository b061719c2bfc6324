// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Checks a service file line by line. */
public final class ServiceFileCheck {

    /**
     * The result for a line that is neither blank nor a comment.
     *
     * @param number line number, from 1
     * @param result the result
     * @param what the finding in a sentence, with what to do
     */
    public record Line(int number, CheckResult result, String what) {

        /** {@return whether the line does not work} */
        public boolean isWrong() {
            return result == CheckResult.FAIL;
        }
    }

    private final ServiceChoice.ThisHost host = ServiceChoice.ThisHost.find();
    private final Set<String> devices = Device.list().stream()
            .map(DeviceInfo::pciAddress)
            .map(pci -> pci.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Optional<String>> failures = new HashMap<>(); // by address
    private final Predicate<ServiceFile.Entry> connects;

    private ServiceFileCheck(Predicate<ServiceFile.Entry> connects) {
        this.connects = connects;
    }

    /**
     * Checks the lines of a file that are neither blank nor comments. Connects once to each address that
     * applies to this host, which blocks for at most ten seconds each.
     *
     * @param file the service file
     * @param connects whether to connect to the address of a line
     * @return the results, in the order of the file
     * @throws IOException if the file cannot be read
     */
    public static List<Line> of(Path file, Predicate<ServiceFile.Entry> connects) throws IOException {
        try {
            ServiceFile.read(file);
        } catch (ServiceFileException e) {
            // Reported below, with the other lines that do not work.
        }
        var check = new ServiceFileCheck(connects);
        var lines = new ArrayList<Line>();
        var number = 0;
        for (var text : Files.readString(file).split("\n", -1)) {
            number++;
            check.line(file, number, text).ifPresent(lines::add);
        }
        return lines;
    }

    private Optional<Line> line(Path file, int number, String text) {
        try {
            // Blank lines precede the text, so that the line number in a message is correct.
            var parsed = ServiceFile.parse("\n".repeat(number - 1) + text, file.toString());
            return parsed.entries().stream().findFirst().map(entry -> line(file, number, entry));
        } catch (ServiceFileException e) {
            return Optional.of(new Line(number, CheckResult.FAIL, e.getMessage()));
        }
    }

    private Line line(Path file, int number, ServiceFile.Entry entry) {
        if (!host.isMeantBy(entry)) {
            return new Line(number, CheckResult.PASS, "is for another host, " + entry.applicationHost());
        }
        if (!devices.contains(entry.devicePciAddress())) {
            return new Line(
                    number,
                    CheckResult.WARN,
                    "this host has no device at " + entry.devicePciAddress() + ": urom devices lists them");
        }
        if (!seen.add(entry.devicePciAddress())) {
            return new Line(number, CheckResult.WARN, "is never used: an earlier line is for" + " the same device");
        }
        var maps = "maps this host's device " + entry.devicePciAddress() + " to " + entry.deviceHost();
        if (!connects.test(entry)) {
            return new Line(number, CheckResult.PASS, maps);
        }
        return failures.computeIfAbsent(entry.deviceHost(), address -> Reach.of(file, entry))
                .map(why -> new Line(number, CheckResult.FAIL, why))
                .orElseGet(() -> new Line(number, CheckResult.PASS, maps + ", which accepts connections"));
    }
}
