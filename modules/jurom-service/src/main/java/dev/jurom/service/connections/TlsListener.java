// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.runtime.DaemonException;
import dev.jurom.service.connections.Strangers.Stranger;
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
 * Listens at a TCP port. A host that has vanished is noticed within half a minute.
 *
 * <p>A connection has no thread and no TLS before it has sent something, and then waits until its
 * handshake may begin. Handshakes have a number of places. While others wait, a handshake loses its
 * place when the service has waited longer than {@link #GRACE} for the host. So a handshake that
 * has begun has the time for a round trip, however many wait. Answers to strangers take at most half
 * of the processors ({@link TlsIdentity}): of r first messages a second from the network of a host,
 * a service that answers c a second takes each with a chance of c / r, and a host connects again when
 * it is dropped.
 */
public final class TlsListener extends Listener {

    private static final int BACKLOG = 4096; // the kernel's own limit may be lower
    private static final int ACCEPTED_AT_ONCE = 256;
    private static final Duration GRACE = Duration.ofMillis(250);
    /** Between two attempts to begin handshakes while all places are taken. */
    private static final int PAUSE_MILLIS = 2;
    /** Between two searches for connections whose time is up. */
    private static final int SWEEP_MILLIS = 250;

    private static final Duration REPORTS = Duration.ofMinutes(1);

    private static final int IDLE_SECONDS = 10;
    private static final int INTERVAL_SECONDS = 5;
    private static final int PROBES = 4;

    private final ServerSocketChannel channel;
    private final Selector selector;
    private final ListenAddress.Tls address;
    private final Duration patience;
    private final ServiceLog log;
    private final Function<Socket, TlsConnection> maker;
    private final Consumer<TlsConnection> taker;
    private final Strangers silent; // this and the rest: of the thread that accepts
    private final Strangers speaking;
    private final int places;
    private final Deque<TlsConnection> handshakes = new ArrayDeque<>(); // the oldest first
    private boolean isReady; // for a connection to be accepted
    private boolean lagging; // behind those that the system keeps
    private long swept = System.nanoTime();
    private long dropped;
    private long reported = System.nanoTime() - REPORTS.toNanos();

    private TlsListener(
            ServerSocketChannel channel,
            Limits limits,
            ServiceLog log,
            ServiceThreads threads,
            Function<Socket, TlsConnection> maker,
            Consumer<TlsConnection> taker)
            throws IOException {
        super(log, threads);
        this.channel = channel;
        this.address = new ListenAddress.Tls((InetSocketAddress) channel.getLocalAddress());
        this.patience = limits.handshake();
        this.log = log;
        this.maker = maker;
        this.taker = taker;
        this.silent = new Strangers(limits.unauthenticated());
        this.places = Math.max(1, limits.unauthenticated() / 2);
        this.speaking = new Strangers(places);
        this.selector = channel.provider().openSelector();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Listens, but does not accept yet.
     *
     * @param taker is given connections that have sent something
     * @throws DaemonException if that is not possible
     */
    public static TlsListener open(
            ListenAddress.Tls address,
            Limits limits,
            ServiceLog log,
            ServiceThreads threads,
            Function<Socket, TlsConnection> maker,
            Consumer<TlsConnection> taker) {
        try {
            var channel = ServerSocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(address.resolved(), BACKLOG);
                return new TlsListener(channel, limits, log, threads, maker, taker);
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

    /** One round: accepts, listens to strangers, and begins handshakes. */
    @Override
    void accept() throws IOException {
        listen();
        if (isReady) {
            isReady = false;
            acceptSome();
        }
        var now = System.nanoTime();
        while (speaking.size() > 0 && hasPlace(now)) {
            begin(speaking.take());
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
            dropLate(System.nanoTime() + patience.toNanos());
            throw new IOException("the service ends", e);
        }
    }

    /** 0 stands for a wait without end: a service without strangers does not wake up. */
    private int pauseMillis() {
        if (speaking.size() > 0) {
            return PAUSE_MILLIS;
        }
        return silent.size() > 0 || !handshakes.isEmpty() || dropped > 0 ? SWEEP_MILLIS : 0;
    }

    private void handle(SelectionKey key) {
        if (!(key.attachment() instanceof Stranger stranger)) {
            isReady = true;
        } else if (key.isValid()) { // or it has been displaced meanwhile
            key.cancel();
            silent.remove(stranger);
            dropVictim(speaking.add(stranger));
        }
    }

    private void dropLate(long now) {
        silent.removeLate(now).forEach(TlsListener::drop);
        speaking.removeLate(now).forEach(TlsListener::drop);
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
            var stranger = Strangers.of(accepted, accepted.getRemoteAddress(), System.nanoTime() + patience.toNanos());
            if (lagging && (silent.refuses(stranger) || speaking.refuses(stranger))) {
                dropVictim(stranger);
                return;
            }
            accepted.configureBlocking(false);
            accepted.register(selector, SelectionKey.OP_READ, stranger);
            dropVictim(silent.add(stranger));
        } catch (IOException e) {
            accepted.close(); // it has gone again
        }
    }

    /** Whether a handshake may begin; one whose host is late ends for it. */
    private boolean hasPlace(long now) {
        if (handshakes.size() >= places) {
            handshakes.removeIf(TlsConnection::isOver);
        }
        if (handshakes.size() < places) {
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

    private void begin(Stranger stranger) {
        try {
            var connection = maker.apply(tuned(stranger.channel()));
            handshakes.add(connection);
            taker.accept(connection);
        } catch (IOException e) {
            drop(stranger); // it has gone again
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

    private void dropVictim(@Nullable Stranger victim) {
        if (victim != null) {
            dropped++;
            drop(victim);
        }
    }

    /** Resets it, so that the kernel keeps nothing of it either. */
    private static void drop(Stranger stranger) {
        try (var channel = stranger.channel()) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    private void report(long now) {
        if (dropped > 0 && now - reported >= REPORTS.toNanos()) {
            log.warning("Too many connections at " + address + " do not authenticate: " + dropped
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
