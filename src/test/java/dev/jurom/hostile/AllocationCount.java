// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Measures the allocation of commands on the Java heap. With the Epsilon collector, which never frees memory,
 * the heap usage is the total allocation.
 */
final class AllocationCount {

    /**
     * The number of repetitions; not all of them contain allocations of the JVM, such as for late class
     * loading.
     */
    private static final int TIMES = 5;

    private AllocationCount() {}

    /** Executes {@code count} commands several times and prints the minimum allocation. */
    static void print(int count, IntConsumer commands) {
        var fewest = IntStream.range(0, TIMES)
                .mapToLong(_ -> bytes(count, commands))
                .min()
                .getAsLong();
        System.out.println(fewest + " bytes for " + count + " commands");
    }

    private static long bytes(int count, IntConsumer commands) {
        var before = used();
        commands.accept(count);
        return used() - before;
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
