// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.BlockCosts.Caller;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockCostsTest {

    private static final long SIZE = 256 << 10;
    private static final long SECOND = BlockCosts.PROBE_INTERVAL;
    private static final long MILLISECOND = 1_000_000;
    private static final double MAX_TIME = 1e9; // nanoseconds

    private static final Caller STREAM = Caller.stream(4, 0); // in a loop

    private long now;
    private int blocksInWorker;

    /** Processes a block of a caller that waits for it. Each path takes a constant time. */
    private boolean process(BlockCosts costs, double here, double worker) {
        var inWorker = costs.completesInWorker(SIZE, 0, Caller.WAITING, now);
        var time = (long) (inWorker ? worker : here);
        if (inWorker) {
            var expected = costs.begin(SIZE, 0);
            now += time;
            costs.addInWorker(SIZE, expected, time, now);
            blocksInWorker++;
        } else {
            now += time;
            costs.addInProcess(SIZE, time, now);
        }
        return inWorker;
    }

    /** The estimates before are wrong by any factor, in any direction. */
    @Property
    void the_faster_path_is_found_from_any_start(
            @ForAll @DoubleRange(min = 0.01, max = 10_000) double guess,
            @ForAll @DoubleRange(min = 1_000, max = MAX_TIME) double here,
            @ForAll @DoubleRange(min = 0.01, max = 100) double factor) {
        now = 0;
        var costs = new BlockCosts(guess, now);
        var worker = Math.max(here * factor, 250_000); // below it, the CPU time of the round trip decides
        for (var second = 0; second < 60; second++) {
            process(costs, here, worker);
            process(costs, here, worker);
            now += SECOND;
        }
        process(costs, here, worker); // maybe a probe
        var inWorker = process(costs, here, worker);

        if (worker < here * 0.8) {
            assertTrue(inWorker);
        }
        if (here < worker * 0.8) {
            assertFalse(inWorker);
        }
    }

    @Property
    void a_path_that_becomes_faster_is_found(
            @ForAll @DoubleRange(min = 1e6, max = 1e8) double here,
            @ForAll @DoubleRange(min = 2, max = 100) double factor,
            @ForAll boolean workerFirst) {
        now = 0;
        var costs = new BlockCosts(4, now);
        for (var turn = 0; turn < 200; turn++) {
            process(costs, here, workerFirst ? here / factor : here * factor);
        }
        for (var second = 0; second < 60; second++) {
            process(costs, here, workerFirst ? here * factor : here / factor);
            process(costs, here, workerFirst ? here * factor : here / factor);
            now += SECOND;
        }
        process(costs, here, workerFirst ? here * factor : here / factor);

        assertEquals(!workerFirst, process(costs, here, workerFirst ? here * factor : here / factor));
    }

    @Property
    void the_place_stays_without_a_gain_above_15_percent(
            @ForAll @DoubleRange(min = 0.87, max = 1.14) double factor, @ForAll boolean inWorker) {
        now = 0;
        var costs = new BlockCosts(4, now);
        var here = 10e6;
        for (var turn = 0; turn < 1000; turn++) {
            process(costs, here, inWorker ? here / 3 : here * 3);
        }
        // Both averages are at the new times after these blocks, some of which are probes.
        for (var turn = 0; turn < 100; turn++) {
            costs.addInProcess(SIZE, (long) here, now);
            var expected = costs.begin(SIZE, 0);
            costs.addInWorker(SIZE, expected, (long) (here * factor), now);
        }

        for (var turn = 0; turn < 50; turn++) {
            assertEquals(inWorker, costs.completesInWorker(SIZE, 0, Caller.WAITING, now));
        }
    }

    @Property
    void a_slower_path_gets_one_block_in_a_second(
            @ForAll @IntRange(min = 1, max = 20) int seconds, @ForAll @IntRange(min = 1, max = 500) int pauseMillis) {
        now = 0;
        var costs = new BlockCosts(4, now);
        process(costs, MILLISECOND, 20 * MILLISECOND); // the first probe
        process(costs, MILLISECOND, 20 * MILLISECOND);
        var begin = now;
        blocksInWorker = 0;
        while (now - begin < seconds * SECOND) {
            process(costs, MILLISECOND, 20 * MILLISECOND);
            now += pauseMillis * MILLISECOND;
        }

        assertTrue(blocksInWorker <= seconds + 1, () -> blocksInWorker + " in " + seconds + " s");
        assertTrue(blocksInWorker >= (seconds - 1) / 2, () -> blocksInWorker + " in " + seconds + " s");
    }

    @Test
    void a_probe_that_gets_no_answer_is_the_only_one() {
        var costs = new BlockCosts(4, 0);
        costs.addInProcess(SIZE, MILLISECOND, 0);
        assertTrue(costs.completesInWorker(SIZE, 0, Caller.WAITING, 0));
        var probe = costs.begin(SIZE, 0);

        for (var second = 1; second < 100; second++) {
            costs.addInProcess(SIZE, MILLISECOND, second * SECOND);
            assertFalse(costs.completesInWorker(SIZE, 0, Caller.WAITING, second * SECOND));
        }

        costs.addFailureInWorker(SIZE, probe, 100 * SECOND, 100 * SECOND);
        costs.addInProcess(SIZE, MILLISECOND, 100 * SECOND);
        assertFalse(costs.completesInWorker(SIZE, 0, Caller.WAITING, 100 * SECOND));
        assertTrue(costs.completesInWorker(SIZE, 0, Caller.WAITING, 101 * SECOND));
    }

    @Test
    void blocks_that_time_out_make_the_worker_slow() {
        var costs = learned(10 * MILLISECOND, MILLISECOND);

        for (var block = 0; block < 16; block++) {
            assertTrue(block > 4 || costs.completesInWorker(SIZE, 0, Caller.WAITING, 0));
            costs.addFailureInWorker(SIZE, costs.begin(SIZE, 0), SECOND, 0);
        }

        assertFalse(costs.completesInWorker(SIZE, 0, Caller.WAITING, 0));
    }

    /** A stream that may continue uses a worker of the same speed, until enough blocks wait for it. */
    @Test
    void a_stream_helps_a_busy_worker() {
        var costs = learned(MILLISECOND, MILLISECOND);

        assertTrue(costs.completesInWorker(SIZE, 0, STREAM, 0));
        assertTrue(costs.completesInWorker(SIZE, MILLISECOND, STREAM, 0));
        assertFalse(costs.completesInWorker(SIZE, 5 * MILLISECOND, STREAM, 0));
    }

    /** An answer that arrives while the application makes the next blocks delays it no more than its copies. */
    @Test
    void a_stream_of_a_slow_application_uses_workers_whatever_their_latency() {
        var costs = learned(MILLISECOND, MILLISECOND);

        assertTrue(costs.completesInWorker(SIZE, 5 * MILLISECOND, Caller.stream(4, 2 * MILLISECOND), 0));
        assertFalse(costs.completesInWorker(SIZE, 50 * MILLISECOND, Caller.stream(4, 2 * MILLISECOND), 0));
    }

    @Test
    void a_stream_gives_a_slow_worker_one_block_at_a_time() {
        var costs = learned(MILLISECOND, 2.5 * MILLISECOND);

        assertTrue(costs.completesInWorker(SIZE, 0, STREAM, 0));
        assertFalse(costs.completesInWorker(SIZE, 2.5 * MILLISECOND, STREAM, 0));
    }

    @Test
    void small_blocks_stay_in_the_process_whatever_the_worker_is_like() {
        var costs = new BlockCosts(4, 0);
        for (var turn = 0; turn < 100; turn++) {
            costs.addInProcess(4 << 10, 15_000, 0);
            costs.addInWorker(4 << 10, costs.begin(4 << 10, 0), 1_000, 0);
        }

        assertFalse(costs.completesInWorker(4 << 10, 0, STREAM, 0));
    }

    @Test
    void workers_save_cpu_except_for_small_blocks() {
        assertFalse(BlockCosts.savesCpu(4, 4 << 10));
        assertTrue(BlockCosts.savesCpu(4, 64 << 10));
        assertTrue(BlockCosts.savesCpu(20, 16 << 10));
        assertFalse(BlockCosts.savesCpu(0.5, 1 << 20));
    }

    @Test
    void a_stalled_worker_is_one_sample_among_many() {
        var costs = learned(10 * MILLISECOND, 2 * MILLISECOND);

        costs.addInWorker(SIZE, costs.begin(SIZE, 0), 30 * SECOND, 0);

        assertTrue(costs.completesInWorker(SIZE, 0, Caller.WAITING, 0));
    }

    /** Returns costs with these averages, of a busy worker. */
    private static BlockCosts learned(double here, double worker) {
        var costs = new BlockCosts(4, 0);
        for (var turn = 0; turn < 100; turn++) {
            costs.addInProcess(SIZE, (long) here, 0);
            costs.addInWorker(SIZE, costs.begin(SIZE, 0), (long) worker, 0);
            var queued = costs.begin(SIZE, worker);
            costs.addInWorker(SIZE, queued, (long) (2 * worker), 0);
        }
        return costs;
    }
}
