// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import dev.jurom.cli.model.CompressionFigures.InProcess;
import dev.jurom.cli.model.CompressionFigures.Linear;
import java.util.OptionalInt;

/**
 * A model of the compression of blocks in workers of a DPU. Times are in seconds. Blocks are pipelined: the slowest
 * of the worker, the link and the application's thread determines the throughput. docs/when-does-it-pay.md has the
 * formulas.
 *
 * @param block the size of a block in bytes
 * @param inProcess compression in the process
 * @param hostTime CPU time of the application for a block
 * @param workerTime time of a worker beyond the compression, on a core of this machine
 * @param addedLatency time that a worker of this machine adds to a single block
 * @param coreSpeed speed of a core of the DPU, relative to one of the host
 * @param linkLatency time of a message in one direction
 * @param linkBandwidth bytes per second in one direction
 */
public record CompressionModel(
        double block,
        InProcess inProcess,
        Linear hostTime,
        Linear workerTime,
        Linear addedLatency,
        double coreSpeed,
        double linkLatency,
        double linkBandwidth) {

    /**
     * Returns the time of a block in the process.
     *
     * @return seconds
     */
    public double timeInProcess() {
        return block / inProcess.bytesPerSecond();
    }

    private double timeInWorker() {
        return (timeInProcess() + workerTime.of(block)) / coreSpeed;
    }

    /**
     * Returns the throughput of one worker.
     *
     * @return bytes per second
     */
    public double throughput() {
        return Math.min(limit(), block / timeInWorker());
    }

    /**
     * Returns the throughput that any number of workers cannot exceed with one thread of the application.
     *
     * @return bytes per second
     */
    public double limit() {
        return Math.min(linkBandwidth, block / hostTime.of(block));
    }

    /**
     * Returns the latency of a single block.
     *
     * @return seconds
     */
    public double latency() {
        var ofThisMachine = addedLatency.of(block) + timeInProcess();
        var slowerCore = timeInWorker() - timeInProcess() - workerTime.of(block);
        return ofThisMachine + slowerCore + 2 * linkLatency + block * (1 + 1 / inProcess.ratio()) / linkBandwidth;
    }

    /**
     * Returns the CPU time of the application for a block.
     *
     * @return seconds
     */
    public double hostTimeOfBlock() {
        return hostTime.of(block);
    }

    /**
     * Returns the part of the application's CPU time that the workers save. Negative: they cost more.
     *
     * @return at most 1
     */
    public double saved() {
        return 1 - hostTimeOfBlock() / timeInProcess();
    }

    /**
     * Returns the number of workers that reach the throughput of one thread in the process.
     *
     * @return the number; empty if no number does
     */
    public OptionalInt workers() {
        if (limit() < inProcess.bytesPerSecond()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) Math.ceil(inProcess.bytesPerSecond() / throughput() - 1e-9));
    }
}
