// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import dev.jurom.compress.CompressionCounters;
import java.util.function.ToLongFunction;

/** The counters of this process as metrics of Spark. */
final class ProcessMetrics {

    private ProcessMetrics() {}

    /** Registers the metrics. docs/spark.md describes them. */
    static void register(MetricRegistry registry) {
        register(registry, "workerBlocks", CompressionCounters::offloadedBlocks);
        register(registry, "workerBytes", CompressionCounters::offloadedBytes);
        register(registry, "workerNanos", CompressionCounters::offloadedNanos);
        register(registry, "processBlocks", CompressionCounters::localBlocks);
        register(registry, "processBytes", CompressionCounters::localBytes);
        register(registry, "processNanos", CompressionCounters::localNanos);
        register(registry, "placedBlocks", CompressionCounters::placedBlocks);
        register(registry, "fallbacks", CompressionCounters::fallbacks);
        register(registry, "failures", CompressionCounters::failures);
        register(registry, "blocksInFlight", CompressionCounters::blocksInFlight);
        register(registry, "workers", CompressionCounters::workers);
        registry.register("withoutWorkers", (Gauge<Integer>) () -> SharedCompressions.isWithoutWorkers() ? 1 : 0);
    }

    private static void register(MetricRegistry registry, String name, ToLongFunction<CompressionCounters> value) {
        registry.register(name, (Gauge<Long>) () -> value.applyAsLong(SharedCompressions.counters()));
    }
}
