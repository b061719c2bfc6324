// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Binds the counters of a {@link Compression} to a registry. It needs the artifact {@code jurom-compress}.
 *
 * <ul>
 * <li>{@code jurom.compression.blocks} and {@code jurom.compression.bytes}, counters of blocks and uncompressed
 *     bytes, with the tag {@code processed.by} ({@code worker} or {@code process})</li>
 * <li>{@code jurom.compression.time}, a timer of these blocks with the same tag: from submission to answer in a worker,
 *     or on the thread of the caller</li>
 * <li>{@code jurom.compression.placed}, a counter of blocks that this process processed because they cost less there</li>
 * <li>{@code jurom.compression.fallbacks}, a counter of blocks that this process processed because no worker could</li>
 * <li>{@code jurom.compression.failures}, a counter of blocks that failed</li>
 * <li>{@code jurom.compression.in.flight}, a gauge of blocks that workers have not answered</li>
 * <li>{@code jurom.compression.workers}, a gauge of running workers</li>
 * </ul>
 *
 * <p>The registry references the compression; after its close the meters keep their last values. This class is
 * thread-safe.
 */
public final class CompressionMetrics implements MeterBinder {

    private final Compression compression;
    private final List<Tag> tags;

    /**
     * Creates a binder.
     *
     * @param compression the source of the counters
     * @param tags tags of each meter, to distinguish it from the meters of another compression
     */
    public CompressionMetrics(Compression compression, List<Tag> tags) {
        this.compression = Objects.requireNonNull(compression);
        this.tags = List.copyOf(tags);
    }

    /**
     * Registers the meters.
     *
     * @param registry the registry of the meters
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        var worker = Tags.of(tags).and("processed.by", "worker");
        var process = Tags.of(tags).and("processed.by", "process");
        counter(registry, "blocks", worker, CompressionCounters::offloadedBlocks);
        counter(registry, "blocks", process, CompressionCounters::localBlocks);
        counter(registry, "bytes", worker, CompressionCounters::offloadedBytes);
        counter(registry, "bytes", process, CompressionCounters::localBytes);
        timer(registry, worker, CompressionCounters::offloadedBlocks, CompressionCounters::offloadedNanos);
        timer(registry, process, CompressionCounters::localBlocks, CompressionCounters::localNanos);
        counter(registry, "placed", tags, CompressionCounters::placedBlocks);
        counter(registry, "fallbacks", tags, CompressionCounters::fallbacks);
        counter(registry, "failures", tags, CompressionCounters::failures);
        gauge(registry, "in.flight", CompressionCounters::blocksInFlight);
        gauge(registry, "workers", CompressionCounters::workers);
    }

    // Meters refer to their object weakly, and to their function, which keeps this, strongly.

    private void gauge(MeterRegistry registry, String name, ToDoubleFunction<CompressionCounters> value) {
        Gauge.builder("jurom.compression." + name, this, it -> value.applyAsDouble(compression.counters()))
                .description("Current value of a compression: " + name)
                .tags(tags)
                .register(registry);
    }

    private void timer(
            MeterRegistry registry,
            Iterable<Tag> all,
            ToLongFunction<CompressionCounters> blocks,
            ToDoubleFunction<CompressionCounters> nanos) {
        FunctionTimer.builder(
                        "jurom.compression.time",
                        this,
                        it -> blocks.applyAsLong(compression.counters()),
                        it -> nanos.applyAsDouble(compression.counters()),
                        TimeUnit.NANOSECONDS)
                .description("Time of the blocks of a compression")
                .tags(all)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, Iterable<Tag> all, ToDoubleFunction<CompressionCounters> value) {
        FunctionCounter.builder("jurom.compression." + name, this, it -> value.applyAsDouble(compression.counters()))
                .baseUnit(name.equals(BaseUnits.BYTES) ? name : null)
                .description("Counter of a compression: " + name)
                .tags(all)
                .register(registry);
    }
}
