// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.Cores;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The times in which a thread that only reads the clock is not executed, on each of the two cores of a measurement: the
 * machine's part of the delays of commands, which need both cores.
 */
final class Stalls {

    private static final Duration TIME = Duration.ofSeconds(10);
    private static final long SHORTEST = 100_000; // nanoseconds

    private Stalls() {}

    /** The stalls of a core. */
    private static final class OfCore extends Thread {

        private final int core;
        private long all; // nanoseconds, like the longest
        private long longest;
        private int count;

        OfCore(int core) {
            this.core = core;
        }

        @Override
        public void run() {
            Cores.pin(core);
            var last = System.nanoTime();
            for (var end = last + TIME.toNanos(); last - end < 0; ) {
                var now = System.nanoTime();
                if (now - last > SHORTEST) {
                    count++;
                    all += now - last;
                    longest = Math.max(longest, now - last);
                }
                last = now;
            }
        }

        String text() {
            return "core " + core + ": " + count + " stalls, " + Figures.number(100.0 * all / TIME.toNanos())
                    + " % of the time, the longest " + Figures.time(longest);
        }
    }

    /** Measures on cores 0 and 1 at the same time, for ten seconds, and returns a sentence with the results. */
    static String measure() throws InterruptedException {
        var cores = IntStream.range(0, 2).mapToObj(OfCore::new).toList();
        cores.forEach(Thread::start);
        for (var core : cores) {
            core.join();
        }
        return "Stalls above 100 µs of threads that only read the clock, " + TIME.toSeconds() + " s: "
                + cores.stream().map(OfCore::text).collect(Collectors.joining("; ")) + ".";
    }
}
