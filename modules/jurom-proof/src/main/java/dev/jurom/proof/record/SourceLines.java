// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Which lines of which files there are to run, and which of them something has run. Of one thread. */
final class SourceLines {

    /** How many lines there are to run, and how many of them were. */
    record Share(long lines, long reached) {

        double percent() {
            return lines == 0 ? 100 : 100.0 * reached / lines;
        }
    }

    private final Map<String, NavigableMap<Integer, Boolean>> files = new TreeMap<>();

    /** A line of a file, named from the repository's root; what was reached once stays so. */
    void add(String file, int line, boolean reached) {
        files.computeIfAbsent(file, name -> new TreeMap<>()).merge(line, reached, Boolean::logicalOr);
    }

    /** The lines of each file, with whether they were reached. */
    Map<String, NavigableMap<Integer, Boolean>> files() {
        return files;
    }

    /** Of those files whose names a condition holds for. */
    Share share(Predicate<String> condition) {
        var lines = 0L;
        var reached = 0L;
        for (var file : files.entrySet()) {
            if (condition.test(file.getKey())) {
                lines += file.getValue().size();
                reached += file.getValue().values().stream().filter(it -> it).count();
            }
        }
        return new Share(lines, reached);
    }
}
