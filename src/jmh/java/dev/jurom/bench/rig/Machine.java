// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.abi.ucx.ucx_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxTransports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The machine on which the measurements run. */
final class Machine {

    private Machine() {}

    /** Returns the properties that affect the figures. */
    private static Map<String, String> description() {
        var lines = new LinkedHashMap<String, String>();
        lines.put("Runtime", runtime());
        lines.put("UCX", ucxVersion());
        lines.put("Processor", cores());
        lines.put("Kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        lines.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        lines.put("Date", LocalDate.now().toString());
        return lines;
    }

    /** Returns a description of the runtime. */
    static String runtime() {
        return DocaRuntime.current().kind() == RuntimeKind.SOFTWARE
                ? "software DOCA: host and workers on one machine, no DPU"
                : "the vendor's DOCA";
    }

    /** Returns the model and the number of the cores. */
    static String cores() {
        return dev.jurom.cli.shell.Machine.processor() + ", "
                + Runtime.getRuntime().availableProcessors() + " cores";
    }

    /** Returns the average number of runnable threads in the last minute. */
    static String load() {
        return read("/proc/loadavg").split(" ")[0];
    }

    /** Returns the properties as a list. */
    static String list() {
        return description().entrySet().stream()
                .map(line -> "- " + line.getKey() + ": " + line.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** Returns the properties as two lines. */
    static List<String> summary() {
        var words = description().entrySet().stream()
                .map(line -> line.getKey() + ": " + line.getValue())
                .toList();
        var half = words.size() / 2;
        return List.of(String.join("; ", words.subList(0, half)), String.join("; ", words.subList(half, words.size())));
    }

    /** Returns the version of UCX, after opening a context to load it. */
    private static String ucxVersion() {
        try (var ignored = UcxContext.open(Set.of(UcxFeature.ACTIVE_MESSAGES), UcxTransports.settings())) {
            return ucx_h.ucp_get_version_string().getString(0);
        }
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
