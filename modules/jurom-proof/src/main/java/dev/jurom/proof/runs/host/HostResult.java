// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.KeyValueLine;

/**
 * The result of a host in a run.
 *
 * @param run the number of the run
 * @param number the number of the host in the run
 * @param submitted the number of submitted commands
 * @param answered the number of commands with the expected answer
 * @param failed the number of commands that completed with an error
 * @param duplicated the number of commands that completed more than once
 * @param wrong the number of commands with a wrong answer
 * @param late whether the host timed out
 * @param idle whether all contexts became idle
 * @param abrupt whether the host left abruptly, as planned
 * @param errors the number of errors, each of which is printed on a separate line
 */
public record HostResult(
        int run,
        int number,
        int submitted,
        int answered,
        int failed,
        int duplicated,
        int wrong,
        boolean late,
        boolean idle,
        boolean abrupt,
        int errors) {

    /** Parses a line {@code result ...}. */
    public static HostResult parse(KeyValueLine words) {
        return new HostResult(
                words.number("run"),
                words.number("number"),
                words.number("submitted"),
                words.number("answered"),
                words.number("failed"),
                words.number("duplicated"),
                words.number("wrong"),
                words.number("late") == 1,
                words.number("idle") == 1,
                words.number("abrupt") == 1,
                words.number("errors"));
    }

    /** Formats the line. */
    public String line() {
        return ("result run=%d number=%d submitted=%d answered=%d failed=%d duplicated=%d wrong=%d late=%d idle=%d"
                        + " abrupt=%d errors=%d")
                .formatted(
                        run,
                        number,
                        submitted,
                        answered,
                        failed,
                        duplicated,
                        wrong,
                        late ? 1 : 0,
                        idle ? 1 : 0,
                        abrupt ? 1 : 0,
                        errors);
    }

    /** Returns the number of commands that did not complete. */
    public int lost() {
        return submitted - answered - failed - wrong;
    }
}
