// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions of a process, which also apply to its workers, so that a service does not bypass them.
 *
 * @param capabilities its capabilities, as bits
 * @param limits its hard limits by number of the resource, all bits for unlimited; resources beyond the end of
 *        the list are unknown
 * @param cgroup the directory of its cgroup, if it differs from the service's and the process may use it
 */
public record Confinement(long capabilities, List<Long> limits, Optional<String> cgroup) {

    /** The confinement of an unknown process, which has no capabilities. */
    public static final Confinement UNKNOWN = new Confinement(0, List.of(), Optional.empty());

    /** Number of resources that have a limit. */
    public static final int RESOURCES = 16;
    /** The value of a limit that does not restrict the process. */
    public static final long UNLIMITED = -1;
    /** {@code RLIMIT_DATA}. */
    public static final int DATA = 2;
    /** {@code RLIMIT_NOFILE}. */
    public static final int FILES = 7;

    private static final List<String> NAMES = List.of(
            "RLIMIT_CPU",
            "RLIMIT_FSIZE",
            "RLIMIT_DATA",
            "RLIMIT_STACK",
            "RLIMIT_CORE",
            "RLIMIT_RSS",
            "RLIMIT_NPROC",
            "RLIMIT_NOFILE",
            "RLIMIT_MEMLOCK",
            "RLIMIT_AS",
            "RLIMIT_LOCKS",
            "RLIMIT_SIGPENDING",
            "RLIMIT_MSGQUEUE",
            "RLIMIT_NICE",
            "RLIMIT_RTPRIO",
            "RLIMIT_RTTIME");

    /** Copies the limits. */
    public Confinement {
        limits = List.copyOf(limits);
    }

    /**
     * Reduces this confinement to the limits and the capabilities of another.
     *
     * @param other the other confinement, whose cgroup is ignored
     * @return the lower of each two limits, the common capabilities, and the cgroup of this confinement
     */
    public Confinement within(Confinement other) {
        return new Confinement(
                capabilities & other.capabilities,
                IntStream.range(0, RESOURCES)
                        .mapToObj(resource -> lower(limit(resource), other.limit(resource)))
                        .toList(),
                cgroup);
    }

    private static Long lower(long one, long other) {
        return Long.compareUnsigned(one, other) <= 0 ? one : other;
    }

    private long limit(int resource) {
        return resource < limits.size() ? limits.get(resource) : UNLIMITED;
    }

    /**
     * Finds a right that a worker with other restrictions has and this process lacks.
     *
     * @param worker the restrictions of the worker
     * @return a clause that describes the first such right and begins with a verb; null if there is none
     */
    @Nullable
    public String excess(Confinement worker) {
        if ((worker.capabilities & ~capabilities) != 0) {
            return "has capabilities (0x%x) that this process lacks".formatted(worker.capabilities & ~capabilities);
        }
        return IntStream.range(0, RESOURCES)
                .filter(resource -> Long.compareUnsigned(worker.limit(resource), limit(resource)) > 0)
                .mapToObj(resource -> "has a higher " + NAMES.get(resource) + " (hard limit "
                        + text(worker.limit(resource)) + ") than this process ("
                        + text(limit(resource)) + ")")
                .findFirst()
                .orElse(null);
    }

    private static String text(long limit) {
        return limit == UNLIMITED ? "unlimited" : Long.toUnsignedString(limit);
    }
}
