// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The executable lines of source files and whether they were reached. Not thread-safe. */
final class SourceLines {

    /** The numbers of executable and of reached lines. */
    record Share(long lines, long reached) {

        double percent() {
            return lines == 0 ? 100 : 100.0 * reached / lines;
        }
    }

    private final Map<String, NavigableMap<Integer, Boolean>> files = new TreeMap<>();

    /** Adds a line of a file, relative to the root of the repository. A line reached once stays reached. */
    void add(String file, int line, boolean reached) {
        files.computeIfAbsent(file, name -> new TreeMap<>()).merge(line, reached, Boolean::logicalOr);
    }

    /** Returns the lines of each file and whether they were reached. */
    Map<String, NavigableMap<Integer, Boolean>> files() {
        return files;
    }

    /** Returns the numbers of lines in the files whose names match a condition. */
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
