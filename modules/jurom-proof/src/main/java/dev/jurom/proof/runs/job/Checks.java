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

/** The checks after a run, which must pass under all faults. */
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
     * Logged by UCX if another worker, which removes files of killed processes, finds one that its owner has unmapped and
     * is about to remove.
     */
    private static final Pattern REMOVED_BY_OTHER =
            Pattern.compile("shm_unlink\\(/ucx_shm_posix_[0-9a-f]+\\) failed: No such file");

    private final RunPlan plan;
    private final Observation seen;
    private final Causes causes;
    private final List<ExplainedError> explained = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private Checks(RunPlan plan, Observation seen) {
        this.plan = plan;
        this.seen = seen;
        causes = new Causes(plan, seen);
    }

    /** Checks a run. */
    static Checks of(RunPlan plan, Observation seen) {
        var checks = new Checks(plan, seen);
        if (seen.broken.isEmpty()) {
            checks.run();
        } else {
            checks.violations.addAll(seen.broken); // the run was aborted
        }
        return checks;
    }

    /** Returns the violations. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /** Returns the errors that faults explain. */
    List<ExplainedError> explained() {
        return List.copyOf(explained);
    }

    private void run() {
        plan.hosts().forEach(this::check);
        checkConnections();
        checkProcesses();
        checkLeftOvers();
        checkLogs();
        violations.addAll(seen.afterwards);
    }

    private void check(HostPlan host) {
        var status = seen.ended.get(host.number());
        if (status == null) {
            violated(host, "did not exit");
            return;
        }
        var killed = isKilled(host);
        if (status != 0
                && !(killed && (status & SIGNAL) == KILLED)
                && !(hasCrashed(host) && (status & SIGNAL) == CRASHED)) {
            violated(host, "exited with wait status " + status);
        }
        var result = seen.results.get(host.number());
        if (result != null) {
            check(host, result);
        } else if (!killed && !hasCrashed(host)) {
            violated(host, "did not report a result");
        }
    }

    private void check(HostPlan host, HostResult result) {
        if (result.lost() != 0 && !result.abrupt()) {
            violated(host, result.lost() + " of " + result.submitted() + " commands did not complete");
        }
        if (result.duplicated() > 0) {
            violated(host, result.duplicated() + " commands completed twice");
        }
        if (!result.idle()) {
            violated(host, "a context did not become idle");
        }
        var errors = seen.errors.getOrDefault(host.number(), List.of());
        if (errors.size() != result.errors()) {
            violated(host, "reported " + errors.size() + " of " + result.errors() + " errors");
        }
        causes.unexplained(host, errors, explained).forEach(error -> violated(host, "no fault explains " + error));
        if (errors.isEmpty() && !result.abrupt() && result.answered() != host.commands()) {
            violated(host, result.answered() + " of " + host.commands() + " commands were answered");
        }
    }

    private void checkConnections() {
        seen.tickets.stream()
                .filter(words -> words.number("yes") == 1)
                .forEach(words ->
                        violations.add("host " + words.number("number") + " was accepted twice with one ticket"));
        seen.cuts.stream()
                .filter(words -> words.number("yes") == 0)
                .forEach(words -> violations.add(
                        "host " + words.number("number") + " closed its connection, but the worker kept it open"));
    }

    private void violated(HostPlan host, String what) {
        violations.add("host " + host.number() + " (" + host.kind() + "): " + what);
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
        return seen.events.stream()
                .anyMatch(event ->
                        event.action() == action && event.process() == seen.processes.getOrDefault(host.number(), -1L));
    }

    private Stream<PlannedSignal> signals() {
        return seen.applied.stream().map(SentSignal::signal);
    }

    private void checkProcesses() {
        if (seen.overdue) {
            violations.add("the run timed out");
        }
        var daemonKilled = signals().anyMatch(signal -> signal.kills() && signal.target() == SignalTarget.DAEMON)
                || seen.events.stream()
                        .anyMatch(event -> event.role() == FaultRole.DAEMON && event.action() == FaultAction.KILL);
        for (var name : seen.exited) {
            if (!(name.equals("service") && daemonKilled)) {
                violations.add("the process " + name + " exited");
            }
        }
    }

    /** Files that the service failed to delete remain until its directory is deleted. */
    private void checkLeftOvers() {
        var mayLeaveFiles = seen.events.stream().anyMatch(FaultEffects::mayLeaveFiles);
        seen.leftOver.stream()
                .filter(what -> !(mayLeaveFiles && what.startsWith(Leftovers.FILES)))
                .forEach(what -> violations.add("left over: " + what));
    }

    private void checkLogs() {
        var quiet = signals().noneMatch(PlannedSignal::kills)
                && seen.events.stream().map(FaultEvent::action).noneMatch(FaultEffects::mayFail);
        var abrupt = plan.hosts().stream().map(HostPlan::ending).anyMatch(Ending.ABRUPT::equals);
        for (var line : seen.log) {
            var explained = !quiet
                    || REMOVED_BY_OTHER.matcher(line).find()
                    || (abrupt || !seen.tickets.isEmpty())
                            && LEFT_ABRUPTLY.matcher(line).find();
            if (!explained || CRASH.matcher(line).find()) {
                violations.add("logged: " + line);
            }
        }
    }
}
