// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The hierarchies of cgroups on this machine, as {@code /proc} lists them. */
public final class Cgroups {

    /** Denotes the unified hierarchy (version 2) where a controller is expected. */
    public static final String UNIFIED = "";

    private static final Path SELF = Path.of("/proc/self");
    private static final int MOUNT_ROOT = 3; // fields of mountinfo
    private static final int MOUNT_POINT = 4;

    private Cgroups() {}

    /** Returns where the root of a hierarchy is mounted, if it is. */
    static Optional<Path> mountPoint(String controller) throws IOException {
        var type = controller.equals(UNIFIED) ? " - cgroup2 " : " - cgroup ";
        return lines(SELF.resolve("mountinfo")).stream()
                .filter(line -> line.contains(type)
                        && (controller.equals(UNIFIED) || options(line).contains(controller)))
                .map(line -> line.split(" "))
                .filter(fields -> fields[MOUNT_ROOT].equals("/"))
                .map(fields -> Path.of(fields[MOUNT_POINT]))
                .findFirst();
    }

    private static List<String> options(String mount) {
        return List.of(mount.substring(mount.lastIndexOf(' ') + 1).split(","));
    }

    /**
     * Returns the path of a process's cgroup in a hierarchy. It begins with a slash, and is the root if the
     * process is in no cgroup.
     *
     * @param process its directory in {@code /proc}
     * @param controller the name of a controller in cgroups v1, or {@link #UNIFIED}
     * @return an absolute path within the hierarchy, as that process's cgroup namespace shows it
     * @throws IOException if {@code /proc} cannot be read, or the process has exited
     */
    public static String path(Path process, String controller) throws IOException {
        return lines(process.resolve("cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(fields -> List.of(fields[1].split(",")).contains(controller))
                .map(fields -> fields[2])
                .findFirst()
                .orElse("/");
    }

    /**
     * Finds the directory of this process's cgroup in a hierarchy.
     *
     * @param controller the name of a controller in cgroups v1, or {@link #UNIFIED}
     * @return the directory; empty if the root of the hierarchy is not mounted
     * @throws IOException if {@code /proc} cannot be read
     */
    public static Optional<Path> own(String controller) throws IOException {
        var path = path(SELF, controller);
        return mountPoint(controller).map(point -> point.resolve(path.substring(1)));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    }
}
