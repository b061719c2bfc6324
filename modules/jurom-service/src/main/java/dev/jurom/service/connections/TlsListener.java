// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.runtime.DaemonException;
import dev.jurom.service.connections.PendingConnections.PendingConnection;
import dev.jurom.service.identity.TlsIdentity;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.threads.ServiceThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Listens at a TCP port. Detects within half a minute that a host has vanished.
 *
 * <p>A connection has neither a thread nor TLS before it has sent something; then it is queued until its
 * handshake may begin. The number of concurrent handshakes is limited. While others are queued, a handshake is
 * aborted when the service has waited longer than {@link #GRACE} for the host. So each handshake has the time
 * of a round trip, however many are queued. Answers to unauthenticated hosts take at most half of the
 * processors ({@link TlsIdentity}). If r first messages a second arrive from a network and the service answers
 * c a second, each is answered with a probability of c / r, and a dropped host connects again.
 */
public final class TlsListener extends Listener {

    private static final int BACKLOG = 4096; // the kernel's own limit may be lower
    private static final int ACCEPTED_AT_ONCE = 256;
    private static final Duration GRACE = Duration.ofMillis(250);
    /** Pause between two attempts to begin handshakes while the limit is reached. */
    private static final int PAUSE_MILLIS = 2;
    /** Time between two searches for connections whose deadline has passed. */
    private static final int SWEEP_MILLIS = 250;

    private static final Duration REPORTS = Duration.ofMinutes(1);

    private static final int IDLE_SECONDS = 10;
    private static final int INTERVAL_SECONDS = 5;
    private static final int PROBES = 4;

    private final ServerSocketChannel channel;
    private final Selector selector;
    private final ListenAddress.Tls address;
    private final Duration handshakeTimeout;
    private final ServiceLog log;
    private final Function<Socket, TlsConnection> factory;
    private final Consumer<TlsConnection> handler;
    private final Runnable unidentified;
    private final PendingConnections idle; // have sent nothing; this and the rest: confined to the accepting thread
    private final PendingConnections queued; // have sent data and wait for their handshakes
    private final int maxHandshakes;
    private final Deque<TlsConnection> handshakes = new ArrayDeque<>(); // the oldest first
    private boolean isReady; // a connection can be accepted
    private boolean lagging; // the kernel's queue of connections is not empty
    private long swept = System.nanoTime();
    private long dropped;
    private long reported = System.nanoTime() - REPORTS.toNanos();

    private TlsListener(
            ServerSocketChannel channel,
            Limits limits,
            ServiceLog log,
            ServiceThreads threads,
            Function<Socket, TlsConnection> factory,
            Consumer<TlsConnection> handler,
            Runnable unidentified)
            throws IOException {
        super(log, threads);
        this.channel = channel;
        this.address = new ListenAddress.Tls((InetSocketAddress) channel.getLocalAddress());
        this.handshakeTimeout = limits.handshake();
        this.log = log;
        this.factory = factory;
        this.handler = handler;
        this.unidentified = unidentified;
        this.idle = new PendingConnections(limits.unauthenticated());
        this.maxHandshakes = Math.max(1, limits.unauthenticated() / 2);
        this.queued = new PendingConnections(maxHandshakes);
        this.selector = channel.provider().openSelector();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Binds the socket, but does not accept connections yet.
     *
     * @param address the address; port 0 lets the system choose one
     * @param limits the number of unauthenticated connections, and the time that each has
     * @param log receives once a minute the number of connections that were dropped
     * @param threads creates the thread that accepts
     * @param factory creates the connection, which owns the socket, when its handshake may begin
     * @param handler receives the connection next, on the listener's thread: it must not block
     * @param unidentified runs on the listener's thread for each connection that ends before its handshake began
     * @return the listener, which the caller starts and closes
     * @throws DaemonException if the socket cannot be bound
     */
    public static TlsListener open(
            ListenAddress.Tls address,
            Limits limits,
            ServiceLog log,
            ServiceThreads threads,
            Function<Socket, TlsConnection> factory,
            Consumer<TlsConnection> handler,
            Runnable unidentified) {
        try {
            var channel = ServerSocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(address.resolved(), BACKLOG);
                return new TlsListener(channel, limits, log, threads, factory, handler, unidentified);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new DaemonException("The service cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    @Override
    public ListenAddress address() {
        return address;
    }

    /** Runs one round: accepts connections, polls unauthenticated ones, and begins handshakes. */
    @Override
    void accept() throws IOException {
        listen();
        if (isReady) {
            isReady = false;
            acceptSome();
        }
        var now = System.nanoTime();
        while (queued.size() > 0 && mayBegin(now)) {
            begin(queued.take());
        }
        if (now - swept >= TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS)) {
            swept = now;
            dropLate(now);
            handshakes.removeIf(TlsConnection::isOver);
            report(now);
        }
    }

    private void listen() throws IOException {
        try {
            selector.select(this::handle, pauseMillis());
        } catch (ClosedSelectorException e) {
            dropLate(System.nanoTime() + handshakeTimeout.toNanos());
            throw new IOException("the service ends", e);
        }
    }

    /** Returns 0 for an unlimited wait: a service without unauthenticated connections does not wake up. */
    private int pauseMillis() {
        if (queued.size() > 0) {
            return PAUSE_MILLIS;
        }
        return idle.size() > 0 || !handshakes.isEmpty() || dropped > 0 ? SWEEP_MILLIS : 0;
    }

    private void handle(SelectionKey key) {
        if (!(key.attachment() instanceof PendingConnection pending)) {
            isReady = true;
        } else if (key.isValid()) { // otherwise it was displaced meanwhile
            key.cancel();
            idle.remove(pending);
            dropVictim(queued.add(pending));
        }
    }

    private void dropLate(long now) {
        idle.removeLate(now).forEach(this::drop);
        queued.removeLate(now).forEach(this::drop);
    }

    private void acceptSome() throws IOException {
        var taken = 0;
        for (var accepted = channel.accept();
                accepted != null;
                accepted = taken < ACCEPTED_AT_ONCE ? channel.accept() : null) {
            taken++;
            awaitFirstBytes(accepted);
        }
        lagging = taken == ACCEPTED_AT_ONCE;
    }

    private void awaitFirstBytes(SocketChannel accepted) throws IOException {
        try {
            var pending = PendingConnections.of(
                    accepted, accepted.getRemoteAddress(), System.nanoTime() + handshakeTimeout.toNanos());
            if (lagging && (idle.refuses(pending) || queued.refuses(pending))) {
                dropVictim(pending);
                return;
            }
            accepted.configureBlocking(false);
            accepted.register(selector, SelectionKey.OP_READ, pending);
            dropVictim(idle.add(pending));
        } catch (IOException e) {
            accepted.close(); // the host has closed it meanwhile
        }
    }

    /** Returns whether a handshake may begin, after aborting one whose host is late if the limit is reached. */
    private boolean mayBegin(long now) {
        if (handshakes.size() >= maxHandshakes) {
            handshakes.removeIf(TlsConnection::isOver);
        }
        if (handshakes.size() < maxHandshakes) {
            return true;
        }
        var late = handshakes.stream()
                .filter(connection -> connection.waitsLonger(GRACE, now))
                .findFirst();
        late.ifPresent(connection -> {
            dropped++;
            connection.abort();
            handshakes.remove(connection);
        });
        return late.isPresent();
    }

    private void begin(PendingConnection pending) {
        try {
            var connection = factory.apply(tuned(pending.channel()));
            handshakes.add(connection);
            handler.accept(connection);
        } catch (IOException e) {
            drop(pending); // the host has closed it meanwhile
        }
    }

    private static Socket tuned(SocketChannel channel) throws IOException {
        channel.configureBlocking(true);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        return channel.socket();
    }

    private void dropVictim(@Nullable PendingConnection victim) {
        if (victim != null) {
            dropped++;
            drop(victim);
        }
    }

    /** Resets the connection, so that the kernel frees its state at once. */
    private void drop(PendingConnection pending) {
        unidentified.run();
        try (var channel = pending.channel()) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // The socket is closed even so.
        }
    }

    private void report(long now) {
        if (dropped > 0 && now - reported >= REPORTS.toNanos()) {
            log.warning("Too many unauthenticated connections at " + address + ": " + dropped
                    + " were dropped in the last minute, at random among those of the networks"
                    + " with most");
            dropped = 0;
            reported = now;
        }
    }

    @Override
    void stop() throws IOException {
        channel.close();
        selector.close();
    }
}
