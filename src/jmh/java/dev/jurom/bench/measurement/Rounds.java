// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Executes rounds with the protocol of the measurements in C: prints "ready" on standard output, then for
 * each line {@code round N} on standard input one line
 *
 * <pre>
 *     p50=&lt;ns> p99=&lt;ns> rate=&lt;operations per second> allocated=&lt;bytes per operation>
 * </pre>
 *
 * <p>Operations that are timed together, such as overlapping ones, have no percentiles. The last value, the
 * allocation of all threads of this process, exists in Java only. A line {@code size N} or {@code depth N} changes
 * later rounds and is answered by "ready". The process exits at the end of its input.
 */
public final class Rounds {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long NO_SAMPLE = -1;

    private Rounds() {}

    /**
     * Executes rounds until the end of standard input.
     *
     * @param measurement the measurement
     * @throws IOException if standard input cannot be read
     */
    public static void serve(Measurement measurement) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(line.startsWith("round ") ? round(measurement, count(line)) : change(measurement, line));
        }
    }

    /** Parses {@code size N} or {@code depth N}. */
    private static String change(Measurement measurement, String line) {
        if (!line.matches("(size|depth) [1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(
                    "invalid line on standard input: expected \"round N\", \"size N\" or \"depth N\", got \"" + line
                            + "\"");
        }
        var words = line.split(" ");
        measurement.change(words[0], Integer.parseInt(words[1]));
        return "ready";
    }

    /** Parses {@code round N}. */
    static int count(String line) {
        if (line.matches("round [1-9][0-9]{0,7}")) {
            return Integer.parseInt(line.substring("round ".length()));
        }
        throw new IllegalArgumentException(
                "invalid line on standard input: expected \"round N\" with N from 1 to 99999999, got \"" + line + "\"");
    }

    private static String round(Measurement measurement, int count) {
        var warmUp = count / 10 + 1;
        var samples = new long[count + warmUp];
        measurement.begin(warmUp, count);
        measurement.run(samples, warmUp);
        samples[0] = NO_SAMPLE;
        var allocatedBefore = THREADS.getTotalThreadAllocatedBytes();
        var elapsed = measurement.run(samples, count);
        var allocated = THREADS.getTotalThreadAllocatedBytes() - allocatedBefore;
        return percentiles(samples, count)
                + String.format(
                        Locale.ROOT, "rate=%.0f allocated=%.2f", count * 1e9 / elapsed, (double) allocated / count);
    }

    private static String percentiles(long[] samples, int count) {
        if (samples[0] == NO_SAMPLE) {
            return "";
        }
        Arrays.sort(samples, 0, count);
        return "p50=" + samples[count / 2] + " p99=" + samples[count - 1 - count / 100] + " ";
    }
}
