// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between threads of one process. Each participant has its own object, which one thread
 * at a time may use. It has no timeout: the caller decides how long to poll.
 */
public final class ThreadExchange implements OutOfBandExchange {

    private final Table table;
    private final int index;
    private @Nullable Round outstanding;
    private boolean closed;

    private ThreadExchange(Table table, int index) {
        this.table = table;
        this.index = index;
    }

    /**
     * Creates an exchange.
     *
     * @param participants the number of participants, 1 to {@value OutOfBandExchange#MAX_PARTICIPANTS}
     * @return an object for each participant, in the order of their indexes
     * @throws IllegalArgumentException if the number is out of range
     */
    public static List<ThreadExchange> open(int participants) {
        requireNumber(participants);
        var table = new Table(participants);
        return IntStream.range(0, participants)
                .mapToObj(index -> new ThreadExchange(table, index))
                .toList();
    }

    /** Checks the number of participants of an exchange. */
    static void requireNumber(int participants) {
        if (participants < 1 || participants > MAX_PARTICIPANTS) {
            throw new IllegalArgumentException(
                    "The number of participants is " + participants + ", but must be from 1 to " + MAX_PARTICIPANTS);
        }
    }

    @Override
    public int participants() {
        return table.blocks.length;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public AllGather begin(byte[] block) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (outstanding != null) {
            throw new IllegalStateException(this + " has an all-gather in progress: complete it first");
        }
        table.put(index, block.clone());
        outstanding = new Round();
        return outstanding;
    }

    @Override
    public void close() {
        if (!closed) {
            table.fail(
                    DocaError.CONNECTION_RESET,
                    "Participant " + index + " of " + participants() + " has left the exchange");
            closed = true;
        }
    }

    @Override
    public String toString() {
        return "thread exchange, participant " + index + " of " + participants();
    }

    /** The state that the participants share. */
    private static final class Table {

        private final byte[][] blocks; // the blocks of the current round; guarded by this
        private int given; // number of blocks of the current round; guarded by this
        private int taken; // number of participants that have received the result; guarded by this
        private byte @Nullable [] result; // the result of the last complete round; guarded by this
        private @Nullable ExchangeException failure; // guarded by this

        Table(int participants) {
            blocks = new byte[participants][];
        }

        synchronized void put(int index, byte[] block) {
            requireNoFailure();
            blocks[index] = block;
            given++;
            collect();
        }

        /**
         * Completes the round when all blocks are present and all participants have received the
         * previous result.
         */
        private void collect() {
            if (given < blocks.length || result != null) {
                return;
            }
            var length = blocks[0].length;
            for (var i = 1; i < blocks.length; i++) {
                if (blocks[i].length != length) {
                    fail(
                            DocaError.INVALID_VALUE,
                            "Participant " + i + " contributed a block of "
                                    + blocks[i].length + " bytes, but participant 0 one of " + length
                                    + ": all blocks must have the same length");
                    return;
                }
            }
            result = new byte[Math.multiplyExact(length, blocks.length)];
            for (var i = 0; i < blocks.length; i++) {
                System.arraycopy(blocks[i], 0, result, i * length, length);
            }
            Arrays.fill(blocks, null);
            given = 0;
            taken = 0;
        }

        /**
         * Returns the result for a participant that has not received it yet, or null if it is not
         * complete.
         */
        synchronized byte @Nullable [] take(int index) {
            if (blocks[index] != null || result == null) {
                requireNoFailure();
                return null;
            }
            var mine = result.clone();
            if (++taken == blocks.length) {
                result = null;
                collect();
            }
            return mine;
        }

        synchronized void fail(DocaError error, String message) {
            if (failure == null) {
                failure = new ExchangeException(error, message);
            }
        }

        private void requireNoFailure() {
            if (failure != null) {
                throw new ExchangeException(failure.error(), String.valueOf(failure.getMessage()), failure);
            }
        }
    }

    /** This participant's part in one all-gather. */
    private final class Round extends PolledAllGather {

        @Override
        byte @Nullable [] advance() {
            return table.take(index);
        }

        @Override
        void ended(boolean complete) {
            outstanding = null;
            if (!complete) {
                table.fail(
                        DocaError.CONNECTION_ABORTED,
                        "Participant " + index + " of " + participants() + " has aborted an all-gather");
            }
        }
    }
}
