// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A quantity that must not grow.
 *
 * @param name the name
 * @param unit the unit, which selects the panel of the plot
 * @param limit the maximum growth per minute, which allows for the allocator and the JVM
 * @param of returns the value of a sample
 */
record Quantity(String name, Unit unit, double limit, ToDoubleFunction<Sample> of) {

    /** A unit, which has a panel in the plot. */
    enum Unit {
        MEMORY("MiB"),
        HEAP("KiB"),
        DESCRIPTORS("descriptors"),
        THREADS("threads"),
        ITEMS("number");

        private final String label;

        Unit(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private static final double COUNT = 0.5; // per minute; a leak has several per second
    private static final double MIB = 1 << 20;
    private static final double KIB = 1 << 10;

    static final List<Quantity> ALL = List.of(
            new Quantity("service, memory", Unit.MEMORY, 1, s -> s.service().residentBytes() / MIB),
            new Quantity("host, memory", Unit.MEMORY, 1, s -> s.host().residentBytes() / MIB),
            new Quantity("worker, memory", Unit.MEMORY, 0.05, s -> s.worker().residentBytes() / MIB),
            new Quantity("service, heap in use", Unit.HEAP, 100, s -> s.serviceHeap() / KIB),
            new Quantity("host, heap in use", Unit.HEAP, 100, s -> s.hostHeap() / KIB),
            new Quantity(
                    "service, descriptors",
                    Unit.DESCRIPTORS,
                    COUNT,
                    s -> s.service().descriptors()),
            new Quantity(
                    "host, descriptors", Unit.DESCRIPTORS, COUNT, s -> s.host().descriptors()),
            new Quantity(
                    "worker, descriptors",
                    Unit.DESCRIPTORS,
                    COUNT,
                    s -> s.worker().descriptors()),
            new Quantity(
                    "service, threads", Unit.THREADS, COUNT, s -> s.service().threads()),
            new Quantity("host, threads", Unit.THREADS, COUNT, s -> s.host().threads()),
            new Quantity("worker, threads", Unit.THREADS, COUNT, s -> s.worker().threads()),
            new Quantity("worker processes", Unit.ITEMS, COUNT, Sample::workers),
            new Quantity("files of the service", Unit.ITEMS, COUNT, Sample::files),
            new Quantity("entries of /dev/shm", Unit.ITEMS, COUNT, Sample::shared));

    /** Returns the values of a series of samples. */
    double[] values(List<Sample> samples) {
        return samples.stream().mapToDouble(of).toArray();
    }
}
