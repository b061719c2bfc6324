// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.PlannedSignal;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.SignalTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checks after a run. They must pass regardless of the faults. */
final class Checks {

    private static final int SIGNAL = 0x7f; // in a wait status
    private static final int KILLED = 9;
    private static final int CRASHED = 11;
    private static final Pattern CRASH =
            Pattern.compile("Sanitizer|runtime error:|SIGSEGV|SIGABRT|[Aa]ssertion|core dumped|Exception in thread"
                    + "|stack smashing|corrupted|double free|OutOfMemoryError");

    /** Logged when a worker checks the ticket of a host that has exited. */
    private static final Pattern LEFT_ABRUPTLY =
            Pattern.compile("A connection was rejected: A host presented no valid ticket");

    /**
     * Logged by UCX if a file is removed twice: by another worker, which removes files of killed processes,
     * and by its owner, which has already unmapped it.
     */
    private static final Pattern REMOVED_BY_OTHER =
            Pattern.compile("shm_unlink\\(/ucx_shm_posix_[0-9a-f]+\\) failed: No such file");

    private final RunPlan plan;
    private final Observation observed;
    private final Causes causes;
    private final List<ExplainedError> explained = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private Checks(RunPlan plan, Observation observed) {
        this.plan = plan;
        this.observed = observed;
        causes = new Causes(plan, observed);
    }

    /** Checks a run. */
    static Checks of(RunPlan plan, Observation observed) {
        var checks = new Checks(plan, observed);
        if (observed.broken.isEmpty()) {
            checks.run();
        } else {
            checks.violations.addAll(observed.broken); // the run was aborted
        }
        return checks;
    }

    /** Returns the violations. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** Returns the errors that are caused by faults. */
    List<ExplainedError> explained() {
        return List.copyOf(explained);
    }

    private void run() {
        plan.hosts().forEach(this::check);
        checkConnections();
        checkProcesses();
        checkLeftOvers();
        checkLogs();
        violations.addAll(observed.afterwards);
    }

    private void check(HostPlan host) {
        var status = observed.ended.get(host.number());
        if (status == null) {
            addViolation(host, "did not exit");
            return;
        }
        var killed = isKilled(host);
        if (status != 0
                && !(killed && (status & SIGNAL) == KILLED)
                && !(hasCrashed(host) && (status & SIGNAL) == CRASHED)) {
            addViolation(host, "exited with wait status " + status);
        }
        var result = observed.results.get(host.number());
        if (result != null) {
            check(host, result);
        } else if (!killed && !hasCrashed(host)) {
            addViolation(host, "did not report a result");
        }
    }

    private void check(HostPlan host, HostResult result) {
        if (result.lost() != 0 && !result.abrupt()) {
            addViolation(host, result.lost() + " of " + result.submitted() + " commands did not complete");
        }
        if (result.duplicated() > 0) {
            addViolation(host, result.duplicated() + " commands completed twice");
        }
        if (!result.idle()) {
            addViolation(host, "a context did not become idle");
        }
        var errors = observed.errors.getOrDefault(host.number(), List.of());
        if (errors.size() != result.errors()) {
            addViolation(host, "reported " + errors.size() + " of " + result.errors() + " errors");
        }
        causes.unexplained(host, errors, explained).forEach(error -> addViolation(host, "no fault explains " + error));
        if (errors.isEmpty() && !result.abrupt() && result.answered() != host.commands()) {
            addViolation(host, result.answered() + " of " + host.commands() + " commands were answered");
        }
    }

    private void checkConnections() {
        observed.tickets.stream()
                .filter(words -> words.number("yes") == 1)
                .forEach(words ->
                        violations.add("host " + words.number("number") + " was accepted twice with one ticket"));
        observed.closedConnections.stream()
                .filter(words -> words.number("yes") == 0)
                .forEach(words -> violations.add(
                        "host " + words.number("number") + " closed its connection, but the worker kept it open"));
    }

    private void addViolation(HostPlan host, String text) {
        violations.add("host " + host.number() + " (" + host.kind() + "): " + text);
    }

    private boolean isKilled(HostPlan host) {
        return host.kind().isProcess()
                && (hits(FaultAction.KILL, host)
                        || signals()
                                .anyMatch(signal -> signal.kills()
                                        && signal.target() == SignalTarget.HOST
                                        && signal.index() == host.number()));
    }

    private boolean hasCrashed(HostPlan host) {
        return hits(FaultAction.SEGV, host);
    }

    private boolean hits(FaultAction action, HostPlan host) {
        return observed.events.stream()
                .anyMatch(event -> event.action() == action
                        && event.process() == observed.processes.getOrDefault(host.number(), -1L));
    }

    private Stream<PlannedSignal> signals() {
        return observed.applied.stream().map(SentSignal::signal);
    }

    private void checkProcesses() {
        if (observed.overdue) {
            violations.add("the run timed out");
        }
        var daemonKilled = signals().anyMatch(signal -> signal.kills() && signal.target() == SignalTarget.DAEMON)
                || observed.events.stream()
                        .anyMatch(event -> event.role() == FaultRole.DAEMON && event.action() == FaultAction.KILL);
        for (var name : observed.exited) {
            if (!(name.equals("service") && daemonKilled)) {
                violations.add("the process " + name + " exited");
            }
        }
    }

    /** Files that the service failed to delete remain until its directory is deleted. */
    private void checkLeftOvers() {
        var mayLeaveFiles = observed.events.stream().anyMatch(FaultEffects::mayLeaveFiles);
        observed.leftOver.stream()
                .filter(leftover -> !(mayLeaveFiles && leftover.startsWith(Leftovers.FILES)))
                .forEach(leftover -> violations.add("left over: " + leftover));
    }

    private void checkLogs() {
        var quiet = signals().noneMatch(PlannedSignal::kills)
                && observed.events.stream().map(FaultEvent::action).noneMatch(FaultEffects::mayFail);
        var abrupt = plan.hosts().stream().map(HostPlan::ending).anyMatch(Ending.ABRUPT::equals);
        for (var line : observed.log) {
            var explained = !quiet
                    || REMOVED_BY_OTHER.matcher(line).find()
                    || (abrupt || !observed.tickets.isEmpty())
                            && LEFT_ABRUPTLY.matcher(line).find();
            if (!explained || CRASH.matcher(line).find()) {
                violations.add("logged: " + line);
            }
        }
    }
}
