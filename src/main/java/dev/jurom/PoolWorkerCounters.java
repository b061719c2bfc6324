// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

/** The counters of one of the workers of a {@link WorkerPool}, including its predecessors. Immutable. */
public final class PoolWorkerCounters {

    private final boolean running;
    private final int inFlight;
    private final long starts;
    private final long failedStarts;
    private final long exits;
    private final long busyReplacements;

    PoolWorkerCounters(
            boolean running, int inFlight, long starts, long failedStarts, long exits, long busyReplacements) {
        this.running = running;
        this.inFlight = inFlight;
        this.starts = starts;
        this.failedStarts = failedStarts;
        this.exits = exits;
        this.busyReplacements = busyReplacements;
    }

    /**
     * Returns whether the worker runs.
     *
     * @return false until it is replaced
     */
    public boolean isRunning() {
        return running;
    }

    /**
     * Returns the number of commands that the worker has not answered, without those of replaced workers.
     *
     * @return 0 to the number of tasks
     */
    public int inFlight() {
        return inFlight;
    }

    /**
     * Returns the number of starts.
     *
     * @return the number of worker processes that ran, or to which this pool connected
     */
    public long starts() {
        return starts;
    }

    /**
     * Returns the number of failed starts.
     *
     * @return the number of attempts that were repeated
     */
    public long failedStarts() {
        return failedStarts;
    }

    /**
     * Returns the number of exits.
     *
     * @return the number of workers that were replaced because they had exited, or their connection was lost
     */
    public long exits() {
        return exits;
    }

    /**
     * Returns the number of busy workers that were replaced.
     *
     * @return the number of workers that have answered no command for {@link PoolConfiguration#replaceAfter}
     */
    public long busyReplacements() {
        return busyReplacements;
    }

    @Override
    public String toString() {
        return "PoolWorkerCounters[running=" + running + ", inFlight=" + inFlight + ", starts=" + starts
                + ", failedStarts=" + failedStarts + ", exits=" + exits + ", busyReplacements=" + busyReplacements
                + "]";
    }
}
