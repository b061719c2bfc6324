// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A run in which something did not hold.
 *
 * @param run which one, from 1
 * @param command repeats it
 * @param violation the first thing that did not hold
 */
record FoundRun(int run, String command, String violation) {

    private static final Pattern COMMAND = Pattern.compile("scripts/urom faults .*--run (\\d+).*");

    /** The first in what {@code scripts/urom faults} prints, but for some; no more is read. */
    static Optional<FoundRun> firstOf(BufferedReader output, Set<Integer> ignored) throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            var match = COMMAND.matcher(line.strip());
            if (match.matches() && !ignored.contains(Integer.valueOf(match.group(1)))) {
                var violation = output.readLine();
                return Optional.of(new FoundRun(
                        Integer.parseInt(match.group(1)), line.strip(), violation == null ? "" : violation.strip()));
            }
        }
        return Optional.empty();
    }
}
