// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import dev.jurom.core.internal.Timeout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between processes over TCP. Participant 0, the coordinator, listens at an address
 * that is configured in all participants; the others connect to it in any order, also before it listens. A
 * connection is accepted after both sides have proved that they have the same token. The exchanged
 * data is neither encrypted nor signed.
 *
 * <p>An all-gather that is not complete within the timeout fails with {@code TIME_OUT}; if a
 * participant disconnects, it fails immediately with {@code CONNECTION_RESET}. In both cases all
 * participants are notified, and the exchange cannot be used any more.
 */
public abstract sealed class TcpExchange implements OutOfBandExchange permits TcpCoordinator, TcpParticipant {

    /** The minimum length of a token, in bytes. */
    public static final int SHORTEST_TOKEN = TcpSecret.SHORTEST;

    final TcpSecret secret;

    private final int participants;
    private final int index;
    private final Duration timeout;
    private @Nullable Round outstanding;
    private @Nullable ExchangeException failure;
    private boolean closed;

    TcpExchange(int participants, int index, byte[] token, Duration timeout) {
        ThreadExchange.requireNumber(participants);
        if (index < 0 || index >= participants) {
            throw new IllegalArgumentException("Participant " + index + " of " + participants
                    + ": the index must be from 0 to the number of participants minus 1");
        }
        this.participants = participants;
        this.index = index;
        this.secret = new TcpSecret(token);
        this.timeout = Objects.requireNonNull(timeout);
    }

    /**
     * Opens the exchange as participant 0, which listens. Does not block.
     *
     * @param address the address to listen at; with port 0, the system chooses the port
     * @param participants the number of participants, 1 to {@value OutOfBandExchange#MAX_PARTICIPANTS}
     * @param token the secret that all participants share, at least {@link #SHORTEST_TOKEN} random
     *         bytes; it is copied
     * @param timeout the maximum duration of an all-gather
     * @return the exchange
     * @throws ExchangeException if it cannot listen at the address
     * @throws IllegalArgumentException if a number or the length of the token is out of range
     */
    public static TcpExchange listen(InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        return TcpCoordinator.open(Objects.requireNonNull(address), participants, token, timeout);
    }

    /**
     * Opens the exchange as another participant. Does not block: the first all-gather establishes
     * the connection.
     *
     * @param address the address where participant 0 listens
     * @param participants the number of participants, 1 to {@value OutOfBandExchange#MAX_PARTICIPANTS}
     * @param index the index of this participant, at least 1
     * @param token the secret that all participants share; it is copied
     * @param timeout the maximum duration of an all-gather; the first one includes connecting
     * @return the exchange
     * @throws IllegalArgumentException if a number or the length of the token is out of range
     */
    public static TcpExchange connect(
            InetSocketAddress address, int participants, int index, byte[] token, Duration timeout) {
        return new TcpParticipant(Objects.requireNonNull(address), participants, index, token, timeout);
    }

    /**
     * Returns the address where participant 0 listens.
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
            throw new IllegalStateException(this + " has an all-gather in progress: complete it first");
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

    /** Called when an all-gather begins, with the block of this participant. */
    abstract void begun(byte[] block);

    /**
     * Advances the all-gather; returns the blocks of all participants if it is complete, else null.
     */
    abstract byte @Nullable [] advance() throws IOException;

    /** Returns what the all-gather waits for, to complete "waited for ...". */
    abstract String missing();

    /** Closes all connections; the coordinator first sends the reason to the others. */
    abstract void leave(String reason);

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
    private final class Round extends PolledAllGather {

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
                failed(DocaError.CONNECTION_ABORTED, "Participant " + index + " has aborted an all-gather", null);
            }
        }
    }
}
