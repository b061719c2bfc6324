// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Checks the DOCA runtime in use and its requirements. */
final class DocaChecks {

    private static final Path MEMORY = Path.of("/proc/meminfo");

    private DocaChecks() {}

    /** Returns whether the libraries can be used; otherwise no further check is possible. */
    static boolean run(Findings findings) {
        if (!findings.check("DOCA", DocaChecks::runtime)) {
            return false;
        }
        var kind = DocaRuntime.current().kind();
        findings.check("huge pages", () -> hugePages(kind, Files.readAllLines(MEMORY)));
        return findings.check("devices", DocaChecks::devices);
    }

    private static Finding runtime() {
        var runtime = DocaRuntime.current();
        return Finding.pass("DOCA", runtime.summary() + ". " + runtime.passedOver());
    }

    static Finding hugePages(RuntimeKind kind, List<String> memory) throws IOException {
        if (kind == RuntimeKind.SOFTWARE) {
            return Finding.pass("huge pages", "are not needed by the software DOCA");
        }
        var total = memory.stream()
                .filter(line -> line.startsWith("HugePages_Total:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IOException(MEMORY + " has no line about huge pages"));
        return total > 0
                ? Finding.pass("huge pages", total + " are reserved")
                : Finding.warn(
                        "huge pages",
                        "none are reserved: the vendor's library requires them",
                        "sysctl vm.nr_hugepages=1024");
    }

    private static Finding devices() {
        var devices = Device.list();
        return devices.isEmpty()
                ? Finding.fail(
                        "devices", "there are none", "install the driver (doca-ofed), and check lspci and ibv_devinfo")
                : Finding.pass("devices", devices.stream().map(DeviceInfo::name).collect(Collectors.joining(", ")));
    }
}
