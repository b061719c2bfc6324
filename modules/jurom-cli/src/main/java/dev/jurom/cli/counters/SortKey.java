// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The sort orders of {@code urom top} and the keys that select them. The largest value is first.
 */
enum SortKey {
    COMMANDS('r', WorkerRow::commandsPerSecond),
    CPU('c', WorkerRow::cpuPercent),
    MEMORY('m', WorkerRow::memoryBytes),
    IN_FLIGHT('f', WorkerRow::inFlight),
    WAITING('w', WorkerRow::waiting),
    REFUSED('x', WorkerRow::refused),
    ERRORS('e', WorkerRow::errors),
    P50('5', row -> row.p50Nanos().orElse(0L)),
    P99('9', row -> row.p99Nanos().orElse(0L)),
    /** The only order in which the smallest value is first. */
    WORKER('n', row -> 0);

    private final char key;
    private final ToDoubleFunction<WorkerRow> value;

    SortKey(char key, ToDoubleFunction<WorkerRow> value) {
        this.key = key;
        this.value = value;
    }

    char key() {
        return key;
    }

    static Optional<SortKey> of(int key) {
        return Stream.of(values()).filter(sort -> sort.key == key).findFirst();
    }

    /** Returns the order of rows; equal rows are ordered by worker id. */
    Comparator<WorkerRow> order() {
        return Comparator.comparingDouble(value)
                .reversed()
                .thenComparing(row -> Long.parseUnsignedLong(row.worker()), Long::compareUnsigned);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
