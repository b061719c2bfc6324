// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

/**
 * Ids of workers, which the processes of a job can compute without communicating.
 *
 * <p>An id identifies one worker process of a service. Worker contexts that use the same id, also
 * in several host processes, share one worker process.
 */
public final class WorkerId {

    /**
     * Makes the service assign an unused id. Stands for {@code DOCA_UROM_WORKER_ID_ANY}: the
     * highest unsigned number, -1 as a {@code long}.
     */
    public static final long ANY = -1L;

    private WorkerId() {}

    /**
     * Returns an id that distributes the processes of one task on one host over the cores of its
     * DPU: {@code task << 32 | localRank % cores}.
     *
     * @param task the id of the task, from the launcher; any 32-bit number, unsigned
     * @param localRank the rank of this process among the processes of the task on this host, from
     *         0
     * @param cores the maximum number of workers of the task, at least 1; usually
     *         {@code service.cpuSet().size()}
     * @return the id
     * @throws IllegalArgumentException if {@code localRank} is negative or {@code cores} is less
     *         than 1
     */
    public static long compose(int task, int localRank, int cores) {
        if (localRank < 0) {
            throw new IllegalArgumentException("The local rank is " + localRank + ", but must be at least 0");
        }
        if (cores < 1) {
            throw new IllegalArgumentException("The number of cores is " + cores + ", but must be at least 1");
        }
        return Integer.toUnsignedLong(task) << 32 | localRank % cores;
    }

    /**
     * Returns the text form of an id: unsigned, in decimal.
     *
     * @param id a worker id
     * @return for example {@code 4294967298}, or {@code any}
     */
    public static String toString(long id) {
        return id == ANY ? "any" : Long.toUnsignedString(id);
    }
}
