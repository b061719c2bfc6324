// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The properties of this machine and JVM that affect measurements. */
public final class Machine {

    private static final Path CPU = Path.of("/sys/devices/system/cpu/cpu0");

    private Machine() {}

    /**
     * Reads the properties, with names that are suitable for JSON.
     *
     * @return the values by name, where null stands for a value that the system does not state
     */
    public static Map<String, Object> properties() {
        var values = new LinkedHashMap<String, Object>();
        values.put("processor", processor());
        values.put("cores", Runtime.getRuntime().availableProcessors());
        values.put("caches", caches());
        values.put("governor", read(CPU.resolve("cpufreq/scaling_governor")));
        values.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        values.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        return values;
    }

    /** {@return the model of the processor, or the architecture if the kernel does not name a model} */
    public static String processor() {
        return read(Path.of("/proc/cpuinfo"))
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst())
                .orElse(System.getProperty("os.arch"));
    }

    /** Returns the caches of core 0 that contain data, each with the cores that share it. */
    private static List<Map<String, Object>> caches() {
        var caches = new ArrayList<Map<String, Object>>();
        for (var i = 0; ; i++) {
            var cache = CPU.resolve("cache/index" + i);
            var level = read(cache.resolve("level"));
            if (level.isEmpty()) {
                return caches;
            }
            if (!read(cache.resolve("type")).equals(Optional.of("Instruction"))) {
                var values = new LinkedHashMap<String, Object>();
                values.put("level", Integer.valueOf(level.get()));
                values.put("shared_by_cores", read(cache.resolve("shared_cpu_list")));
                caches.add(values);
            }
        }
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
