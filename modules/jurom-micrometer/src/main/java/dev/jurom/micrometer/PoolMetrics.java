// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import dev.jurom.PoolWorkerCounters;
import dev.jurom.WorkerPool;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Binds the counters of a {@link WorkerPool} to a registry. Meters with the tag {@code worker}, the position of the worker
 * in the pool from 0, include the workers that it has replaced:
 *
 * <ul>
 * <li>{@code jurom.pool.workers}, a gauge: 1 while the worker runs, else 0</li>
 * <li>{@code jurom.pool.commands.in.flight}, a gauge</li>
 * <li>{@code jurom.pool.starts} and {@code jurom.pool.starts.failed}, counters of starts</li>
 * <li>{@code jurom.pool.exits}, a counter of workers that were replaced because they had exited</li>
 * <li>{@code jurom.pool.busy.replacements}, a counter of busy workers that were replaced</li>
 * </ul>
 *
 * <p>{@code jurom.pool.repetitions} counts the commands of the pool that were repeated on another worker.
 *
 * <p>The registry references the pool; after its close the meters keep their last values. This class is thread-safe.
 */
public final class PoolMetrics implements MeterBinder {

    private final WorkerPool pool;
    private final List<Tag> tags;

    /**
     * Creates a binder.
     *
     * @param pool the source of the counters
     * @param tags tags of each meter, to distinguish it from the meters of another pool
     */
    public PoolMetrics(WorkerPool pool, List<Tag> tags) {
        this.pool = Objects.requireNonNull(pool);
        this.tags = List.copyOf(tags);
    }

    /**
     * Registers the meters.
     *
     * @param registry the registry of the meters
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        for (var worker = 0; worker < pool.counters().size(); worker++) {
            gauge(registry, worker, "workers", "Workers that run", counters -> counters.isRunning() ? 1 : 0);
            gauge(registry, worker, "commands.in.flight", "Commands without an answer", PoolWorkerCounters::inFlight);
            counter(registry, worker, "starts", "Workers that were started", PoolWorkerCounters::starts);
            counter(registry, worker, "starts.failed", "Starts that failed", PoolWorkerCounters::failedStarts);
            counter(registry, worker, "exits", "Exited workers that were replaced", PoolWorkerCounters::exits);
            counter(
                    registry,
                    worker,
                    "busy.replacements",
                    "Busy workers that were replaced",
                    PoolWorkerCounters::busyReplacements);
        }
        // Meters refer to their object weakly, and to their function, which keeps this, strongly.
        FunctionCounter.builder("jurom.pool.repetitions", this, it -> pool.repetitions())
                .description("Commands that were repeated on another worker")
                .tags(tags)
                .register(registry);
    }

    private void gauge(
            MeterRegistry registry, int worker, String name, String text, ToDoubleFunction<PoolWorkerCounters> value) {
        Gauge.builder("jurom.pool." + name, this, it -> value(worker, value))
                .description(text)
                .tags(tagsOf(worker))
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, int worker, String name, String text, ToDoubleFunction<PoolWorkerCounters> value) {
        FunctionCounter.builder("jurom.pool." + name, this, it -> value(worker, value))
                .description(text)
                .tags(tagsOf(worker))
                .register(registry);
    }

    private double value(int worker, ToDoubleFunction<PoolWorkerCounters> value) {
        return value.applyAsDouble(pool.counters().get(worker));
    }

    private Tags tagsOf(int worker) {
        return Tags.of(tags).and("worker", Integer.toString(worker));
    }
}
