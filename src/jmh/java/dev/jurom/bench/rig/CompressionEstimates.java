// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.model.CompressionFigures;
import dev.jurom.cli.model.CompressionModel;
import java.util.List;
import java.util.Locale;

/** Estimates for some assumed DPUs, as {@code urom model compression} prints them. */
final class CompressionEstimates {

    private static final double MIB = 1 << 20;
    private static final double MICRO = 1e-6;
    private static final List<Integer> KIBIBYTES = List.of(64, 256, 1024);
    private static final List<Integer> LEVELS = List.of(1, 3, 9);
    private static final double[] CORE_SPEEDS = {1, 0.4};
    private static final double LINK_LATENCY = 3e-6;
    private static final double LINK_BANDWIDTH = 25e9;

    private CompressionEstimates() {}

    /** Returns a table for DPUs with fast and slow cores on the same link. */
    static String table(CompressionFigures figures) {
        var table = new Table(
                "core speed",
                "block",
                "level",
                "one worker",
                "workers for the throughput in process",
                "latency",
                "application's CPU saved");
        for (var coreSpeed : CORE_SPEEDS) {
            for (var kibibytes : KIBIBYTES) {
                for (var level : LEVELS) {
                    row(table, figures, coreSpeed, kibibytes, level);
                }
            }
        }
        return String.format(
                        Locale.ROOT,
                        "Estimates for a link with a latency of %.0f µs and a bandwidth of %.0f GB/s:%n%n",
                        LINK_LATENCY / MICRO,
                        LINK_BANDWIDTH / 1e9)
                + table;
    }

    private static void row(Table table, CompressionFigures figures, double coreSpeed, int kibibytes, int level) {
        var model = new CompressionModel(
                kibibytes * 1024.0,
                figures.inProcess(kibibytes * 1024.0, level),
                figures.hostTime(),
                figures.workerTime(),
                figures.latency(),
                coreSpeed,
                LINK_LATENCY,
                LINK_BANDWIDTH);
        table.row(
                text("%.1f", coreSpeed),
                kibibytes + " KiB",
                Integer.toString(level),
                text(
                        "%.0f MiB/s (%.2f)",
                        model.throughput() / MIB,
                        model.throughput() / model.inProcess().bytesPerSecond()),
                model.workers().isPresent() ? "" + model.workers().getAsInt() : "not reached",
                text("%.0f µs (%.2f)", model.latency() / MICRO, model.latency() / model.timeInProcess()),
                text("%.0f %%", 100 * model.saved()));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
