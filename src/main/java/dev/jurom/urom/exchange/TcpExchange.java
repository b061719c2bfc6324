// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.Timeout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between processes over TCP. Participant 0, the coordinator, listens at an address
 * that all know; the others connect to it, in any order, also before it listens. A connection is
 * accepted when both sides have proved that they know the same token; what is exchanged then is
 * neither encrypted nor signed.
 *
 * <p>An all-gather that is not complete within the timeout fails with {@code TIME_OUT}, and one
 * from which a participant goes away fails at once with {@code CONNECTION_RESET}; either way all
 * participants are told, and the exchange is then of no more use.
 */
public abstract sealed class TcpExchange implements OutOfBandExchange permits TcpCoordinator, TcpParticipant {

    /** The shortest token, in bytes. */
    public static final int SHORTEST_TOKEN = TcpSecret.SHORTEST;

    final TcpSecret secret;

    private final int participants;
    private final int index;
    private final Duration timeout;
    private @Nullable Round outstanding;
    private @Nullable ExchangeException failure;
    private boolean closed;

    TcpExchange(int participants, int index, byte[] token, Duration timeout) {
        if (participants < 1 || index < 0 || index >= participants) {
            throw new IllegalArgumentException("Participant " + index + " of " + participants
                    + ": indexes go from 0 to the number of participants less 1");
        }
        this.participants = participants;
        this.index = index;
        this.secret = new TcpSecret(token);
        this.timeout = timeout;
    }

    /**
     * Opens the exchange as participant 0, which listens.
     *
     * @param address where; port 0 lets the system choose
     * @param participants how many take part, at least 1
     * @param token what the others must know, at least {@link #SHORTEST_TOKEN} bytes; random ones
     * @param timeout how long an all-gather may take
     * @return the exchange
     * @throws ExchangeException if it cannot listen there
     * @throws IllegalArgumentException if a number or the token's length is out of its range
     */
    public static TcpExchange listen(InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        return TcpCoordinator.open(address, participants, token, timeout);
    }

    /**
     * Opens the exchange as another participant. The connection is made by the first all-gather.
     *
     * @param address where participant 0 listens
     * @param participants how many take part
     * @param index which of them this is, from 1
     * @param token what participant 0 knows too
     * @param timeout how long an all-gather may take; the first includes connecting
     * @return the exchange
     * @throws IllegalArgumentException if a number or the token's length is out of its range
     */
    public static TcpExchange connect(
            InetSocketAddress address, int participants, int index, byte[] token, Duration timeout) {
        return new TcpParticipant(address, participants, index, token, timeout);
    }

    /**
     * Where participant 0 listens.
     *
     * @return the address, with the port that the system chose
     */
    public abstract InetSocketAddress address();

    @Override
    public final int participants() {
        return participants;
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final AllGather begin(byte[] block) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (outstanding != null) {
            throw new IllegalStateException(this + " has an all-gather outstanding: one at a time");
        }
        requireNoFailure();
        outstanding = new Round();
        begun(block.clone());
        return outstanding;
    }

    @Override
    public final void close() {
        if (!closed) {
            leave("participant " + index + " has left the exchange");
            closed = true;
        }
    }

    /** An all-gather begins with this block. */
    abstract void begun(byte[] block);

    /** Moves the all-gather on; returns the blocks of all when they are here, else null. */
    abstract byte @Nullable [] advance() throws IOException;

    /** Who is being waited for, to end a sentence with. */
    abstract String missing();

    /** Closes all connections, after telling the others why if that is this side's part. */
    abstract void leave(String why);

    final ExchangeException failed(DocaError error, String message, @Nullable Throwable cause) {
        failure = new ExchangeException(error, message, cause);
        leave(message);
        return failure;
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new ExchangeException(failure.error(), String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public String toString() {
        return "TCP exchange, participant " + index + " of " + participants;
    }

    /** This participant's part in one all-gather. */
    private final class Round extends Gathering {

        private final long deadline = System.nanoTime() + Timeout.nanos(timeout);

        @Override
        byte @Nullable [] advance() {
            requireNoFailure();
            try {
                var done = TcpExchange.this.advance();
                if (done == null && System.nanoTime() - deadline > 0) {
                    throw failed(
                            DocaError.TIME_OUT,
                            "Participant " + index + " of " + participants + " waited " + timeout + " for " + missing(),
                            null);
                }
                return done;
            } catch (IOException e) {
                throw failed(
                        DocaError.CONNECTION_RESET,
                        "Participant " + index + " of " + participants + " cannot reach the others: " + e.getMessage(),
                        e);
            }
        }

        @Override
        void ended(boolean complete) {
            outstanding = null;
            if (!complete && failure == null) {
                failed(DocaError.CONNECTION_ABORTED, "Participant " + index + " has given up an all-gather", null);
            }
        }
    }
}
