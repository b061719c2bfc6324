// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A run with a violation.
 *
 * @param run the number of the run, from 1
 * @param command the command that repeats the run
 * @param violation the first violation
 */
record FailedRun(int run, String command, String violation) {

    private static final Pattern COMMAND = Pattern.compile("scripts/urom faults .*--run (\\d+).*");

    /**
     * Returns the first failed run in the output of {@code scripts/urom faults} that is not ignored, and
     * reads no further.
     */
    static Optional<FailedRun> firstOf(BufferedReader output, Set<Integer> ignored) throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            var match = COMMAND.matcher(line.strip());
            if (match.matches() && !ignored.contains(Integer.valueOf(match.group(1)))) {
                var violation = output.readLine();
                return Optional.of(new FailedRun(
                        Integer.parseInt(match.group(1)), line.strip(), violation == null ? "" : violation.strip()));
            }
        }
        return Optional.empty();
    }
}
