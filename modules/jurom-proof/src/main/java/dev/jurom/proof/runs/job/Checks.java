// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.Blow;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What must hold after a run, whatever happened in it. */
final class Checks {

    private static final int SIGNAL = 0x7f; // in a wait status
    private static final int KILLED = 9;
    private static final int CRASHED = 11;
    private static final Pattern CRASH =
            Pattern.compile("Sanitizer|runtime error:|SIGSEGV|SIGABRT|[Aa]ssertion|core dumped|Exception in thread"
                    + "|stack smashing|corrupted|double free|OutOfMemoryError");

    /** A host that is gone has taken its tickets with it, when a worker looks at one. */
    private static final Pattern LEFT_ABRUPTLY =
            Pattern.compile("A connection was rejected: A host presented no valid ticket");

    private static final Pattern START = Pattern.compile("(^|\\+)start:");
    private static final Pattern STATE_AT_START = Pattern.compile("(^|\\+)start:BAD_STATE");

    private final RunPlan plan;
    private final Observation seen;
    private final List<String> violations = new ArrayList<>();

    private Checks(RunPlan plan, Observation seen) {
        this.plan = plan;
        this.seen = seen;
    }

    /** What does not hold: a sentence each. */
    static List<String> of(RunPlan plan, Observation seen) {
        if (!seen.broken.isEmpty()) {
            return List.copyOf(seen.broken); // the run has not gone on
        }
        var checks = new Checks(plan, seen);
        plan.hosts().forEach(checks::check);
        checks.checkConnections();
        checks.checkProcesses();
        checks.checkLeftOvers();
        checks.checkLogs();
        checks.violations.addAll(seen.afterwards);
        return checks.violations;
    }

    private void check(HostPlan host) {
        var status = seen.ended.get(host.number());
        if (status == null) {
            violated(host, "did not end");
            return;
        }
        var killed = isKilled(host);
        if (status != 0
                && !(killed && (status & SIGNAL) == KILLED)
                && !(hasCrashed(host) && (status & SIGNAL) == CRASHED)) {
            violated(host, "ended with wait status " + status);
        }
        var result = seen.results.get(host.number());
        if (result != null) {
            check(host, result);
        } else if (!killed && !hasCrashed(host)) {
            violated(host, "said nothing of its commands");
        }
    }

    private void check(HostPlan host, HostResult result) {
        if (result.lost() != 0 && !result.abrupt()) {
            violated(host, result.lost() + " of " + result.submitted() + " commands did not complete");
        }
        if (result.duplicated() > 0) {
            violated(host, result.duplicated() + " commands completed twice");
        }
        if (result.wrong() > 0
                && seen.events.stream().map(FaultEvent::action).noneMatch(FaultEffects::mayChangeAnswers)) {
            violated(host, result.wrong() + " answers are not those of their commands");
        }
        if (!result.idle()) {
            violated(host, "a context did not become idle");
        }
        if (hasNotStarted(result) && hasOnlyTheKeptWorkerDied()) {
            violated(
                    host,
                    "a start failed though a worker died once, which it could have had" + " another for: "
                            + result.line());
        }
        if (STATE_AT_START.matcher(result.errors()).find() && !mayServiceEnd()) {
            violated(host, "a start failed with an error that is not of workers: " + result.line());
        }
        if (hasCause(host) || result.abrupt()) {
            return;
        }
        if (result.hasErrors()) {
            violated(host, "errors without a cause: " + result.line());
        } else if (result.answered() != host.commands()) {
            violated(host, result.answered() + " of " + host.commands() + " commands were given");
        }
    }

    private boolean mayServiceEnd() {
        return blows().anyMatch(blow -> blow.victim() == Victim.DAEMON)
                || seen.events.stream()
                        .anyMatch(event -> event.role() != FaultRole.WORKER && FaultEffects.mayFail(event.action()));
    }

    private static boolean hasNotStarted(HostResult result) {
        return START.matcher(result.errors()).find();
    }

    /** It was there before all starts of the run: whoever was given it may ask for another. */
    private boolean hasOnlyTheKeptWorkerDied() {
        var fatal = seen.events.stream()
                .filter(event -> FaultEffects.mayFail(event.action()))
                .toList();
        var killing =
                seen.applied.stream().filter(applied -> applied.blow().kills()).toList();
        return seen.kept != 0
                && fatal.size() + killing.size() == 1
                && fatal.stream()
                        .allMatch(event -> event.process() == seen.kept && FaultEffects.isDeadly(event.action()))
                && killing.stream().allMatch(applied -> applied.process() == seen.kept);
    }

    private void checkConnections() {
        seen.tickets.stream()
                .filter(words -> words.number("yes") == 1)
                .forEach(words -> violations.add("host " + words.number("number") + " was let in twice by one ticket"));
        seen.cuts.stream()
                .filter(words -> words.number("yes") == 0)
                .forEach(words -> violations.add("host " + words.number("number") + " had cut its connection off, and"
                        + " its worker has kept it"));
    }

    private void violated(HostPlan host, String what) {
        violations.add("host " + host.number() + " (" + host.kind() + "): " + what);
    }

    private boolean isKilled(HostPlan host) {
        return host.kind() == HostKind.C
                && (hits(FaultAction.KILL, host)
                        || blows().anyMatch(blow ->
                                blow.kills() && blow.victim() == Victim.HOST && blow.place() == host.number()));
    }

    private boolean hasCrashed(HostPlan host) {
        return hits(FaultAction.SEGV, host);
    }

    private boolean hits(FaultAction action, HostPlan host) {
        return seen.events.stream()
                .anyMatch(event ->
                        event.action() == action && event.process() == seen.processes.getOrDefault(host.number(), -1L));
    }

    private Stream<Blow> blows() {
        return seen.applied.stream().map(Applied::blow);
    }

    /**
     * Whether something happened that may reach this host: what others of a worker do, or suffer,
     * does not, and who is slow, or stands still for a moment, is waited for. Members of a domain
     * come to run, and have all messages, together or not at all.
     */
    private boolean hasCause(HostPlan host) {
        return hasOwnCause(host)
                || plan.members().contains(host) && plan.members().stream().anyMatch(this::hasOwnCause);
    }

    private boolean hasOwnCause(HostPlan host) {
        return isKilled(host)
                || blows().anyMatch(blow -> blow.kills() && blow.victim() != Victim.HOST)
                || seen.events.stream()
                        .filter(event -> FaultEffects.mayFail(event.action()))
                        .anyMatch(event -> reaches(event, host));
    }

    private boolean reaches(FaultEvent event, HostPlan host) {
        if (event.role() != FaultRole.HOST) {
            return true;
        }
        return host.kind() == HostKind.C
                ? event.process() == seen.processes.getOrDefault(host.number(), -1L)
                : !seen.processes.containsValue((long) event.process());
    }

    private void checkProcesses() {
        if (seen.overdue) {
            violations.add("the run did not end in time");
        }
        var daemonKilled = blows().anyMatch(blow -> blow.kills() && blow.victim() == Victim.DAEMON)
                || seen.events.stream()
                        .anyMatch(event -> event.role() == FaultRole.DAEMON && event.action() == FaultAction.KILL);
        for (var name : seen.gone) {
            if (!(name.equals("service") && daemonKilled)) {
                violations.add("the process " + name + " has ended");
            }
        }
    }

    /** What the service could not delete stays until its directory goes. */
    private void checkLeftOvers() {
        var excused = seen.events.stream().anyMatch(FaultEffects::mayLeaveFiles);
        seen.leftOver.stream()
                .filter(what -> !(excused && what.startsWith(LeftOvers.FILES)))
                .forEach(what -> violations.add("left over: " + what));
    }

    private void checkLogs() {
        var quiet = !seen.struck
                && blows().noneMatch(Blow::kills)
                && seen.events.stream().map(FaultEvent::action).noneMatch(FaultEffects::mayFail);
        var abrupt = plan.hosts().stream().map(HostPlan::ending).anyMatch(Ending.ABRUPT::equals);
        for (var line : seen.log) {
            var explained = !quiet
                    || (abrupt || !seen.tickets.isEmpty())
                            && LEFT_ABRUPTLY.matcher(line).find();
            if (!explained || CRASH.matcher(line).find()) {
                violations.add("logged: " + line);
            }
        }
    }
}
