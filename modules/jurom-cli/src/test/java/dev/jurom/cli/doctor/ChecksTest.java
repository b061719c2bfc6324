// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.CheckResult;
import dev.jurom.runtime.RuntimeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the doctor's checks for other kinds of machines. */
class ChecksTest {

    private static final String KEY = "-----BEGIN PRIVATE KEY-----\n";
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----\n";
    private static final List<String> REMOTE = List.of("dpu:7471");

    @TempDir
    private Path folder;

    private static void assertFix(CheckResult result, String fix, Finding finding) {
        assertEquals(result, finding.result(), finding::what);
        assertTrue(finding.fix().orElse("").contains(fix), finding::toString);
    }

    @Test
    void a_missing_precondition_names_its_fix() throws IOException {
        assertFix(CheckResult.FAIL, "install JDK 22", MachineChecks.jdk(21));
        assertFix(CheckResult.WARN, "mount -t tmpfs", MachineChecks.sharedMemory(folder.resolve("none")));
        assertFix(CheckResult.WARN, "taskset", MachineChecks.cores(1));
    }

    @Test
    void shared_memory_that_others_have_filled_is_reported() {
        var directory = Path.of("/dev/shm");
        var full = MachineChecks.sharedMemory(directory, 1 << 20, 1L << 30);

        assertFix(CheckResult.WARN, "ls -lS /dev/shm", full);
        assertTrue(
                full.what().startsWith("/dev/shm has 1 of 1024 MiB free: plugins that use UCX may not open"),
                full::what);
        assertFix(CheckResult.WARN, "size=64M /dev/shm", MachineChecks.sharedMemory(directory, 1 << 20, 1 << 20));
        assertEquals(
                CheckResult.PASS,
                MachineChecks.sharedMemory(directory, 64 << 20, 1L << 30).result());
    }

    @Test
    void only_the_vendors_library_needs_huge_pages() throws IOException {
        var none = List.of("MemTotal:  1 kB", "HugePages_Total:       0");
        var some = List.of("HugePages_Total:     512");

        assertFix(CheckResult.WARN, "sysctl vm.nr_hugepages", DocaChecks.hugePages(RuntimeKind.VENDOR, none));
        assertEquals(
                "512 are reserved",
                DocaChecks.hugePages(RuntimeKind.VENDOR, some).what());
        assertEquals(
                CheckResult.PASS,
                DocaChecks.hugePages(RuntimeKind.SOFTWARE, none).result());
    }

    @Test
    void a_service_of_another_machine_needs_a_key_with_its_certificate() throws IOException {
        var key = Files.writeString(folder.resolve("key"), KEY + CERTIFICATE);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));

        assertFix(CheckResult.FAIL, "urom key create", KeyCheck.look(null, REMOTE));
        assertFix(CheckResult.FAIL, "cat SERVICE.pem >> ", KeyCheck.look(key.toString(), REMOTE));
        Files.writeString(key, KEY + CERTIFICATE + CERTIFICATE);
        assertEquals(CheckResult.PASS, KeyCheck.look(key.toString(), REMOTE).result());
        assertEquals(CheckResult.PASS, KeyCheck.look(null, List.of("unix:/a")).result());
    }
}
