// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** The cores that the service presents to hosts. */
final class ServiceCores {

    private static final String ALLOWED = "Cpus_allowed_list:";

    private ServiceCores() {}

    /** Returns the first {@code count} cores, or without a count those that this process may use. */
    static CpuSet of(OptionalInt count) {
        return count.isPresent() ? CpuSet.range(0, count.getAsInt() - 1) : allowed();
    }

    private static CpuSet allowed() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .findFirst()
                    .map(line -> CpuSet.parse(line.substring(ALLOWED.length()).strip()))
                    .orElseGet(ServiceCores::counted);
        } catch (IOException e) {
            return counted();
        }
    }

    private static CpuSet counted() {
        return CpuSet.range(0, Math.min(Runtime.getRuntime().availableProcessors(), CpuSet.CAPACITY) - 1);
    }
}
