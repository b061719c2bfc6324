// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultParameter;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws random faults at points that runs can reach. */
final class FaultDraw {

    /** Actions that end or stop a process. */
    private static final Set<FaultAction> DEADLY = EnumSet.of(FaultAction.KILL, FaultAction.SEGV, FaultAction.STOP);

    /**
     * Points that runs do not reach, since all processes run on this machine and faults are armed after the
     * service has started.
     */
    private static final Pattern UNREACHED = Pattern.compile("ucx_.*"
            + "|exported_memory_copy|daemon_(tls_(bind|options)|ticket_asked|worker_listens|plugin|directory"
            + "|counters_make|unix_bind|unix_publish|service_file|serves|reload|ends|log_open"
            + "|log_rotate).*");

    private static final Pattern OF_DOMAINS = Pattern.compile(".*domain.*|exchange_memory" + "|(host_)?group_.*");
    private static final Pattern OF_REMOTE = Pattern.compile("(tls|tcp|daemon_tls)_.*");
    private static final Pattern OF_HOSTS =
            Pattern.compile("host_.*|domain_memory|exchange_.*|group_.*|session_.*|welcome_.*|attached_.*|task.*"
                    + "|requests_.*|service_file_.*|deadline_.*|engine_.*|socket_.*|handshake_receive");
    private static final Pattern OF_WORKERS =
            Pattern.compile("worker_.*|domain_table_.*|launcher_.*|plugin_.*|pipe_.*|pending_.*|service_.*"
                    + "|connection_memory|ring_memory_make|ring_memory_size|ticket_receive");

    private static final List<Long> ERRORS = List.of(4L, 5L, 12L, 24L, 28L, 32L, 104L);
    private static final int HEADER_BYTES = 16;
    private static final double SHORTEST_DELAY = 1e4; // ns
    private static final double LONGEST_DELAY = 3e7;
    private static final double LONGEST_JUMP = 3e10;
    private static final double LATEST = 400; // maximum value of "after", at which rings have wrapped
    private static final int LATEST_IN_DOMAINS = 2;
    private static final double MOST_TIMES = 6;
    private static final double MOST_DELAYS = 400;
    private static final double LONGEST_TOTAL = 5e8; // ns, of all delays of a fault
    private static final int MAX_FOCUS = 12; // points
    private static final int ATTEMPTS = 50;

    private static final List<FaultPoint> POINTS = FaultPoints.all().stream()
            .filter(point -> !UNREACHED.matcher(point.name()).matches())
            .toList();
    private static final List<FaultPoint> IN_DOMAINS = matching(OF_DOMAINS);
    private static final List<FaultPoint> OVER_TLS = matching(OF_REMOTE);
    private static final List<FaultPoint> ANYWHERE = POINTS.stream()
            .filter(point -> !IN_DOMAINS.contains(point) && !OVER_TLS.contains(point))
            .toList();

    private final SplittableRandom random;
    private final boolean fresh;
    private final boolean hasProcesses;
    private final boolean hasJava;
    private final Optional<List<FaultPoint>> special; // points of a feature that only some runs use
    private final List<FaultPoint> focus;
    private final Set<FaultAction> actions;

    /**
     * Creates a generator. If hosts form a domain or connect by TLS, half of the faults are at points of this
     * feature. Workers with a JVM receive no SEGV, since the JVM logs the crash and takes longer to exit.
     *
     * @param fresh whether the service may be killed
     * @param hosts the hosts of the run
     */
    FaultDraw(SplittableRandom random, boolean fresh, List<HostPlan> hosts) {
        this.random = random;
        this.fresh = fresh;
        hasProcesses = hosts.stream().anyMatch(host -> host.kind().isProcess());
        hasJava = hosts.stream()
                .flatMap(host -> host.workers().stream())
                .anyMatch(worker -> worker.plugin().equals(WorkerPlan.JAVA_PLUGIN));
        special = hosts.stream().anyMatch(host -> host.domain().isPresent())
                ? Optional.of(IN_DOMAINS)
                : Optional.of(OVER_TLS)
                        .filter(points -> hosts.stream().anyMatch(host -> host.kind() == HostKind.REMOTE));
        focus = focus();
        actions = actions();
    }

    private static List<FaultPoint> matching(Pattern pattern) {
        return POINTS.stream()
                .filter(point -> pattern.matcher(point.name()).matches())
                .toList();
    }

    /** Returns the points from which faults are drawn. */
    static List<FaultPoint> points() {
        return POINTS;
    }

    /**
     * Draws a fault among the points and actions of this run. Returns empty if no attempt finds a possible
     * action.
     */
    Optional<Fault> draw() {
        for (var i = 0; i < ATTEMPTS; i++) {
            var points = special.filter(wanted -> random.nextBoolean()).orElse(focus);
            var point = points.get(random.nextInt(points.size()));
            var role = role(point);
            var possible = point.actions().stream()
                    .filter(actions::contains)
                    .filter(action -> isPossible(role, point, action))
                    .toList();
            if (!possible.isEmpty()) {
                return Optional.of(fault(role, point, possible.get(random.nextInt(possible.size()))));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns all points in one of three runs, and otherwise a few adjacent points, which belong to
     * consecutive steps.
     */
    private List<FaultPoint> focus() {
        if (random.nextInt(3) == 0) {
            return ANYWHERE;
        }
        var first = random.nextInt(ANYWHERE.size());
        return ANYWHERE.subList(first, Math.min(ANYWHERE.size(), first + random.nextInt(1, MAX_FOCUS + 1)));
    }

    private Set<FaultAction> actions() {
        return Stream.of(FaultAction.values())
                .filter(action -> random.nextBoolean())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultAction.class)));
    }

    private FaultRole role(FaultPoint point) {
        if (point.roles().size() == 1) {
            return point.roles().iterator().next();
        }
        if (OF_HOSTS.matcher(point.name()).matches()) {
            return FaultRole.HOST;
        }
        return OF_WORKERS.matcher(point.name()).matches() || random.nextBoolean() ? FaultRole.WORKER : FaultRole.HOST;
    }

    /** Returns whether a fault can occur. Several hosts share the JVM of the Java hosts, so no fault kills it. */
    private boolean isPossible(FaultRole role, FaultPoint point, FaultAction action) {
        return !DEADLY.contains(action)
                || switch (role) {
                    case HOST -> hasProcesses && point.woven().isEmpty();
                    case WORKER -> !(hasJava && action == FaultAction.SEGV);
                    case DAEMON -> fresh;
                };
    }

    private Fault fault(FaultRole role, FaultPoint point, FaultAction action) {
        var arguments =
                point.kind().parameters(action).stream().map(this::argument).toList();
        var after = random.nextBoolean() ? 0 : (int) logUniform(1, LATEST);
        var times = DEADLY.contains(action) || random.nextBoolean()
                ? 1
                : (int) logUniform(1, action == FaultAction.DELAY ? MOST_DELAYS : MOST_TIMES);
        var latest = IN_DOMAINS.contains(point) ? LATEST_IN_DOMAINS : LATEST;
        if (action == FaultAction.DELAY) {
            times = (int) Math.clamp(LONGEST_TOTAL / arguments.getFirst(), 1, times);
        }
        return new Fault(role, point, action, arguments, Math.min(after, (int) latest), times);
    }

    private long argument(FaultParameter parameter) {
        return switch (parameter) {
            case ERRNO -> ERRORS.get(random.nextInt(ERRORS.size()));
            case BYTES -> random.nextInt(1, 64);
            case DURATION -> logUniform(SHORTEST_DELAY, LONGEST_DELAY);
            case JUMP -> logUniform(SHORTEST_DELAY, LONGEST_JUMP) * (random.nextInt(4) == 0 ? -1 : 1);
            case OFFSET -> random.nextInt(HEADER_BYTES);
            case MASK -> random.nextInt(1, 256);
        };
    }

    private long logUniform(double least, double most) {
        return (long) Math.exp(random.nextDouble(Math.log(least), Math.log(most)));
    }
}
