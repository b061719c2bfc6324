// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.connections.Connection;
import dev.jurom.service.connections.FrameReader;
import dev.jurom.service.connections.FrameSender;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.status.RemoteSession;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.FrameException;
import dev.jurom.service.wire.Release;
import dev.jurom.service.workers.RequestingHost;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an authenticated host: its HELLO, and then its requests. One thread at a time reads and
 * serves; any thread may send, fail and end.
 *
 * <p>A malformed or unexpected frame is answered with ERROR and ends only this connection.
 */
final class Session implements RequestingHost {

    /** Maximum number of bytes of a frame that does not count against its user's memory for requests. */
    static final int SHORT_FRAME = 4096;

    private static final String DISCONNECTED = "the host has disconnected";
    private static final String LOST = "the connection to the host was lost: ";
    private static final int MAX_WAITING = 1024;
    private static final int MAX_REASON = 1024; // characters
    /** Number of unread answers at which the session stops reading from the host. */
    private static final int MAX_UNREAD = 8;

    /**
     * The memory that the sessions of one user may use.
     *
     * @param requests bytes of long requests, from their first byte until their worker has them
     * @param answers bytes of answers that have not been written
     * @param decoding held while decoding a long request, which takes a multiple of its length; shared by all
     *        users
     */
    record Memory(ByteBudget.Share requests, ByteBudget.Share answers, ReentrantLock decoding) {

        boolean isIdle() {
            return requests.isIdle() && answers.isIdle();
        }
    }

    private final SessionHost host;
    private final long id;
    private final Connection connection;
    private final Peer peer;
    private final Memory memory;
    private final FrameReader reader;
    private final FrameSender sender;
    private final AtomicReference<@Nullable String> ending = new AtomicReference<>(); // the reason
    private final SessionAudit audit;
    private final Instant started = Instant.now();
    private final Timers.Timer handshake;
    private boolean open; // the HELLO was accepted; confined to the reading thread
    private final AtomicInteger references = new AtomicInteger(); // changed under the lock of Workers

    /**
     * Creates a session that is not yet read from.
     *
     * @param left remaining time of its handshake
     */
    Session(SessionHost host, long id, Connection connection, Peer peer, Memory memory, Duration left)
            throws IOException {
        this.host = host;
        this.id = id;
        this.connection = connection;
        this.peer = peer;
        this.memory = memory;
        this.audit = new SessionAudit(host.log(), id, peer, connection.source());
        var time = host.deadlines().frame();
        this.reader = new FrameReader(
                connection.input(),
                host.timers(),
                time,
                () -> lost("it did not complete a frame within " + time.toMillis() + " ms"));
        this.sender = new FrameSender(
                connection.output(),
                new FrameSender.Bounds(MAX_WAITING + host.limits().references(), memory.answers(), time),
                host.timers(),
                new FrameSender.Listener() {
                    @Override
                    public void failed(String why) {
                        lost(why);
                    }

                    @Override
                    public void disconnected(IOException reason) {
                        disconnectedWhileWriting(reason);
                    }

                    @Override
                    public void overflowed() {
                        lost("it does not read its frames");
                    }
                });
        this.handshake = host.timers()
                .after(
                        left,
                        () -> end(
                                0,
                                DocaError.TIME_OUT,
                                "The handshake took longer than "
                                        + host.limits().handshake().toMillis() + " ms"));
    }

    /** Returns a number that is unique among all sessions of the service. */
    @Override
    public long id() {
        return id;
    }

    /** Writes to the audit log that the session begins. */
    void begin() {
        audit.begin();
    }

    Connection connection() {
        return connection;
    }

    @Override
    public Peer peer() {
        return peer;
    }

    /** Returns the local address at which a remote host connected. */
    @Override
    public Optional<InetAddress> localAddress() {
        return connection.localAddress();
    }

    /** Returns the number of references on workers that it holds. */
    @Override
    public int references() {
        return references.get();
    }

    @Override
    public void countReferences(int change) {
        references.addAndGet(change);
        if (!peer.isLocal()) {
            host.changed();
        }
    }

    /** Returns the session's part of the service's status; empty for a host of this machine. */
    Optional<RemoteSession> status() {
        return peer.remote()
                .map(remote -> new RemoteSession(
                        id, peer.userId(), remote.fingerprint(), remote.addressText(), started, references.get()));
    }

    /**
     * Serves the host while it sends data.
     *
     * @param later calls this again when more data has arrived
     * @return true if the session has ended; false if {@code later} runs, or has run
     */
    boolean run(Runnable later) throws InterruptedException {
        var over = true;
        try {
            over = serveFrames(later);
            if (over) {
                sender.awaitEnd();
                connection.drain();
            }
        } catch (IOException e) {
            disconnected(e);
        } finally {
            if (over) {
                ending.compareAndSet(null, DISCONNECTED);
                handshake.cancel();
                host.workers().releaseAll(this, String.valueOf(ending.get()));
                sender.abandon();
                connection.abort();
                audit.end(String.valueOf(ending.get()));
            }
        }
        return over;
    }

    private boolean serveFrames(Runnable later) throws IOException, InterruptedException {
        while (ending.get() == null) {
            sender.awaitFewerThan(MAX_UNREAD);
            if (!connection.hasInput(later)) {
                return false; // from here on, another thread may be serving
            }
            var header = reader.header();
            if (!open && header.isForeign()) {
                refuseForeign(header);
                continue;
            }
            try {
                receive(header);
            } catch (FrameException e) {
                end(header.requestId(), e.error(), "The frame is malformed: " + e.getMessage());
            }
        }
        return true;
    }

    /** Sends an ERROR to a host of another version, in that version; an ERROR has the same layout in all. */
    private void refuseForeign(FrameReader.Header header) throws IOException {
        var why = Release.refusalOf(reader.beginning(header));
        var error = DocaError.UNSUPPORTED_VERSION;
        end(Release.encode(failure(header.requestId(), error, why), header.version()), error, why);
    }

    private void receive(FrameReader.Header header) throws IOException, FrameException, InterruptedException {
        var length = header.length();
        if (length <= SHORT_FRAME || !open) {
            serve(reader.body(header, SHORT_FRAME), memory.requests().nothing());
        } else if (length > longestFrame()) {
            reader.skip(header);
            fail(
                    header.requestId(),
                    DocaError.TOO_BIG,
                    "A request of " + length + " bytes is too"
                            + " long: " + longestFrame() + " are allowed, most of them for the environment"
                            + " of a worker");
        } else {
            try (var held = memory.requests().await(length)) {
                serveLong(reader.whole(header, length), held);
            }
        }
    }

    private void serveLong(byte[] bytes, ByteBudget.Held held) throws FrameException {
        var strings = FrameDecoder.environmentStrings(bytes);
        if (strings > host.limits().environmentStrings()) {
            fail(
                    FrameDecoder.requestId(bytes),
                    DocaError.TOO_BIG,
                    "An environment of " + strings
                            + " variables is too large: the service takes "
                            + host.limits().environmentStrings());
            return;
        }
        memory.decoding().lock();
        try {
            serve(FrameDecoder.decode(bytes), held);
        } finally {
            memory.decoding().unlock();
        }
    }

    private int longestFrame() {
        return longestFrame(host.limits());
    }

    /** Returns the length of the longest accepted request in bytes. */
    static int longestFrame(Limits limits) {
        return SHORT_FRAME + limits.environmentBytes();
    }

    private void serve(Frame frame, ByteBudget.Held held) {
        host.log().trace(() -> this + " sends " + frame);
        if (open) {
            handle(frame, held);
        } else if (!(frame instanceof Frame.Hello hello)) {
            end(frame.requestId(), DocaError.BAD_STATE, "The first frame of a session must be HELLO");
        } else if (hello.maxMessageSize() != host.maxMessageSize()) {
            end(
                    hello.requestId(),
                    DocaError.INVALID_VALUE,
                    "The host's maximum message size is "
                            + Integer.toUnsignedString(hello.maxMessageSize()) + " and the service's "
                            + host.maxMessageSize() + ": they must be the same");
        } else {
            open = true;
            handshake.cancel();
            host.log().debug(() -> this + " is admitted");
            send(host.welcome(peer, hello.requestId()));
        }
    }

    private void handle(Frame frame, ByteBudget.Held held) {
        try {
            switch (frame) {
                case Frame.Spawn spawn -> host.workers().spawn(this, spawn, held);
                case Frame.Release release -> host.workers().release(this, release);
                case Frame.GetGroup get ->
                    send(new Frame.Group(get.requestId(), host.workers().ofGroup(peer.userId(), get.group())));
                default ->
                    end(
                            frame.requestId(),
                            DocaError.BAD_STATE,
                            "Only SPAWN, RELEASE and GET_GROUP are valid after HELLO");
            }
        } catch (RequestRefused e) {
            fail(frame.requestId(), e.error(), String.valueOf(e.getMessage()));
        }
    }

    /** Sends a frame, unless the session has ended. */
    @Override
    public void send(Frame.Outgoing frame) {
        host.log().trace(() -> this + " is sent " + frame);
        if (frame instanceof Frame.Spawned spawned) {
            audit.uses(spawned.workerId());
        }
        sender.send(frame);
    }

    /** Answers a request with an error. The session continues. */
    @Override
    public void fail(long requestId, DocaError error, String why) {
        logCaused(PeerCause.REQUEST, LogLevel.INFO, this + " is refused (" + error + "): " + why);
        host.counters().refused(error);
        send(failure(requestId, error, why));
    }

    /** Creates an ERROR from any text, cut to a length that can be queued for a host that does not read. */
    static Frame.Failure failure(long requestId, DocaError error, String why) {
        var cut = why.codePoints()
                .limit(MAX_REASON)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return new Frame.Failure(requestId, error, cut.replace('\0', '?'));
    }

    /** Sends an error, and ends the session when the host has received it. */
    void end(long requestId, DocaError error, String why) {
        end(FrameEncoder.encode(failure(requestId, error, why)), error, why);
    }

    private void end(byte[] failure, DocaError error, String why) {
        if (ending.compareAndSet(null, why)) {
            host.counters().refused(error);
            logCaused(PeerCause.SESSION, LogLevel.WARNING, "The connection of " + this + " is closed: " + why);
            sender.send(failure);
            sender.finish();
            host.timers().after(host.deadlines().ending(), connection::abort);
        }
    }

    /** Ends the session without a message, as soon as queued frames are written. */
    void endSilently() {
        ending.compareAndSet(null, "the service has ended");
        sender.finish();
        host.timers().after(host.deadlines().ending(), connection::abort);
        sender.atEnd(connection::abort);
    }

    /** Handles a host that disconnects while frames are being written, which is not an error. */
    private void disconnectedWhileWriting(IOException reason) {
        disconnected(reason);
        sender.abandon();
        connection.abort();
    }

    /** Records the end of the connection; that of a remote host may be lost, which is a reason of its own. */
    private void disconnected(IOException reason) {
        var isClosed = peer.isLocal() || reason instanceof EOFException;
        if (ending.compareAndSet(null, isClosed ? DISCONNECTED : LOST + reason.getMessage())) {
            host.log().debug(() -> this + " has disconnected: " + reason.getMessage());
        }
    }

    /** Ends the session of a host that cannot be reached. */
    private void lost(String why) {
        if (ending.compareAndSet(null, why)) {
            host.counters().disconnected();
            logCaused(PeerCause.SESSION, LogLevel.WARNING, "The connection of " + this + " is closed: " + why);
        }
        sender.abandon();
        connection.abort();
    }

    private void logCaused(PeerCause cause, LogLevel level, String text) {
        host.log().caused(cause, connection.source(), level, text);
    }

    /** Describes the host for the log. */
    @Override
    public String toString() {
        return peer.name() + " (session " + id + ")";
    }
}
