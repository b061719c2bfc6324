// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/**
 * The times of blocks of one kind, in this process and in a worker, as moving averages of measured times. They start
 * from the figures of the documentation, and decide where the next block is completed first. All times are in nanoseconds,
 * and the clock is that of the caller. Thread-safe.
 */
final class BlockCosts {

    /** A path that was not measured for this time gets a block that is a probe. */
    static final long PROBE_INTERVAL = 1_000_000_000;

    private static final double MIN_GAIN = 0.15;
    private static final double ROUND_TRIP = 68_000; // CPU time of this process for a block in a worker,
    private static final double ROUND_TRIP_PER_BYTE = 0.75; // and for each of its bytes
    private static final double WAKE_UP = 120_000; // added to a block by a worker that is idle
    private static final double COPIES_PER_BYTE = 0.4; // added by each worker

    private final Average process; // for each byte
    private final Average service; // of a worker for each byte
    private final Average wakeUp;
    private boolean prefersWorker;
    private int inFlight; // blocks in workers

    /** Starts from this time for each byte in this process. */
    BlockCosts(double perByte, long now) {
        process = new Average(perByte, now);
        service = new Average(perByte + COPIES_PER_BYTE, now);
        wakeUp = new Average(WAKE_UP, now);
    }

    /**
     * The behaviour of the caller while a block is processed.
     *
     * @param blocks the number of its blocks that may be in flight, with this one; 1 if it waits for this block
     * @param nanos the time that it takes to make the next block
     * @param returnsFuture whether it must not take long itself, and waits for no block
     */
    record Caller(int blocks, long nanos, boolean returnsFuture) {

        /** Holds a future. */
        static final Caller FUTURE = new Caller(1, 0, true);

        /** Waits for the block. */
        static final Caller WAITING = new Caller(1, 0, false);

        /** A stream, which makes further blocks while this one is in flight. */
        static Caller stream(int blocks, long nanos) {
            return new Caller(blocks, nanos, false);
        }
    }

    /** A moving average, of which the first value is a guess. A single sample increases it by a limited factor. */
    private static final class Average {

        private static final double FIRST_WEIGHT = 0.5;
        private static final double WEIGHT = 0.125;
        private static final double MAX_GROWTH = 4;

        double value;
        private long measured;
        private long probed;
        private double weight = FIRST_WEIGHT;

        Average(double guess, long now) {
            value = guess;
            measured = now - PROBE_INTERVAL;
            probed = measured;
        }

        void add(double sample, long now) {
            if (now - measured >= PROBE_INTERVAL) {
                weight = FIRST_WEIGHT;
            }
            value += weight * (Math.min(sample, MAX_GROWTH * value) - value);
            weight = Math.max(WEIGHT, weight / (1 + weight)); // 1/2, 1/3, 1/4 ...
            measured = now;
        }

        /** Returns whether a probe is due, which the caller then begins. */
        boolean takesProbe(long now) {
            var isDue = now - measured >= PROBE_INTERVAL && now - probed >= PROBE_INTERVAL;
            if (isDue) {
                probed = now;
            }
            return isDue;
        }
    }

    /**
     * A block in a worker.
     *
     * @param service the expected time of the worker for the block
     * @param latency the expected time until its answer
     * @param queued whether earlier blocks were in flight
     */
    record Expectation(double service, double latency, boolean queued) {}

    /** Begins a block in a worker that needs some time for earlier blocks. */
    synchronized Expectation begin(long bytes, double backlog) {
        ++inFlight;
        return expect(bytes, backlog);
    }

    private Expectation expect(long bytes, double backlog) {
        var own = service.value * bytes;
        return backlog > 0
                ? new Expectation(own, backlog + own, true)
                : new Expectation(own, wakeUp.value + own, false);
    }

    /** Returns the expected time of a block in this process. */
    synchronized double inProcess(long bytes) {
        return process.value * bytes;
    }

    /**
     * Returns whether the caller continues sooner if a worker processes a block. It loses the CPU time of the round trip,
     * or its share of the latency in so far as that exceeds the time in which it makes the next block.
     */
    synchronized boolean completesInWorker(long bytes, double backlog, Caller caller, long now) {
        var wins = compare(
                inProcess(bytes),
                Math.max(roundTrip(bytes), expect(bytes, backlog).latency() / caller.blocks() - caller.nanos()));
        if (wins) {
            return !process.takesProbe(now);
        }
        return inFlight == 0 && service.takesProbe(now);
    }

    /**
     * Returns whether a worker saves CPU time of this process, by the figures of the documentation: measured times contain
     * those of preemptions, which cost no CPU time.
     */
    static boolean savesCpu(double perByte, long bytes) {
        return perByte * bytes > roundTrip(bytes);
    }

    private static double roundTrip(long bytes) {
        return ROUND_TRIP + ROUND_TRIP_PER_BYTE * bytes;
    }

    /** Changes the preference if that gains enough. Returns whether a worker is preferred. */
    private boolean compare(double here, double worker) {
        prefersWorker = prefersWorker ? here >= worker * (1 - MIN_GAIN) : worker < here * (1 - MIN_GAIN);
        return prefersWorker;
    }

    /** Adds the time of a block in this process. */
    synchronized void addInProcess(long bytes, long nanos, long now) {
        process.add((double) nanos / Math.max(1, bytes), now);
    }

    /** Ends a block with the time until its answer, of which each part has the expected share. */
    synchronized void addInWorker(long bytes, Expectation expected, long nanos, long now) {
        --inFlight;
        var factor = nanos / expected.latency();
        service.add(expected.service() * factor / Math.max(1, bytes), now);
        if (!expected.queued()) {
            wakeUp.add((expected.latency() - expected.service()) * factor, now);
        }
    }

    /**
     * Ends a block that the worker has not processed after this time, such as the time-out, which a processed block
     * would have exceeded. The next probe is due after the interval.
     */
    synchronized void addFailureInWorker(long bytes, Expectation expected, long nanos, long now) {
        --inFlight;
        service.probed = now;
        if (nanos > expected.latency()) {
            service.add(expected.service() * nanos / expected.latency() / Math.max(1, bytes), now);
        }
    }
}
