// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import dev.jurom.Urom;
import dev.jurom.urom.HostCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Binds the counters of a host ({@link Urom#counters}) to a registry:
 *
 * <ul>
 * <li>{@code jurom.commands.submitted}, {@code .completed}, {@code .failed}, {@code .held.back} and
 *     {@code .refused}, counters of commands</li>
 * <li>{@code jurom.commands.in.flight}, a gauge</li>
 * <li>{@code jurom.workers} and {@code jurom.workers.lost}, a gauge and a counter</li>
 * <li>{@code jurom.round.trip}, gauges of time with the tag {@code phi} (0.5, 0.99, and 1 for the
 *     longest): from a command's submission to its completion, of one in 128, since the start</li>
 * </ul>
 *
 * <p>{@link CommandTimer} times the calls of one type of command.
 *
 * <p>The registry references the Urom; after its close the meters keep their last values. Counters
 * are read at most once in 100 ms for all meters. This class is thread-safe.
 *
 * {@snippet :
 * new UromMetrics(urom, List.of(Tag.of("service", "first"))).bindTo(registry);
 * }
 */
public final class UromMetrics implements MeterBinder {

    private static final long NANOS_A_READ = Duration.ofMillis(100).toNanos();

    private final Supplier<HostCounters> source;
    private final List<Tag> tags;
    private HostCounters last; // this field and the next are guarded by this
    private long read;

    /**
     * Creates a binder without additional tags.
     *
     * @param urom the source of the counters
     */
    public UromMetrics(Urom urom) {
        this(urom, List.of());
    }

    /**
     * Creates a binder.
     *
     * @param urom the source of the counters
     * @param tags tags of each meter, to distinguish it from the meters of another Urom
     */
    public UromMetrics(Urom urom, List<Tag> tags) {
        this.source = Objects.requireNonNull(urom)::counters;
        this.tags = List.copyOf(tags);
    }

    /**
     * Registers the meters.
     *
     * @param registry the registry of the meters
     * @throws dev.jurom.core.DocaException with {@code NOT_SUPPORTED} on the vendor's library,
     *         which does not count
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        counters(); // throws if the library does not count
        // Meters refer to their object weakly, and to their function, which keeps this, strongly.
        counter(registry, "submitted", "that were submitted", HostCounters::submitted);
        counter(registry, "completed", "that have completed, including failed ones", HostCounters::completed);
        counter(registry, "failed", "that have completed with an error", HostCounters::failed);
        counter(registry, "held.back", "that waited for room on their way to the worker", HostCounters::heldBack);
        counter(registry, "refused", "that could not be submitted, or had no task", HostCounters::refused);
        Gauge.builder("jurom.commands.in.flight", this, it -> counters().inFlight())
                .description("Commands that have not completed")
                .tags(tags)
                .register(registry);
        Gauge.builder("jurom.workers", this, it -> counters().workers())
                .description("Workers that are connected")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("jurom.workers.lost", this, it -> counters().workersLost())
                .description("Workers that were lost")
                .tags(tags)
                .register(registry);
        time(registry, "0.5", HostCounters::p50);
        time(registry, "0.99", HostCounters::p99);
        time(registry, "1", HostCounters::longest);
    }

    private void counter(MeterRegistry registry, String name, String text, ToDoubleFunction<HostCounters> value) {
        FunctionCounter.builder("jurom.commands." + name, this, it -> value.applyAsDouble(counters()))
                .description("Commands " + text)
                .tags(tags)
                .register(registry);
    }

    private void time(MeterRegistry registry, String phi, Function<HostCounters, Duration> value) {
        TimeGauge.builder(
                        "jurom.round.trip",
                        this,
                        TimeUnit.NANOSECONDS,
                        it -> value.apply(counters()).toNanos())
                .description("From submission to completion, of commands that were timed")
                .tags(tags)
                .tag("phi", phi)
                .register(registry);
    }

    private synchronized HostCounters counters() {
        var now = System.nanoTime();
        if (last == null || now - read >= NANOS_A_READ) {
            last = source.get();
            read = now;
        }
        return last;
    }
}
