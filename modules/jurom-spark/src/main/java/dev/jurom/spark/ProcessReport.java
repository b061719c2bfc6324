// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import java.io.Serializable;
import java.lang.System.Logger.Level;
import java.util.Locale;

/**
 * The work of all codecs of a process. Executors send it to the driver, because Spark may end them by a signal, which
 * ends their logs first.
 *
 * @param process the name of the process
 * @param fallbacks whether the process had to process blocks of workers
 * @param counts the counters as text
 */
record ProcessReport(String process, boolean fallbacks, String counts) implements Serializable {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.spark");
    private static final double MIB = 1 << 20;

    /** Returns the report of this process. */
    static ProcessReport of(String process) {
        var counters = SharedCompressions.counters();
        var bytes = counters.offloadedBytes() + counters.localBytes();
        var counts = String.format(
                Locale.ROOT,
                "%d blocks, %.1f MiB, %.1f %% of the bytes in workers; blocks in the process because they cost less"
                        + " there: %d, because no worker could process them: %d; failed blocks: %d",
                counters.offloadedBlocks() + counters.localBlocks(),
                bytes / MIB,
                100.0 * counters.offloadedBytes() / Math.max(1, bytes),
                counters.placedBlocks(),
                counters.fallbacks(),
                counters.failures());
        return new ProcessReport(process, counters.fallbacks() > 0, counts);
    }

    /** Logs the report, as a warning if there are fallbacks. Prints it if this process is exiting, as its loggers are. */
    void log() {
        if (isExiting()) {
            print();
        } else {
            LOGGER.log(fallbacks ? Level.WARNING : Level.INFO, toString());
        }
    }

    private void print() {
        System.err.println("jurom: " + this);
    }

    /** Prints the report when this process exits, if there are fallbacks then. */
    static void printAtExit() {
        if (!isExiting()) {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .inheritInheritableThreadLocals(false)
                            .name("jurom-spark")
                            .unstarted(ProcessReport::printFallbacks));
        }
    }

    private static void printFallbacks() {
        var report = of("this process");
        if (report.fallbacks) {
            report.print();
        }
    }

    private static boolean isExiting() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Override
    public String toString() {
        return "compression in " + process + ": " + counts
                + (fallbacks ? ". Workers or their service failed or were missing: see the log of the process" : "");
    }
}
