// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.ucx.ActiveMessage;
import dev.jurom.ucx.UcxConnectionRequest;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All connections of hosts, from their request to their end, with the limits on those that have not
 * proved anything yet. Belongs to the loop's thread.
 */
final class Sessions implements Session.Host {

    private static final int MAX_SESSIONS = 4096;
    private static final int MAX_HANDSHAKES = 256;
    /** Bytes of frames that have been announced and are on their way, of all sessions. */
    private static final long MAX_FETCHING = 16L << 20;

    /** What the service tells every host that it admits. */
    interface Offer {

        Frame.Welcome welcome(long requestId, Bytes mac);
    }

    private final EventLoop loop;
    private final ServiceLog log;
    private final Deadlines deadlines;
    private final ServiceKey key;
    private final int maxMessageSize;
    private final Offer offer;
    private final Workers workers;
    private final SecureRandom random;
    private final Map<UcxEndpoint, Session> sessions = new HashMap<>();
    private final Map<Session, EventLoop.Timer> handshakes = new HashMap<>();
    private long fetching;

    Sessions(EventLoop loop, ServiceLog log, Deadlines deadlines, ServiceKey key,
            int maxMessageSize, Offer offer, Workers workers, SecureRandom random) {
        this.loop = loop;
        this.log = log;
        this.deadlines = deadlines;
        this.key = key;
        this.maxMessageSize = maxMessageSize;
        this.offer = offer;
        this.workers = workers;
        this.random = random;
    }

    /** Somebody wants to connect. */
    void requested(UcxConnectionRequest request) {
        var client = request.clientAddress();
        if (handshakes.size() >= MAX_HANDSHAKES || sessions.size() >= MAX_SESSIONS) {
            log.warning("A connection from " + client + " is rejected: there are " + sessions.size()
                    + ", and " + handshakes.size() + " of them have not said who they are");
            request.reject();
            return;
        }
        var session = new Session(this, request.accept(this::failed), client);
        sessions.put(session.endpoint(), session);
        handshakes.put(session, loop.after(deadlines.handshake(), () -> session.end(0,
                DocaError.TIME_OUT, "The handshake took longer than "
                + deadlines.handshake().toMillis() + " ms")));
        log.debug(() -> session + " connects");
    }

    /** A message has arrived; UCX is on the stack, so that its frame is looked at later. */
    void arrived(ActiveMessage message) {
        var session = sessions.get(message.replyEndpoint());
        if (session == null) {
            log.debug(() -> "A message of unknown origin is dropped");
            return;
        }
        var length = message.length();
        if (length > session.maxLength()) {
            loop.execute(() -> session.end(0, DocaError.TOO_BIG, "A frame of " + length
                    + " bytes is longer than the " + session.maxLength()
                    + " that are allowed now"));
        } else if (length > MAX_FETCHING - fetching) {
            loop.execute(() -> session.end(0, DocaError.FULL,
                    "The service takes in more than it can hold: connect again later"));
        } else {
            fetch(session, message);
        }
    }

    private void fetch(Session session, ActiveMessage message) {
        var arena = Arena.ofConfined();
        var target = arena.allocate(Math.max(message.length(), 1)).asSlice(0, message.length());
        fetching += target.byteSize();
        message.receive(target).whenDone(status -> {
            fetching -= target.byteSize();
            if (status == UcxStatus.OK) {
                var bytes = target.toArray(ValueLayout.JAVA_BYTE);
                loop.execute(() -> session.received(bytes));
            }
            arena.close();
        });
    }

    /** The host is gone. */
    private void failed(UcxEndpoint endpoint, int status) {
        var session = sessions.get(endpoint);
        if (session != null) {
            log.debug(() -> session + " is gone: " + UcxStatus.text(status));
            close(session);
        }
    }

    private void close(Session session) {
        if (sessions.remove(session.endpoint()) != null) {
            shakenHands(session);
            session.endpoint().abort();
            session.closed();
        }
    }

    private void shakenHands(Session session) {
        var timer = handshakes.remove(session);
        if (timer != null) {
            timer.cancel();
        }
    }

    void closeAll() {
        List.copyOf(sessions.values()).forEach(this::close);
    }

    @Override
    public void opened(Session session) {
        shakenHands(session);
    }

    @Override
    public void ending(Session session) {
        shakenHands(session);
        loop.after(deadlines.ending(), () -> close(session));
    }

    @Override
    public Bytes nonce() {
        var nonce = new byte[Frame.NONCE_SIZE];
        random.nextBytes(nonce);
        return Bytes.of(nonce);
    }

    @Override
    public Frame.Welcome welcome(long requestId, Bytes mac) {
        return offer.welcome(requestId, mac);
    }

    @Override
    public ServiceKey key() {
        return key;
    }

    @Override
    public int maxMessageSize() {
        return maxMessageSize;
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public ServiceLog log() {
        return log;
    }
}
