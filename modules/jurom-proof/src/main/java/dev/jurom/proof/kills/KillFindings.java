// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The results of a campaign: durations by event, counts and violations. */
final class KillFindings {

    private static final int SHOWN = 5;

    private final String campaign;
    private final Map<String, Durations> times = new LinkedHashMap<>();
    private final Map<String, AtomicInteger> counts = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    KillFindings(String campaign) {
        this.campaign = campaign;
    }

    synchronized void took(String what, long nanos) {
        times.computeIfAbsent(what, _ -> new Durations()).add(nanos);
    }

    synchronized void count(String what) {
        count(what, 1);
    }

    synchronized void count(String what, long more) {
        counts.computeIfAbsent(what, _ -> new AtomicInteger()).addAndGet((int) more);
    }

    synchronized void violation(String sentence) {
        violations.add(sentence);
    }

    /** Records a duration and checks that it is within a limit, not counting time spent waiting for a core. */
    void within(String what, long nanos, long stalled, long limit, String where) {
        took(what, nanos);
        if (nanos <= limit) {
            return;
        }
        if (nanos - stalled <= limit) {
            count("over " + Durations.millis(limit) + " ms while waiting for a core");
            return;
        }
        violation(what + " took " + Durations.millis(nanos) + " ms, of which " + Durations.millis(stalled)
                + " ms waiting for a core: " + where);
    }

    synchronized boolean hasViolations() {
        return !violations.isEmpty();
    }

    /** Returns the report, line by line. */
    synchronized List<String> lines() {
        var lines = new ArrayList<String>();
        var head = new ArrayList<String>();
        counts.forEach((what, count) -> head.add(count + " " + what));
        head.add(violations.size() + " violations");
        lines.add(campaign + ": " + String.join(", ", head));
        times.forEach((what, all) -> lines.add("    " + what + " (" + all.count() + "): " + all));
        violations.stream().limit(SHOWN).forEach(sentence -> lines.add("    VIOLATION " + sentence));
        if (violations.size() > SHOWN) {
            lines.add("    and " + (violations.size() - SHOWN) + " more");
        }
        return lines;
    }
}
