// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.Timeout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One participant's access to an all-gather among several: each gives a block of bytes, and each
 * gets the blocks of all. Stands for {@code struct doca_urom_domain_oob_coll}.
 *
 * <p>All participants call {@link #begin} equally often, each time with blocks of one length, and
 * with one all-gather outstanding at a time. Nothing here may block: {@code progress()} calls it
 * on the thread that owns the engine, and so may the start or stop of a context. An exception ends
 * the start of the domain, which then becomes idle.
 *
 * <p>An exchange belongs to one thread at a time, and to whoever opened it: a domain does not close
 * it. It may serve several domains one after the other.
 */
public interface OutOfBandExchange extends AutoCloseable {

    /**
     * How many take part.
     *
     * @return at least 1; the same for life
     */
    int participants();

    /**
     * Which of the participants this is.
     *
     * @return 0 to {@link #participants()} - 1; the same for life
     */
    int index();

    /**
     * Begins an all-gather.
     *
     * @param block what this participant gives, as long as those of the others; the caller may
     *        change it afterwards
     * @return the all-gather, to be polled until it is complete, and closed
     * @throws ExchangeException if the participants cannot be reached any more
     * @throws IllegalStateException if one is outstanding, or this is closed
     */
    AllGather begin(byte[] block);

    /**
     * Ends this exchange: other participants that still count on it fail. Closing twice is fine.
     */
    @Override
    void close();

    /**
     * Carries out a whole all-gather. Blocks until it is complete, at most for a timeout.
     *
     * @param block the block of this participant, as long as those of the others
     * @param timeout how long at most
     * @return the blocks of all participants, in the order of their indexes
     * @throws ExchangeException if it fails, with {@code TIME_OUT} if it is not complete in time;
     *         this exchange cannot be used any more
     * @throws InterruptedException if the current thread is interrupted before or while waiting;
     *         this exchange cannot be used any more
     */
    default byte[] allGather(byte[] block, Duration timeout) throws InterruptedException {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        try (var gathering = begin(block)) {
            while (!gathering.poll()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new ExchangeException(
                            DocaError.TIME_OUT,
                            "Participant " + index()
                                    + " of "
                                    + participants() + " waited " + timeout + " for the others");
                }
                Thread.sleep(Duration.ofNanos(100_000));
            }
            return gathering.blocks();
        }
    }

    /**
     * Gives each participant the bytes of all, which need not be equally long: two all-gathers.
     * Blocks until both are complete.
     *
     * @param bytes what this participant gives
     * @param timeout how long at most, for each of the two
     * @return what all gave, in the order of their indexes
     * @throws ExchangeException as {@link #allGather}
     * @throws InterruptedException as {@link #allGather}
     */
    default List<byte[]> allGatherAny(byte[] bytes, Duration timeout) throws InterruptedException {
        var mine = ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array();
        var lengths = new int[participants()];
        ByteBuffer.wrap(allGather(mine, timeout)).asIntBuffer().get(lengths);
        var longest = Arrays.stream(lengths).max().orElseThrow();
        if (Arrays.stream(lengths).anyMatch(length -> length < 0)) {
            throw new ExchangeException(
                    DocaError.UNEXPECTED, "A participant takes part in another exchange than this one");
        }
        var all = allGather(Arrays.copyOf(bytes, longest), timeout);
        return IntStream.range(0, lengths.length)
                .mapToObj(i -> Arrays.copyOfRange(all, i * longest, i * longest + lengths[i]))
                .toList();
    }
}
