// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * What commands allocate on the Java heap, where the Epsilon collector frees nothing: what is in
 * use is all that was ever allocated.
 */
final class AllocationCount {

    /** What the JVM allocates meanwhile for itself, a class that it loads late, is not in all. */
    private static final int TIMES = 5;

    private AllocationCount() {}

    /** Runs {@code count} commands several times, and prints the fewest bytes that they took. */
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
