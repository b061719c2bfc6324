// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What must hold after a run, whatever happened in it. */
final class Checks {

    private static final int KILLED = 9; // a wait status
    private static final Pattern CRASH = Pattern.compile(
            "Sanitizer|runtime error:|SIGSEGV|SIGABRT|[Aa]ssertion|core dumped|Exception in thread"
            + "|stack smashing|corrupted|double free|OutOfMemoryError");

    private final RunPlan plan;
    private final Observation seen;
    private final List<String> violations = new ArrayList<>();

    private Checks(RunPlan plan, Observation seen) {
        this.plan = plan;
        this.seen = seen;
    }

    /** What does not hold: a sentence each. */
    static List<String> of(RunPlan plan, Observation seen) {
        var checks = new Checks(plan, seen);
        plan.hosts().forEach(checks::check);
        checks.checkProcesses();
        seen.leftOver.forEach(what -> checks.violations.add("left over: " + what));
        checks.checkLogs();
        return checks.violations;
    }

    private void check(HostPlan host) {
        var status = seen.ended.get(host.number());
        if (status == null) {
            violated(host, "did not end");
            return;
        }
        var killed = isKilled(host);
        if (status != 0 && !(killed && status == KILLED)) {
            violated(host, "ended with wait status " + status);
        }
        var result = seen.results.get(host.number());
        if (result != null) {
            check(host, result);
        } else if (!killed) {
            violated(host, "said nothing of its commands");
        }
    }

    private void check(HostPlan host, HostResult result) {
        if (result.lost() != 0 && !result.abrupt()) {
            violated(host, result.lost() + " of " + result.submitted()
                    + " commands did not complete");
        }
        if (result.duplicated() > 0) {
            violated(host, result.duplicated() + " commands completed twice");
        }
        if (result.wrong() > 0) {
            violated(host, result.wrong() + " answers are not those of their commands");
        }
        if (!result.idle()) {
            violated(host, "a context did not become idle");
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

    private void violated(HostPlan host, String what) {
        violations.add("host " + host.number() + " (" + host.kind() + "): " + what);
    }

    private boolean isKilled(HostPlan host) {
        return host.kind() == HostKind.C && seen.applied.stream().map(Applied::blow)
                .anyMatch(blow -> blow.kills() && blow.victim() == Victim.HOST
                        && blow.place() == host.number());
    }

    /**
     * Whether something happened that may reach this host: what others of a worker do, or suffer,
     * does not, and who stands still for a moment is waited for.
     */
    private boolean hasCause(HostPlan host) {
        return isKilled(host) || seen.applied.stream().map(Applied::blow)
                .anyMatch(blow -> blow.kills() && blow.victim() != Victim.HOST);
    }

    private void checkProcesses() {
        if (seen.overdue) {
            violations.add("the run did not end in time");
        }
        var daemonKilled = seen.applied.stream().map(Applied::blow)
                .anyMatch(blow -> blow.kills() && blow.victim() == Victim.DAEMON);
        for (var name : seen.gone) {
            if (!(name.equals("service") && daemonKilled)) {
                violations.add("the process " + name + " has ended");
            }
        }
    }

    private void checkLogs() {
        var quiet = seen.applied.stream().noneMatch(applied -> applied.blow().kills());
        for (var line : seen.log) {
            if (quiet || CRASH.matcher(line).find()) {
                violations.add("logged: " + line);
            }
        }
    }
}
