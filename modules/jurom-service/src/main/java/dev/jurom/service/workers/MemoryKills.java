// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.identity.Cgroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts the processes of a cgroup that the kernel has killed because memory was exhausted. Instances are immutable. */
final class MemoryKills {

    /** The files that have the count: of the unified hierarchy, and of the memory controller of cgroups v1. */
    private static final List<String> FILES = List.of("memory.events", "memory.oom_control");

    private static final String COUNT = "oom_kill ";

    private final Path cgroup;

    private MemoryKills(Path cgroup) {
        this.cgroup = cgroup;
    }

    /** Returns the first of the cgroups that has a count; empty if none has. */
    static Optional<MemoryKills> in(Stream<Path> cgroups) {
        return cgroups.map(MemoryKills::new)
                .filter(counted -> counted.read().isPresent())
                .findFirst();
    }

    /** Returns the cgroups that may count for the processes of the service. */
    static Stream<Path> ofService() {
        return Stream.of("memory", Cgroups.UNIFIED).flatMap(controller -> {
            try {
                return Cgroups.own(controller).stream();
            } catch (IOException e) {
                return Stream.empty(); // the count is a hint only
            }
        });
    }

    /** Returns the count; 0 if it cannot be read. */
    long count() {
        return read().orElse(0L);
    }

    /** Returns the end of a sentence about a process that was killed, if the count exceeds an earlier one. */
    String hint(long earlier) {
        return count() > earlier
                ? "; meanwhile the kernel has killed a process of the cgroup " + cgroup
                        + " because its memory was exhausted: raise --worker-memory or the limit of the cgroup, or start"
                        + " fewer workers"
                : "";
    }

    private Optional<Long> read() {
        return FILES.stream().map(cgroup::resolve).flatMap(MemoryKills::read).findFirst();
    }

    private static Stream<Long> read(Path file) {
        try (var lines = Files.lines(file)) {
            return lines
                    .filter(line -> line.matches(COUNT + "[0-9]{1,18}"))
                    .map(line -> Long.parseLong(line.substring(COUNT.length())))
                    .toList()
                    .stream();
        } catch (IOException | UncheckedIOException e) {
            return Stream.empty();
        }
    }
}
