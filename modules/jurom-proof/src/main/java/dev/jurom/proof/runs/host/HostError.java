// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.KeyValueLine;

/**
 * An error of a host in a run. Equal errors within a millisecond are combined.
 *
 * @param number the number of the host in the run
 * @param worker the id of the worker, or 0 if the error belongs to no worker
 * @param call the call that failed: {@code start}, {@code submit}, {@code task}, {@code late}, ...
 * @param status the name of the DOCA error without its prefix, or of the Java exception
 * @param nanoseconds the time of the first of the combined errors (CLOCK_MONOTONIC)
 * @param count the number of combined errors
 */
public record HostError(int number, long worker, String call, String status, long nanoseconds, int count) {

    private static final String PREFIX = "DOCA_ERROR_"; // of names in C

    /** Parses a line {@code error ...}. */
    public static HostError parse(KeyValueLine words) {
        var status = words.text("status");
        return new HostError(
                words.number("number"),
                Long.parseUnsignedLong(words.text("worker")),
                words.text("call"),
                status.startsWith(PREFIX) ? status.substring(PREFIX.length()) : status,
                Long.parseLong(words.text("at")),
                words.number("count"));
    }

    /** Formats the line. */
    public String line(int run) {
        return "error run=%d number=%d worker=%s call=%s status=%s at=%d count=%d"
                .formatted(run, number, Long.toUnsignedString(worker), call, status, nanoseconds, count);
    }

    @Override
    public String toString() {
        return call + ":" + status + (worker == 0 ? "" : " of worker " + Long.toUnsignedString(worker))
                + (count == 1 ? "" : ", " + count + " times");
    }
}
