// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.linux.PeerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The process of a local host, as every process can read it in {@code /proc}: from its {@code status}, {@code
 * uid_map}, {@code limits} and {@code cgroup}.
 *
 * @param confinement the restrictions of the process
 * @param isOfThisSystem whether it is in the user and PID namespaces of this process
 */
public record CallerProcess(Confinement confinement, boolean isOfThisSystem) {

    private static final Path SELF = Path.of("/proc/self");
    /** Column of the soft limit in {@code /proc/PID/limits}, in characters; the hard limit follows. */
    private static final int SOFT = 26;

    private static final int HARD = 47;
    private static final int LIMIT_WIDTH = 21;

    /**
     * The properties of this process with which others are compared. They do not change.
     *
     * @param userMap its user namespace
     * @param cgroup its path in the unified hierarchy
     * @param mountPoint the mount point of that hierarchy, if it is mounted
     */
    record Own(List<String> userMap, String cgroup, Optional<Path> mountPoint) {

        static Own read() throws IOException {
            return new Own(
                    lines(SELF.resolve("uid_map")),
                    Cgroups.path(SELF, Cgroups.UNIFIED),
                    Cgroups.mountPoint(Cgroups.UNIFIED));
        }
    }

    /**
     * Reads the properties of a process that has connected, and checks that it is still the same.
     *
     * @throws IOException if the process has exited or changed its user
     */
    static CallerProcess read(PeerProcess process, Own own) throws IOException {
        List<String> status;
        CallerProcess caller;
        try {
            var directory = Path.of("/proc", Integer.toString(process.id()));
            status = lines(directory.resolve("status"));
            caller = of(directory, status, own);
        } catch (IOException e) {
            throw process.isRunning()
                    ? new IOException(
                            "the process " + process.id() + " is not visible in /proc (is it mounted with hidepid?): "
                                    + e,
                            e)
                    : exited(process);
        }
        requireSame(process, status);
        return caller;
    }

    private static CallerProcess of(Path directory, List<String> status, Own own) throws IOException {
        var isOfThisSystem = words(status, "NSpid:").length == 2
                && lines(directory.resolve("uid_map")).equals(own.userMap);
        // In another user namespace, capabilities apply only to that namespace.
        var capabilities = isOfThisSystem ? Long.parseUnsignedLong(words(status, "CapPrm:")[1], 16) : 0;
        return new CallerProcess(
                new Confinement(capabilities, limits(directory, HARD), cgroup(directory, own)), isOfThisSystem);
    }

    /**
     * Rejects a process that has changed its user, because a set-user-ID program would lend its rights to its
     * caller.
     */
    private static void requireSame(PeerProcess process, List<String> status) throws IOException {
        var userId = Integer.parseUnsignedInt(words(status, "Uid:")[2]);
        if (words(status, "State:")[1].matches("[ZX]") || !process.isRunning()) {
            throw exited(process);
        }
        if (userId != process.userId()) {
            throw new IOException("the process " + process.id() + " has connected as user "
                    + Integer.toUnsignedString(process.userId()) + " and is user "
                    + Integer.toUnsignedString(userId) + " now");
        }
    }

    private static IOException exited(PeerProcess process) {
        return new IOException("the process " + process.id() + " that connected has exited");
    }

    /**
     * {@return the hard limits of this process, by number of the resource}; all bits are set for unlimited.
     *
     * @throws IOException if {@code /proc} cannot be read
     */
    public static List<Long> ownLimits() throws IOException {
        return limits(SELF, HARD);
    }

    /**
     * {@return the soft limit of file descriptors of this process, unsigned}
     *
     * @throws IOException if {@code /proc} cannot be read
     */
    public static long ownFileLimit() throws IOException {
        return limits(SELF, SOFT).get(Confinement.FILES);
    }

    /** Reads the limits of a process, which the kernel lists in the order of the resources' numbers. */
    private static List<Long> limits(Path directory, int column) throws IOException {
        var limits = lines(directory.resolve("limits")).stream()
                .skip(1)
                .map(line -> line.substring(column, column + LIMIT_WIDTH).strip())
                .map(limit -> limit.equals("unlimited") ? Confinement.UNLIMITED : Long.parseUnsignedLong(limit))
                .toList();
        if (limits.size() < Confinement.RESOURCES) {
            throw new IOException(
                    directory + "/limits has " + limits.size() + " limits, fewer than " + Confinement.RESOURCES);
        }
        return limits.subList(0, Confinement.RESOURCES); // newer kernels may list more
    }

    private static Optional<String> cgroup(Path directory, Own own) throws IOException {
        var path = Cgroups.path(directory, Cgroups.UNIFIED);
        return path.equals(own.cgroup) || path.contains("..")
                ? Optional.empty()
                : own.mountPoint
                        .map(point -> point.resolve(path.substring(1)))
                        .filter(cgroup -> Files.isWritable(cgroup.resolve("cgroup.procs")))
                        .map(Path::toString);
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    }

    private static String[] words(List<String> status, String name) throws IOException {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IOException("its status has no line \"" + name + "\""))
                .split("\\s+");
    }
}
