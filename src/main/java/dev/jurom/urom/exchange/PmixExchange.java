// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.Timeout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between all processes of a job that {@code mpirun} or another PMIx launcher has
 * started. The launcher determines rank and size, and transfers the blocks. It needs
 * {@code libpmix.so.2}, which is loaded by the first call of {@link #open}.
 *
 * <p>At most one exchange can be open in a process, and all processes must open the same number of
 * exchanges. An all-gather that is not complete within the timeout fails with {@code TIME_OUT}.
 * When a process exits, most launchers terminate the whole job.
 */
public final class PmixExchange implements OutOfBandExchange {

    private static final String LAUNCHED = "PMIX_NAMESPACE";

    private static boolean open; // guarded by the class
    private static long rounds; // number of rounds of this process so far, which the keys contain; guarded by the class

    private final PmixJob job;
    private final int participants;
    private final Duration timeout;
    private @Nullable Round outstanding;
    private @Nullable ExchangeException failure;
    private boolean closed;

    private PmixExchange(PmixJob job, Duration timeout) {
        this.job = job;
        this.participants = job.size();
        this.timeout = timeout;
    }

    /**
     * Returns whether a PMIx launcher has started this process, so that {@link #open} is expected
     * to succeed.
     *
     * @return whether the variables of the launcher are in the environment
     */
    public static boolean isLaunched() {
        return System.getenv(LAUNCHED) != null;
    }

    /**
     * Joins the job in which this process was started. Blocks until the local PMIx server answers.
     * Stands for {@code PMIx_Init}.
     *
     * @param timeout the maximum duration of an all-gather
     * @return the exchange
     * @throws ExchangeException with {@code NOT_FOUND} if PMIx is not installed,
     *         {@code NOT_CONNECTED} if no launcher has started this process, {@code INITIALIZATION}
     *         or {@code IO_FAILED} if PMIx fails
     * @throws IllegalStateException if an exchange is open
     */
    public static PmixExchange open(Duration timeout) {
        synchronized (PmixExchange.class) {
            if (open) {
                throw new IllegalStateException("A PMIx exchange is open in this process: close it first, or share it");
            }
            if (!isLaunched()) {
                throw new ExchangeException(
                        DocaError.NOT_CONNECTED,
                        "No PMIx launcher has started"
                                + " this process (" + LAUNCHED + " is not set): start it with mpirun, or"
                                + " use another exchange");
            }
            var job = PmixJob.join();
            try {
                var exchange = new PmixExchange(job, timeout);
                open = true;
                return exchange;
            } catch (RuntimeException e) {
                job.leave();
                throw e;
            }
        }
    }

    @Override
    public int participants() {
        return participants;
    }

    @Override
    public int index() {
        return job.rank();
    }

    @Override
    public AllGather begin(byte[] block) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (outstanding != null) {
            throw new IllegalStateException(this + " has an all-gather in progress: complete it first");
        }
        requireNoFailure();
        outstanding = new Round(block);
        return outstanding;
    }

    /** Leaves the job. Stands for {@code PMIx_Finalize}. */
    @Override
    public void close() {
        if (!closed) {
            synchronized (PmixExchange.class) {
                job.leave();
                open = false;
            }
            closed = true;
        }
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new ExchangeException(failure.error(), String.valueOf(failure.getMessage()), failure);
        }
    }

    private static synchronized String nextKey() {
        return "dev.jurom.block." + rounds++;
    }

    @Override
    public String toString() {
        return "PMIx exchange" + (closed ? "" : ", rank " + index() + " of " + participants);
    }

    /** This participant's part in one all-gather. */
    private final class Round extends PolledAllGather {

        private final String key = nextKey();
        private final long deadline = System.nanoTime() + Timeout.nanos(timeout);
        private final int length;
        private final PmixJob.Fence fence;

        Round(byte[] block) {
            length = block.length;
            job.put(key, block);
            fence = job.fence();
        }

        @Override
        byte @Nullable [] advance() {
            requireNoFailure();
            try {
                if (fence.isComplete()) {
                    return collect();
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new ExchangeException(
                            DocaError.TIME_OUT,
                            "Rank " + index() + " of " + participants + " waited " + timeout + " for the other ranks");
                }
                return null;
            } catch (ExchangeException e) {
                failure = e;
                throw e;
            }
        }

        private byte[] collect() {
            var all = new byte[Math.multiplyExact(length, participants)];
            for (var rank = 0; rank < participants; rank++) {
                job.get(rank, key, all, rank * length, length);
            }
            return all;
        }

        @Override
        void ended(boolean complete) {
            outstanding = null;
            fence.unregister();
            if (!complete && failure == null) {
                failure = new ExchangeException(
                        DocaError.CONNECTION_ABORTED, "Rank " + index() + " has aborted an all-gather");
            }
        }
    }
}
