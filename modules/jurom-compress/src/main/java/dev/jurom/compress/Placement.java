// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.compress.BlockCosts.Caller;
import dev.jurom.compress.BlockCosts.Expectation;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Decides for each block whether this process or a worker processes it, by the times of earlier ones. Thread-safe. */
final class Placement {

    private static final double MAX_TIME_OF_FUTURE = 100_000; // nanoseconds in the thread of a caller that may not wait

    private final CompressionMode mode;
    private final int workers;
    private final ConcurrentHashMap<Kind, BlockCosts> costs = new ConcurrentHashMap<>();
    private final LongAdder backlog = new LongAdder(); // expected nanoseconds of all workers for blocks in flight

    Placement(CompressionMode mode, int workers) {
        this.mode = mode;
        this.workers = workers;
    }

    /**
     * Blocks of similar costs.
     *
     * @param level the level; all negative ones are alike
     * @param magnitude the binary logarithm of the size
     */
    private record Kind(int type, CompressionFormat format, int level, int magnitude) {

        /** Returns a guess of the nanoseconds for each byte in this process. */
        double perByte() {
            if (type == CompressCommand.DECOMPRESS) {
                return format == CompressionFormat.ZSTD || format == CompressionFormat.LZ4 ? 0.9 : 4;
            }
            return switch (format) {
                case ZSTD -> 3 * Math.pow(1.25, level - 1);
                case LZ4 -> level < 3 ? 2 : 10;
                case GZIP, ZLIB, DEFLATE -> 3 * Math.pow(1.35, level);
            };
        }
    }

    private static BlockCosts create(Kind kind) {
        return new BlockCosts(kind.perByte(), System.nanoTime());
    }

    private static Kind kind(int type, CompressionParameters parameters, long bytes) {
        var level = type == CompressCommand.COMPRESS ? Math.max(0, parameters.level()) : 0;
        return new Kind(type, parameters.format(), level, Long.SIZE - Long.numberOfLeadingZeros(bytes));
    }

    private BlockCosts costs(int type, CompressionParameters parameters, long bytes) {
        return costs.computeIfAbsent(kind(type, parameters, bytes), Placement::create);
    }

    /**
     * Returns whether this process is the place of a block.
     *
     * @param type the type of the command
     * @param parameters the parameters of the block
     * @param bytes the uncompressed size, or the maximum one
     * @param caller the behaviour of the caller meanwhile
     */
    boolean isInProcess(int type, CompressionParameters parameters, long bytes, Caller caller) {
        return switch (mode) {
            case LOCAL -> true;
            case OFFLOAD -> false;
            case SAVE_CPU -> !BlockCosts.savesCpu(kind(type, parameters, bytes).perByte(), bytes);
            case AUTO ->
                type == CompressCommand.DECOMPRESS || completesHere(costs(type, parameters, bytes), bytes, caller);
        };
    }

    private boolean completesHere(BlockCosts costs, long bytes, Caller caller) {
        if (caller.returnsFuture() && costs.inProcess(bytes) >= MAX_TIME_OF_FUTURE) {
            return false;
        }
        return !costs.completesInWorker(bytes, (double) backlog.sum() / workers, caller, System.nanoTime());
    }

    /** Adds the time of a block in this process. */
    void addInProcess(int type, CompressionParameters parameters, long bytes, long nanos) {
        costs(type, parameters, bytes).addInProcess(bytes, nanos, System.nanoTime());
    }

    /** A block in a worker. */
    final class InFlight {

        private final BlockCosts costs;
        private final long bytes;
        private final Expectation expected;
        private final long begin = System.nanoTime();

        private InFlight(BlockCosts costs, long bytes) {
            this.costs = costs;
            this.bytes = bytes;
            this.expected = costs.begin(bytes, (double) backlog.sum() / workers);
            backlog.add((long) expected.service());
        }

        /** Ends the flight of the block. */
        void end(boolean processed) {
            backlog.add(-(long) expected.service());
            var now = System.nanoTime();
            if (processed) {
                costs.addInWorker(bytes, expected, now - begin, now);
            } else {
                costs.addFailureInWorker(bytes, expected, now - begin, now);
            }
        }
    }

    /** Begins the flight of a block. */
    InFlight begin(int type, CompressionParameters parameters, long bytes) {
        return new InFlight(costs(type, parameters, bytes), bytes);
    }
}
