// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import dev.jurom.runtime.LogLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Limits the lines that peers cause: in each period, those of one cause and source, and those of one cause. Counts the
 * others for a line at the end of the period. This class is thread-safe, and its memory is bounded.
 */
final class LineLimiter {

    /** A line about those of one cause that were not written in a period; its level is the highest of theirs. */
    record Summary(PeerCause cause, LogLevel level, String text) {}

    /** Maximum number of sources that are counted separately, and of those that a summary names. */
    private static final int SOURCES = 1000;

    private static final int NAMED = 5;
    private static final String OTHERS = "other sources";

    /** The lines of one cause in this period. */
    private static final class Lines {

        final Map<String, Integer> bySource = new HashMap<>();
        final Map<String, Integer> dropped = new HashMap<>();
        int written;
        LogLevel level = LogLevel.TRACE; // the highest level of a dropped line
    }

    private final Map<PeerCause, Lines> causes = new EnumMap<>(PeerCause.class);

    /** Creates a limiter at the beginning of its first period. */
    LineLimiter() {
        begin();
    }

    /** Begins a period. Creates all objects now, because a process without descriptors loads no classes later. */
    private void begin() {
        for (var cause : PeerCause.values()) {
            causes.put(cause, new Lines());
        }
    }

    /** Returns whether a line may be written; otherwise counts it. */
    synchronized boolean admits(PeerCause cause, String source, LogLevel level) {
        var lines = Objects.requireNonNull(causes.get(cause));
        var counted = lines.bySource.size() < SOURCES || lines.bySource.containsKey(source) ? source : OTHERS;
        if (lines.bySource.merge(counted, 1, Integer::sum) <= cause.ofSource() && lines.written < cause.ofAll()) {
            lines.written++;
            return true;
        }
        lines.dropped.merge(counted, 1, Integer::sum);
        lines.level = level.code() < lines.level.code() ? level : lines.level;
        return false;
    }

    /** Ends the period, and returns the lines about it. */
    synchronized List<Summary> next() {
        var summaries = new ArrayList<Summary>();
        causes.forEach((cause, lines) -> {
            if (!lines.dropped.isEmpty()) {
                summaries.add(
                        new Summary(cause, lines.level, cause.phrase() + " within a minute: " + text(lines.dropped)));
            }
        });
        begin();
        return summaries;
    }

    private static String text(Map<String, Integer> dropped) {
        var most = dropped.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .toList();
        var named = most.subList(0, Math.min(NAMED, most.size()));
        var rest = most.subList(named.size(), most.size());
        var parts = new ArrayList<String>();
        named.forEach(entry -> parts.add(entry.getValue() + " more from " + entry.getKey()));
        if (!rest.isEmpty()) {
            parts.add(rest.stream().mapToInt(Map.Entry::getValue).sum() + " more from " + rest.size() + " others");
        }
        return String.join(", ", parts);
    }
}
