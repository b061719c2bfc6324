// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.util.function.IntConsumer;

/**
 * A measurement of one process; the Java counterpart of {@code src/jmh/c/measure.h}. It is created, used and
 * closed by one thread, which is the measured one. Neither this process nor a peer runs between rounds.
 */
public interface Measurement extends AutoCloseable {

    /** The content of messages. Pages that contain only zeros may not be allocated. */
    byte FILLING = 0x5a;

    /**
     * Announces the number of operations of a round to a peer.
     *
     * @param warmUp the number of warm-up operations
     * @param count the number of measured operations
     */
    default void begin(int warmUp, int count) {}

    /**
     * Changes a parameter of later rounds. One JVM can measure a complete curve in this way, which saves warm-up time.
     *
     * @param parameter {@code size} in bytes, or {@code depth}, the number of operations in flight
     * @param value from 1 to the value on the command line
     * @throws IllegalArgumentException if this measurement does not support the parameter
     */
    default void change(String parameter, int value) {
        throw new IllegalArgumentException("this measurement does not support changing " + parameter);
    }

    /**
     * Executes operations.
     *
     * @param samples receives the time of each operation in nanoseconds; unchanged if the operations are timed
     *     together, such as overlapping ones
     * @param count the number of operations
     * @return the total time in nanoseconds
     */
    long run(long[] samples, int count);

    @Override
    void close();

    /**
     * Measures each operation individually, with one clock reading per operation.
     *
     * @param operation the operation
     * @param samples receives the time of each operation in nanoseconds
     * @param count the number of operations
     * @return the total time in nanoseconds
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
     * Measures the total time of overlapping operations.
     *
     * @param stream executes the given number of operations
     * @param count the number of operations
     * @return the total time in nanoseconds
     */
    static long stream(IntConsumer stream, int count) {
        var start = System.nanoTime();
        stream.accept(count);
        return System.nanoTime() - start;
    }
}
