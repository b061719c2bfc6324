// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.util.function.IntConsumer;

/**
 * What one process measures: the twin in Java of {@code src/jmh/c/measure.h}. Made, used and closed
 * by one thread, which is the one that is measured. Between rounds nothing runs, neither here nor
 * in a peer.
 */
public interface Measurement extends AutoCloseable {

    /** What messages consist of, where it does not matter: pages of zeros may be no memory. */
    byte FILLING = 0x5a;

    /**
     * Announces the operations of one round to a peer that counts them.
     *
     * @param warmUp how many come first and do not count
     * @param count how many come then
     */
    default void begin(int warmUp, int count) {}

    /**
     * Changes what the operations of later rounds are like. A JVM takes long to warm up: one that
     * can change serves a whole curve.
     *
     * @param what {@code size} in bytes, or {@code depth}: operations under way at a time
     * @param value from 1 to what the command line gave
     * @throws IllegalArgumentException if this cannot be changed in this measurement
     */
    default void change(String what, int value) {
        throw new IllegalArgumentException("The " + what + " of this measurement does not change");
    }

    /**
     * Carries out operations.
     *
     * @param samples is given how many nanoseconds each took
     * @param count how many
     * @return how many nanoseconds all took
     */
    long run(long[] samples, int count);

    @Override
    void close();

    /**
     * A run that times each operation by itself, with one look at the clock an operation.
     *
     * @param operation what to do
     * @param samples is given how many nanoseconds each took
     * @param count how often
     * @return how many nanoseconds all took
     */
    static long each(Runnable operation, long[] samples, int count) {
        var start = System.nanoTime();
        var last = start;
        for (var i = 0; i < count; i++) {
            operation.run();
            var now = System.nanoTime();
            samples[i] = now - last;
            last = now;
        }
        return last - start;
    }

    /**
     * A run whose operations overlap: each takes its share of the whole time.
     *
     * @param stream carries out so many
     * @param samples is given how many nanoseconds each took
     * @param count how often
     * @return how many nanoseconds all took
     */
    static long stream(IntConsumer stream, long[] samples, int count) {
        var start = System.nanoTime();
        stream.accept(count);
        var elapsed = System.nanoTime() - start;
        java.util.Arrays.fill(samples, 0, count, elapsed / count);
        return elapsed;
    }
}
