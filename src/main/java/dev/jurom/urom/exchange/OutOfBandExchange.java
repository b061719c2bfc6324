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
 * One participant's access to an all-gather between several participants: each contributes a block
 * of bytes and receives the blocks of all. Stands for {@code struct doca_urom_domain_oob_coll}.
 *
 * <p>All participants must call {@link #begin} the same number of times, with blocks of the same
 * length, and with one all-gather at a time. Methods other than {@link #allGather} and
 * {@link #allGatherAny} must not block, because {@code progress()}, or the start or stop of a
 * context, calls them on the thread that owns the engine. An exception makes the start of the
 * domain fail, which then becomes idle.
 *
 * <p>An exchange is used by one thread at a time. The application closes it; a domain does not. It
 * may serve several domains one after the other.
 */
public interface OutOfBandExchange extends AutoCloseable {

    /** Maximum number of participants of the exchanges in this package. */
    int MAX_PARTICIPANTS = 1 << 16;

    /**
     * Returns the number of participants.
     *
     * @return at least 1, always the same
     */
    int participants();

    /**
     * Returns the index of this participant.
     *
     * @return 0 to {@link #participants()} - 1, always the same
     */
    int index();

    /**
     * Begins an all-gather.
     *
     * @param block the block of this participant, of the same length as those of the others; it is
     *         copied
     * @return the all-gather, to be polled until it is complete, and closed
     * @throws ExchangeException if the participants can no longer be reached
     * @throws IllegalStateException if an all-gather is in progress, or this exchange is closed
     */
    AllGather begin(byte[] block);

    /**
     * Closes this exchange. Other participants that still need it fail. Has no effect if it is
     * closed.
     */
    @Override
    void close();

    /**
     * Performs an all-gather. Blocks until it is complete, for at most the timeout.
     *
     * @param block the block of this participant, of the same length as those of the others
     * @param timeout the maximum time to wait
     * @return the blocks of all participants, concatenated in the order of their indexes
     * @throws ExchangeException if it fails, with {@code TIME_OUT} if it is not complete in time;
     *         this exchange cannot be used any more
     * @throws InterruptedException if the current thread is interrupted before or while waiting;
     *         this exchange cannot be used any more
     */
    default byte[] allGather(byte[] block, Duration timeout) throws InterruptedException {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        try (var allGather = begin(block)) {
            while (!allGather.poll()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new ExchangeException(
                            DocaError.TIME_OUT,
                            "Participant " + index()
                                    + " of "
                                    + participants() + " waited " + timeout + " for the others");
                }
                Thread.sleep(Duration.ofNanos(100_000));
            }
            return allGather.blocks();
        }
    }

    /**
     * Gathers byte arrays of any lengths, with two all-gathers. Blocks until both are complete, for
     * at most the timeout each.
     *
     * @param bytes the bytes of this participant
     * @param timeout the maximum time to wait for each of the two all-gathers
     * @return the bytes of all participants, in the order of their indexes
     * @throws ExchangeException as {@link #allGather}
     * @throws InterruptedException as {@link #allGather}
     */
    default List<byte[]> allGatherAny(byte[] bytes, Duration timeout) throws InterruptedException {
        var mine = ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array();
        var lengths = new int[participants()];
        ByteBuffer.wrap(allGather(mine, timeout)).asIntBuffer().get(lengths);
        var longest = Arrays.stream(lengths).max().orElseThrow();
        if (Arrays.stream(lengths).anyMatch(length -> length < 0)) {
            throw new ExchangeException(DocaError.UNEXPECTED, "A participant takes part in a different exchange");
        }
        var all = allGather(Arrays.copyOf(bytes, longest), timeout);
        return IntStream.range(0, lengths.length)
                .mapToObj(i -> Arrays.copyOfRange(all, i * longest, i * longest + lengths[i]))
                .toList();
    }
}
