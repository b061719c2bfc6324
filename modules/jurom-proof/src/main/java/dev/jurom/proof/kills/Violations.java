// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What a campaign has seen: times by what they are of, counts, and what must not be. */
final class Violations {

    private static final int SHOWN = 5;

    private final String campaign;
    private final Map<String, Times> times = new LinkedHashMap<>();
    private final Map<String, AtomicInteger> counts = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    Violations(String campaign) {
        this.campaign = campaign;
    }

    synchronized void took(String what, long nanos) {
        times.computeIfAbsent(what, _ -> new Times()).add(nanos);
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

    /** A time, and the longest that it may be without what went by waiting for a core. */
    void within(String what, long nanos, long heldUp, long limit, String where) {
        took(what, nanos);
        if (nanos <= limit) {
            return;
        }
        if (nanos - heldUp <= limit) {
            count("over " + Times.millis(limit) + " ms while waiting for a core");
            return;
        }
        violation(what + " took " + Times.millis(nanos) + " ms, of which " + Times.millis(heldUp)
                + " ms went by waiting for a core: " + where);
    }

    synchronized boolean areBad() {
        return !violations.isEmpty();
    }

    /** A paragraph for people. */
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
