// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

/**
 * Ids of workers, as the processes of one job agree on them without talking to each other.
 *
 * <p>An id names one worker process of a service. Several worker contexts, also of several host
 * processes, that use the same id share one worker process.
 */
public final class WorkerId {

    /**
     * Asks the service to pick an id that no worker has. Stands for
     * {@code DOCA_UROM_WORKER_ID_ANY}; it is the highest unsigned number, -1 as a {@code long}.
     */
    public static final long ANY = -1L;

    private WorkerId() {}

    /**
     * The id by which the processes of one task that run on one host spread over its DPU's cores:
     * {@code task << 32 | localRank % cores}.
     *
     * @param task the task's id, given by the launcher; any 32-bit number, taken as unsigned
     * @param localRank this process's number among those of the task on this host, from 0
     * @param cores how many workers the task wants at most: usually
     *        {@code service.cpuSet().size()}, at least 1
     * @return the id
     * @throws IllegalArgumentException if {@code localRank} is negative or {@code cores} below 1
     */
    public static long compose(int task, int localRank, int cores) {
        if (localRank < 0) {
            throw new IllegalArgumentException("The local rank is " + localRank + ", below 0");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("The number of cores is " + cores + ", below 1");
        }
        return Integer.toUnsignedLong(task) << 32 | localRank % cores;
    }

    /**
     * An id in text: unsigned, in decimal.
     *
     * @param id a worker id
     * @return for example {@code 4294967298}, or {@code any}
     */
    public static String toString(long id) {
        return id == ANY ? "any" : Long.toUnsignedString(id);
    }
}
