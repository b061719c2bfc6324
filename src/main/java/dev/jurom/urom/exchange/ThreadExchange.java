// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between threads of one process. Each participant's side may be used by another
 * thread, and by one at a time. It has no deadline of its own: how long to wait is its user's
 * choice.
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
     * Makes an exchange.
     *
     * @param participants how many take part, at least 1
     * @return the side of each participant, in the order of their indexes
     * @throws IllegalArgumentException if there are none
     */
    public static List<ThreadExchange> open(int participants) {
        if (participants < 1) {
            throw new IllegalArgumentException(
                    "An exchange among " + participants + " participants: at least 1 must take part");
        }
        var table = new Table(participants);
        return IntStream.range(0, participants)
                .mapToObj(index -> new ThreadExchange(table, index))
                .toList();
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
            throw new IllegalStateException(this + " has an all-gather outstanding: one at a time");
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
                    "Participant " + index + " of the " + participants() + " has left the exchange");
            closed = true;
        }
    }

    @Override
    public String toString() {
        return "thread exchange, participant " + index + " of " + participants();
    }

    /** What the participants share. */
    private static final class Table {

        private final byte[][] blocks; // of the round that is being gathered; guarded by this
        private int given; // how many of them are there; guarded by this
        private int taken; // how many have got the result; guarded by this
        private byte @Nullable [] result; // of the round that is complete; guarded by this
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

        /** Completes the round when all blocks are there and the one before is taken by all. */
        private void collect() {
            if (given < blocks.length || result != null) {
                return;
            }
            var length = blocks[0].length;
            for (var i = 1; i < blocks.length; i++) {
                if (blocks[i].length != length) {
                    fail(
                            DocaError.INVALID_VALUE,
                            "Participant " + i + " gave a block of "
                                    + blocks[i].length + " bytes and participant 0 one of " + length
                                    + ": blocks must be equally long");
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

        /** The result for a participant that has not taken it yet; null: not complete. */
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
    private final class Round extends Gathering {

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
                        "Participant " + index + " of the " + participants() + " has given up an all-gather");
            }
        }
    }
}
