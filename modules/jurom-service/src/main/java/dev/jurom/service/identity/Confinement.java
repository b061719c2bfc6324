// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a process that a worker of it gets, too, so that a service does not lead out of
 * them.
 *
 * @param capabilities those that it has, as bits
 * @param limits its hard limits by number of the resource, all bits for none; fewer than there are
 *        resources where they are not known
 * @param cgroup the directory of its cgroup, if it is another than the service's and open to it
 */
public record Confinement(long capabilities, List<Long> limits, Optional<String> cgroup) {

    /** A process of which nothing is known: it has no capability. */
    public static final Confinement UNKNOWN = new Confinement(0, List.of(), Optional.empty());

    public static final int RESOURCES = 16;
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

    /** This, with no more than the limits and the capabilities of another. */
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

    /** Names a right that a worker with other bounds has and this process lacks, or null. */
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
