// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxStatus;
import java.net.InetSocketAddress;

/**
 * One connection of a host: first who it is, then what it asks for. Belongs to the loop's thread.
 *
 * <p>What is malformed or out of turn is answered with ERROR and ends this connection, no other.
 */
final class Session {

    /** The state: what is accepted now. */
    private enum State { HELLO, PROOF, OPEN, ENDING, CLOSED }

    /** Active message id of all frames between host and service. */
    static final int MESSAGE_ID = 1;

    private static final int MAX_LENGTH_UNAUTHENTICATED = 4096;
    /** A host that does not read its answers is not worth more memory than this many. */
    private static final int MAX_UNSENT = 1024;

    private final Host host;
    private final UcxEndpoint endpoint;
    private final InetSocketAddress client;
    private State state = State.HELLO;
    private Frame.Hello hello;
    private Bytes serverNonce;
    private int unsent;

    /** What a session needs of the service. */
    interface Host {

        ServiceKey key();

        int maxMessageSize();

        Bytes nonce();

        Frame.Welcome welcome(long requestId, Bytes mac);

        Workers workers();

        ServiceLog log();

        /** The session is open: its time for the handshake no longer runs. */
        void opened(Session session);

        /** Nothing more is accepted; what was sent shall still leave. */
        void ending(Session session);
    }

    Session(Host host, UcxEndpoint endpoint, InetSocketAddress client) {
        this.host = host;
        this.endpoint = endpoint;
        this.client = client;
    }

    UcxEndpoint endpoint() {
        return endpoint;
    }

    /** The user that the host says it is; known once the session is open. */
    int userId() {
        return hello.userId();
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** How long a frame may be now. */
    int maxLength() {
        return isOpen() ? FrameDecoder.CONTROL_MAX : MAX_LENGTH_UNAUTHENTICATED;
    }

    /** Takes what the host has sent. */
    void received(byte[] bytes) {
        if (isOver()) {
            return;
        }
        try {
            var frame = FrameDecoder.decode(bytes, host.maxMessageSize());
            host.log().trace(() -> this + " sends " + frame);
            received(frame);
        } catch (FrameException e) {
            var requestId = bytes.length < FrameDecoder.HEADER_SIZE ? 0
                    : FrameDecoder.requestId(bytes);
            end(requestId, e.error(), "This is no frame: " + e.getMessage());
        }
    }

    private void received(Frame frame) {
        if (state == State.OPEN) {
            serve(frame);
        } else if (state == State.HELLO && frame instanceof Frame.Hello first) {
            challenge(first);
        } else if (state == State.PROOF && frame instanceof Frame.Authenticate proof) {
            admit(proof);
        } else {
            end(frame.requestId(), DocaError.BAD_STATE, "A host first says HELLO and then"
                    + " AUTHENTICATE, once, and then asks");
        }
    }

    private void challenge(Frame.Hello first) {
        hello = first;
        serverNonce = host.nonce();
        state = State.PROOF;
        send(new Frame.Challenge(first.requestId(), serverNonce));
    }

    private void admit(Frame.Authenticate proof) {
        if (!proof.mac().equals(host.key().hostProof(hello, serverNonce))) {
            end(proof.requestId(), DocaError.AUTHENTICATION, "The host does not hold the service's"
                    + " key: give both the same key file");
        } else if (hello.maxMessageSize() != host.maxMessageSize()) {
            end(proof.requestId(), DocaError.INVALID_VALUE, "The host's maximum message size is "
                    + Integer.toUnsignedString(hello.maxMessageSize()) + " and the service's "
                    + host.maxMessageSize() + ": they must be the same");
        } else {
            state = State.OPEN;
            host.opened(this);
            host.log().debug(() -> this + " is admitted");
            send(host.welcome(proof.requestId(),
                    host.key().serviceProof(hello.clientNonce(), serverNonce)));
        }
    }

    private void serve(Frame frame) {
        try {
            switch (frame) {
                case Frame.Spawn spawn -> host.workers().spawn(this, spawn);
                case Frame.Release release -> host.workers().release(this, release);
                case Frame.GetGroup get -> send(new Frame.Group(get.requestId(),
                        host.workers().ofGroup(get.group())));
                default -> end(frame.requestId(), DocaError.BAD_STATE,
                        "A host asks SPAWN, RELEASE or GET_GROUP here, nothing else");
            }
        } catch (RequestRefused e) {
            fail(frame.requestId(), e.error(), e.getMessage());
        }
    }

    /** Answers that something does not work; the session goes on. */
    void fail(long requestId, DocaError error, String why) {
        host.log().info(this + " is refused (" + error + "): " + why);
        send(new Frame.Failure(requestId, error, why.replace('\0', '?')));
    }

    /** Answers that something is wrong, and ends the session. */
    void end(long requestId, DocaError error, String why) {
        if (!isOver()) {
            send(new Frame.Failure(requestId, error, why.replace('\0', '?')));
            end(why);
        }
    }

    private void end(String why) {
        if (!isOver()) {
            host.log().warning("The connection of " + this + " is closed: " + why);
            state = State.ENDING;
            host.workers().releaseAll(this);
            host.ending(this);
        }
    }

    private boolean isOver() {
        return state == State.ENDING || state == State.CLOSED;
    }

    /** Sends a frame, unless the session is over. */
    void send(Frame frame) {
        if (isOver()) {
            return;
        }
        host.log().trace(() -> this + " is sent " + frame);
        unsent++;
        endpoint.send(MESSAGE_ID, FrameEncoder.encode(frame), 0).whenDone(this::sent);
        if (unsent > MAX_UNSENT) {
            end("it does not read");
        }
    }

    private void sent(int status) {
        unsent--;
        if (status != UcxStatus.OK) {
            host.log().debug(() -> this + " could not be told: " + UcxStatus.text(status));
        }
    }

    /** The connection is no more: all that the host held is taken back. */
    void closed() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            host.workers().releaseAll(this);
        }
    }

    /** Who the host is, for the log. */
    @Override
    public String toString() {
        return "host " + client.getAddress().getHostAddress() + " port " + client.getPort();
    }
}
