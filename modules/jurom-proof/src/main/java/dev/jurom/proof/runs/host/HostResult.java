// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.Words;

/**
 * What came of a host's work.
 *
 * @param run the run
 * @param number of the host in its run
 * @param submitted commands
 * @param answered with what is theirs
 * @param failed completed with an error
 * @param duplicated completed once more
 * @param wrong answered with what is not theirs
 * @param refused calls that failed: starts, submissions
 * @param late there were no news for longer than the host's patience
 * @param idle all contexts have become so
 * @param abrupt it left in the middle, as it was told to
 * @param errors what failed how: {@code CALL:STATUS} with + between them, or -
 */
public record HostResult(
        int run,
        int number,
        int submitted,
        int answered,
        int failed,
        int duplicated,
        int wrong,
        int refused,
        boolean late,
        boolean idle,
        boolean abrupt,
        String errors) {

    private static final String NOTHING = "-";

    /** Reads a line {@code result ...}. */
    public static HostResult parse(Words words) {
        return new HostResult(
                words.number("run"),
                words.number("number"),
                words.number("submitted"),
                words.number("answered"),
                words.number("failed"),
                words.number("duplicated"),
                words.number("wrong"),
                words.number("refused"),
                words.number("late") == 1,
                words.number("idle") == 1,
                words.number("abrupt") == 1,
                words.text("errors"));
    }

    /** The line. */
    public String line() {
        return ("result run=%d number=%d submitted=%d answered=%d failed=%d duplicated=%d wrong=%d"
                        + " refused=%d late=%d idle=%d abrupt=%d errors=%s")
                .formatted(
                        run,
                        number,
                        submitted,
                        answered,
                        failed,
                        duplicated,
                        wrong,
                        refused,
                        late ? 1 : 0,
                        idle ? 1 : 0,
                        abrupt ? 1 : 0,
                        errors.isEmpty() ? NOTHING : errors);
    }

    /** Commands that were submitted and did not complete. */
    public int lost() {
        return submitted - answered - failed - wrong;
    }

    /** Whether something failed. */
    public boolean hasErrors() {
        return failed > 0 || refused > 0 || late || !errors.equals(NOTHING);
    }
}
