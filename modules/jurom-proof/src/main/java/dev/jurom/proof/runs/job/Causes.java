// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostError;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.RunPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the fault that caused an error. A fault explains an error only if the host is connected to the
 * affected process, the fault can cause an error of this kind, and the error occurs before the deadline for
 * the fault.
 */
final class Causes {

    private static final long EARLY_NANOS = 1_000_000; // an error may be recorded shortly before its fault
    private static final long DOMAIN_NANOS = 1_000_000_000; // until all members have left a domain
    private static final long STOP_NANOS = 60_000_000; // a stopped process is resumed by then
    private static final String START = "start";

    /** Errors of a host that has lost its service, which recur until the host ends. */
    private static final Set<String> LOST_SERVICE =
            Set.of("BAD_STATE", "CONNECTION_RESET", "CONNECTION_ABORTED", "INITIALIZATION", "SHUTDOWN");

    private static final Set<String> CALLS_OF_SERVICE = Set.of(START, "service", "worker", "call", "close");

    /** Calls that fail if a worker dies before serving a host. */
    private static final Set<String> STARTS = Set.of(START, "domain_worker", "call", "late");

    private final RunPlan plan;
    private final Observation observed;
    private final List<FaultEvent> failing;
    private final long delays; // the sum of all delays of the run, in nanoseconds
    private final Set<Integer> lostServices = new HashSet<>(); // numbers of hosts

    Causes(RunPlan plan, Observation observed) {
        this.plan = plan;
        this.observed = observed;
        var all = Stream.concat(observed.applied.stream().map(SentSignal::event), observed.events.stream())
                .sorted(Comparator.comparing(FaultEvent::nanoseconds))
                .toList();
        failing = all.stream()
                .filter(event -> FaultEffects.mayFail(event.action()))
                .toList();
        delays = all.stream().mapToLong(Causes::delay).sum();
    }

    private static long delay(FaultEvent event) {
        return switch (event.action()) {
            case DELAY -> event.argument();
            case STOP -> STOP_NANOS;
            default -> 0;
        };
    }

    /** Returns the errors of a host that no fault explains, and adds those with a cause to {@code explained}. */
    List<HostError> unexplained(HostPlan host, List<HostError> errors, List<ExplainedError> explained) {
        var left = new ArrayList<HostError>();
        for (var error : errors) {
            var cause = find(host, error);
            cause.ifPresent(event -> {
                explained.add(new ExplainedError(
                        event.action() + " of a " + event.role(),
                        Math.max(0, error.nanoseconds() - event.nanoseconds())));
                if (event.role() != FaultRole.WORKER) {
                    lostServices.add(host.number());
                }
            });
            if (cause.isEmpty() && !isOfLostService(host, error)) {
                left.add(error);
            }
        }
        return left;
    }

    private boolean isOfLostService(HostPlan host, HostError error) {
        return lostServices.contains(host.number())
                && CALLS_OF_SERVICE.contains(error.call())
                && LOST_SERVICE.contains(error.status());
    }

    /** Returns the last fault that explains an error. */
    private Optional<FaultEvent> find(HostPlan host, HostError error) {
        return failing.reversed().stream()
                .filter(event -> FaultEffects.mayCause(event.action(), error.call()))
                .filter(event -> isInTime(event, host, error))
                .filter(event ->
                        affects(event, host, error) || isOfDomain(host, error) && affectsOtherMember(event, host))
                .findFirst();
    }

    private boolean isInTime(FaultEvent event, HostPlan host, HostError error) {
        var further = isOfDomain(host, error)
                ? MachineLoad.scaleByWaiting(Duration.ofNanos(DOMAIN_NANOS)).toNanos()
                : 0;
        var deadline = FaultEffects.deadline(event, error.call(), host.timeout());
        return event.nanoseconds() - EARLY_NANOS <= error.nanoseconds()
                && deadline.map(time -> error.nanoseconds() - event.nanoseconds()
                                <= MachineLoad.scaleByWaiting(time).toNanos() + delays + further)
                        .orElse(true);
    }

    private boolean affects(FaultEvent event, HostPlan host, HostError error) {
        return switch (event.role()) {
            case HOST -> isProcessOf(event, host);
            case WORKER -> affectsByWorker(event, host, error);
            case DAEMON -> true;
        };
    }

    private boolean isProcessOf(FaultEvent event, HostPlan host) {
        return host.kind().isProcess()
                ? event.process() == observed.processes.getOrDefault(host.number(), -1L)
                : event.process() == observed.javaHosts;
    }

    /**
     * Returns whether an event of a worker affects a call. The death of the resident worker does not explain
     * a failed start, since the start can launch another worker.
     */
    private boolean affectsByWorker(FaultEvent event, HostPlan host, HostError error) {
        var worker = observed.workerIds.get((long) event.process());
        if (worker == null) { // the worker has not received its id
            return STARTS.contains(error.call());
        }
        if (error.call().equals(START)
                && event.process() == observed.residentWorker
                && FaultEffects.isDeadly(event.action())) {
            return false;
        }
        return error.worker() == 0 ? uses(host, worker) : error.worker() == worker;
    }

    private static boolean uses(HostPlan host, long worker) {
        return host.workers().stream().anyMatch(plan -> plan.id() == worker)
                || host.domain().filter(member -> member.worker() == worker).isPresent();
    }

    private static boolean isOfDomain(HostPlan host, HostError error) {
        return host.domain()
                .filter(member -> error.worker() == 0 || error.worker() == member.worker())
                .isPresent();
    }

    /**
     * Returns whether an event affects another member of the domain, and therefore this one: all members
     * start and exchange messages together.
     */
    private boolean affectsOtherMember(FaultEvent event, HostPlan host) {
        return plan.members().stream()
                .filter(other -> other.number() != host.number())
                .anyMatch(other -> switch (event.role()) {
                    case HOST -> isProcessOf(event, other);
                    case WORKER -> {
                        var worker = observed.workerIds.get((long) event.process());
                        yield worker == null || uses(other, worker);
                    }
                    case DAEMON -> true;
                });
    }
}
