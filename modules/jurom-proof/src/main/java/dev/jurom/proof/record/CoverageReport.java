// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A text report of the coverage by folder and in total, and of the unreached lines. */
final class CoverageReport {

    private static final String C = "src/main/c/";
    private static final List<String> NOT_SHIPPED = List.of(C + "faults/", "modules/jurom-proof/");

    /** The coverage goals. */
    enum Goal {
        PROVEN("C libraries, worker and daemon", 90),
        REST("the rest", 85);

        final String text;
        final int percent;

        Goal(String text, int percent) {
            this.text = text;
            this.percent = percent;
        }

        static Goal of(String file) {
            return file.startsWith(C) && !file.startsWith(C + "plugins/")
                            || file.startsWith("modules/jurom-service/src/main/java/dev/jurom/service/")
                    ? PROVEN
                    : REST;
        }
    }

    private final SourceLines lines;

    CoverageReport(SourceLines lines) {
        this.lines = lines;
        lines.files().keySet().removeIf(file -> NOT_SHIPPED.stream().anyMatch(file::startsWith));
    }

    /** Returns the tables of the coverage by folder and in total. */
    List<String> summary() {
        var table = Table.of("folder", "lines", "reached", "percent");
        var folders = new TreeSet<String>();
        lines.files().keySet().forEach(file -> folders.add(folder(file)));
        folders.forEach(folder -> add(table, folder, file -> folder(file).equals(folder)));
        var text = new ArrayList<>(table.lines());
        text.add("");
        var totals = Table.of("in_all", "lines", "reached", "percent", "goal");
        for (var goal : Goal.values()) {
            var share = lines.share(file -> Goal.of(file) == goal);
            totals.row(
                    goal.text,
                    share.lines(),
                    share.reached(),
                    percent(share),
                    goal.percent + (isReached(goal) ? ", reached" : ", MISSED"));
        }
        text.addAll(totals.lines());
        return text;
    }

    private void add(Table table, String name, Predicate<String> condition) {
        var share = lines.share(condition);
        table.row(name, share.lines(), share.reached(), percent(share));
    }

    private static String percent(SourceLines.Share share) {
        return String.format(Locale.ROOT, "%5.1f", share.percent());
    }

    /** Returns whether such files exist and the goal is reached. */
    boolean isReached(Goal goal) {
        var share = lines.share(file -> Goal.of(file) == goal);
        return share.lines() > 0 && share.percent() >= goal.percent;
    }

    /** Returns the folder of a file. */
    private static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/'));
    }

    /** Returns the unreached lines by file, most first, as "file (count): 12, 15-17". */
    List<String> unreached() {
        return lines.files().entrySet().stream()
                .filter(file -> missed(file.getValue()) > 0)
                .sorted(Comparator.comparing(
                                (Map.Entry<String, NavigableMap<Integer, Boolean>> file) -> -missed(file.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .map(file -> file.getKey() + " (" + missed(file.getValue()) + "): " + ranges(file.getValue()))
                .toList();
    }

    private static long missed(NavigableMap<Integer, Boolean> file) {
        return file.values().stream().filter(reached -> !reached).count();
    }

    /** Returns ranges of consecutive executable lines. */
    static String ranges(NavigableMap<Integer, Boolean> file) {
        var ranges = new ArrayList<String>();
        var first = 0;
        var last = 0;
        for (var line : file.entrySet()) {
            if (!line.getValue()) {
                first = first == 0 ? line.getKey() : first;
                last = line.getKey();
            } else if (first > 0) {
                ranges.add(range(first, last));
                first = 0;
            }
        }
        if (first > 0) {
            ranges.add(range(first, last));
        }
        return String.join(", ", ranges);
    }

    private static String range(int first, int last) {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }
}
