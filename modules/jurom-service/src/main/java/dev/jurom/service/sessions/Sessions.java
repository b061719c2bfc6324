// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.BoundedWait;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.connections.Connection;
import dev.jurom.service.connections.TlsConnection;
import dev.jurom.service.connections.UnixConnection;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.status.RemoteSession;
import dev.jurom.service.wire.FrameEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All connections of hosts, from start to end, and the limits on them. A TLS connection has a thread, a local
 * one only while its host sends data. This class is thread-safe.
 */
public final class Sessions {

    /** Heap bytes of a TLS connection whose host sends records of maximum size. */
    private static final int TLS_BYTES = 64 << 10;

    /** Heap bytes of a local connection whose host is sending; an idle one takes a quarter. */
    private static final int LOCAL_BYTES = 8 << 10;
    /** Heap bytes without local connections, including the minimum shares of requests and answers. */
    private static final long FIXED_BYTES = 64 << 20;

    /** The connections of one user. */
    private final class User {
        private final Session.Memory memory = new Session.Memory(requests.share(), answers.share(), decoding);
        private final ByteBudget.Share tls = Sessions.this.tls.share();
        private int connections;
    }

    private final SessionHost host;
    private final ByteBudget requests;
    private final ByteBudget answers;
    private final ByteBudget tls = ByteBudget.ofHeap(2, 3, TLS_BYTES);
    private final ReentrantLock decoding = new ReentrantLock(true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Set<Connection> connections = new HashSet<>(); // this and the rest: guarded by the lock
    private final Set<Session> sessions = new HashSet<>();
    private final Map<Integer, User> users = new HashMap<>();
    private int count; // connections of all users
    private long lastId;
    private boolean closing;

    /**
     * Creates an empty set of connections, whose memory is a part of this process's heap.
     *
     * @param host the service
     */
    public Sessions(SessionHost host) {
        this.host = host;
        var longest = Session.longestFrame(host.limits());
        this.requests = ByteBudget.ofHeap(8, 16, longest);
        this.answers = ByteBudget.ofHeap(8, 8, longest);
    }

    /**
     * Computes the heap that connections may take; {@code src/main/install/daemon-options} adds more.
     *
     * @param limits the limits on connections
     * @return the number of bytes
     */
    public static long heapOf(Limits limits) {
        return FIXED_BYTES + (long) limits.connections() * LOCAL_BYTES;
    }

    /**
     * Serves a host of this machine. The connection counts against the limits of its user before it uses other
     * resources. Does not block.
     *
     * @param connection the connection, which this closes
     */
    public void serve(UnixConnection connection) {
        if (host.descriptors().isReached()) {
            sendError(connection, DocaError.FULL, lackOfDescriptors());
            connection.abort();
            return;
        }
        try {
            host.requireAccount(connection.userId());
            var user = enter(connection.userId());
            if (!begin(connection, new LocalTask(connection, user), () -> leave(connection.userId()))) {
                leave(connection.userId());
            }
        } catch (RequestRefused e) {
            refuse(connection, e.error(), String.valueOf(e.getMessage()));
            connection.abort();
        }
    }

    /**
     * Sends the status of the service to a process of this machine, for which the connection is the request. It counts
     * against the limits of its user. Does not block.
     *
     * @param connection the connection, which this closes
     * @param status returns the part of the status that the user may read
     */
    public void sendStatus(UnixConnection connection, Supplier<String> status) {
        if (host.descriptors().isReached()) {
            lackOfDescriptors();
            connection.abort();
            return;
        }
        try {
            enter(connection.userId());
            if (!begin(connection, later -> answer(connection, status.get()), () -> leave(connection.userId()))) {
                leave(connection.userId());
            }
        } catch (RequestRefused e) {
            refused(connection, e.error(), String.valueOf(e.getMessage()));
            connection.abort();
        }
    }

    private boolean answer(UnixConnection connection, String text) {
        var timer = host.timers().after(host.deadlines().frame(), connection::abort);
        try (var output = connection.output()) {
            output.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            host.log().debug(() -> connection + " has not read the status: " + e.getMessage());
        } finally {
            timer.cancel();
        }
        return true;
    }

    /**
     * Serves a remote host that has sent data. It does not count against the limits of authenticated hosts
     * before it has authenticated. Does not block.
     *
     * @param connection the connection, which this closes
     */
    public void serve(TlsConnection connection) {
        if (host.descriptors().isReached()) {
            lackOfDescriptors();
            connection.abort();
            return;
        }
        var begin = System.nanoTime();
        begin(connection, later -> serve(connection, begin), () -> {});
    }

    /** Logs and counts a refusal for lack of descriptors, and returns its reason. */
    private String lackOfDescriptors() {
        var why = "The service uses " + host.descriptors()
                + ": connect again later, or start it with a higher limit of open files";
        host.log().caused(PeerCause.DESCRIPTORS, "all hosts", LogLevel.ERROR, "Connections are refused: " + why);
        host.counters().refused(DocaError.FULL);
        return why;
    }

    /** The work for a connection. */
    private interface ConnectionTask {

        /** Handles the data that has arrived. Returns false if {@code later} continues the work. */
        boolean run(Runnable later) throws IOException, RequestRefused, InterruptedException;
    }

    /** The work for a local connection. */
    private final class LocalTask implements ConnectionTask {

        private final UnixConnection connection;
        private final User user;
        private final long begin = System.nanoTime();
        private @Nullable Session session; // null until the host is authenticated

        LocalTask(UnixConnection connection, User user) {
            this.connection = connection;
            this.user = user;
        }

        @Override
        public boolean run(Runnable later) throws IOException, RequestRefused, InterruptedException {
            if (session == null) {
                session = open(connection, connection.identify(), user, begin);
            }
            return serve(session, later);
        }
    }

    /**
     * Starts to serve a connection. If the service is ending or has no memory for a thread, closes it and
     * returns false.
     */
    private boolean begin(Connection connection, ConnectionTask task, Runnable last) {
        if (!add(connection)) {
            host.counters().refused(DocaError.SHUTDOWN);
        } else {
            try {
                start(connection, task, last);
                return true;
            } catch (OutOfMemoryError e) {
                remove(connection);
                host.counters().refused(DocaError.NO_MEMORY);
                host.log().causedFailure(connection.source(), connection + " cannot be served", e);
            }
        }
        connection.abort();
        return false;
    }

    private boolean add(Connection connection) {
        lock.lock();
        try {
            return !closing && connections.add(connection);
        } finally {
            lock.unlock();
        }
    }

    private String limitReached() {
        return "The service has " + host.limits().connections() + " connections, its limit: connect again later";
    }

    private void start(Connection connection, ConnectionTask task, Runnable last) {
        host.timers().threads().execute(() -> run(connection, task, last));
    }

    private void run(Connection connection, ConnectionTask task, Runnable last) {
        var over = true;
        try {
            over = task.run(() -> host.timers().run(() -> run(connection, task, last)));
        } catch (RequestRefused e) {
            refuse(connection, e.error(), String.valueOf(e.getMessage()));
            drain(connection);
        } catch (IOException e) {
            logUnidentified(connection, e);
            host.counters().unidentified();
            drain(connection);
        } catch (InterruptedException e) {
            throw new AssertionError("a session is not interrupted", e);
        } catch (RuntimeException | Error e) { // a failure caused by one host must be logged
            host.log().causedFailure(connection.source(), "The connection of " + connection + " failed", e);
        } finally {
            if (over) {
                connection.abort();
                remove(connection);
                last.run();
            }
        }
    }

    private void logUnidentified(Connection connection, IOException reason) {
        if (reason.getCause() instanceof CertificateException unauthorized) {
            host.log()
                    .caused(
                            PeerCause.UNIDENTIFIED,
                            connection.source(),
                            LogLevel.WARNING,
                            connection + " is refused: " + unauthorized.getMessage());
        } else {
            host.log()
                    .caused(
                            PeerCause.UNIDENTIFIED,
                            connection.source(),
                            LogLevel.INFO,
                            connection + " did not authenticate: " + reason.getMessage());
        }
    }

    private boolean serve(TlsConnection connection, long begin)
            throws IOException, RequestRefused, InterruptedException {
        var timer = host.timers().after(host.limits().handshake(), connection::abort);
        Peer peer;
        try {
            peer = connection.identify();
        } finally {
            timer.cancel();
        }
        var user = enter(peer.userId());
        try {
            return serveInMemory(connection, peer, user, begin);
        } finally {
            leave(peer.userId());
        }
    }

    private boolean serveInMemory(TlsConnection connection, Peer peer, User user, long begin)
            throws IOException, RequestRefused, InterruptedException {
        if (!user.tls.take(TLS_BYTES)) {
            throw new RequestRefused(
                    DocaError.FULL,
                    "The service has no memory for more"
                            + " connections of this user from other machines: close some, or give the"
                            + " service a larger heap (JUROM_DAEMON_HEAP)");
        }
        try {
            return serve(open(connection, peer, user, begin), () -> {});
        } finally {
            user.tls.release(TLS_BYTES);
        }
    }

    private boolean serve(Session session, Runnable later) throws InterruptedException {
        var over = true;
        try {
            over = session.run(later);
        } finally {
            if (over) {
                remove(session);
            }
        }
        return over;
    }

    private User enter(int userId) throws RequestRefused {
        lock.lock();
        try {
            if (count >= host.limits().connections()) {
                throw new RequestRefused(DocaError.FULL, limitReached());
            }
            var user = users.computeIfAbsent(userId, id -> new User());
            if (user.connections >= host.limits().connectionsPerUser()) {
                throw new RequestRefused(
                        DocaError.FULL,
                        "The service has " + user.connections
                                + " connections of this user, the limit for one: close some, or start it"
                                + " with a higher --max-connections-per-user");
            }
            user.connections++;
            count++;
            return user;
        } finally {
            lock.unlock();
        }
    }

    private void leave(int userId) {
        lock.lock();
        try {
            count--;
            var user = users.get(userId);
            // A starting worker may still hold bytes, which must count when the user connects again.
            if (user != null && --user.connections == 0 && user.memory.isIdle()) {
                users.remove(userId);
            }
        } finally {
            lock.unlock();
        }
    }

    private Session open(Connection connection, Peer peer, User user, long begin) throws IOException {
        var left = host.limits().handshake().minus(Duration.ofNanos(System.nanoTime() - begin));
        var session = add(connection, peer, user, left);
        session.begin();
        if (!host.isAuthorized(peer)) { // its authorization was removed while it connected
            endUnauthorized(session);
        }
        return session;
    }

    private Session add(Connection connection, Peer peer, User user, Duration left) throws IOException {
        lock.lock();
        try {
            var session = new Session(host, ++lastId, connection, peer, user.memory, left);
            sessions.add(session);
            host.counters().sessionBegins();
            if (!peer.isLocal()) {
                host.changed();
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Session session) {
        lock.lock();
        try {
            sessions.remove(session);
            host.counters().sessionEnds();
            if (!session.peer().isLocal()) {
                host.changed();
            }
        } finally {
            lock.unlock();
        }
    }

    private void remove(Connection connection) {
        lock.lock();
        try {
            connections.remove(connection);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Logs the reason and sends it without blocking, which succeeds because nothing has been sent before. */
    private void refuse(Connection connection, DocaError error, String why) {
        refused(connection, error, why);
        sendError(connection, error, why);
    }

    private void refused(Connection connection, DocaError error, String why) {
        host.log()
                .caused(
                        PeerCause.CONNECTION,
                        connection.source(),
                        LogLevel.INFO,
                        connection + " is refused (" + error + "): " + why);
        host.counters().refused(error);
    }

    private void sendError(Connection connection, DocaError error, String why) {
        try (var output = connection.output()) {
            output.write(FrameEncoder.encode(Session.failure(0, error, why)));
        } catch (IOException e) {
            host.log().debug(() -> connection + " could not be notified: " + e.getMessage());
        }
    }

    private void drain(Connection connection) {
        var timer = host.timers().after(host.deadlines().ending(), connection::abort);
        try {
            connection.drain();
        } catch (IOException e) {
            host.log().debug(() -> connection + " has disconnected: " + e.getMessage());
        } finally {
            timer.cancel();
        }
    }

    /** {@return the sessions of remote hosts for the service's status, in the order of their starts} */
    public List<RemoteSession> remote() {
        lock.lock();
        try {
            return sessions.stream()
                    .sorted(Comparator.comparing(Session::id))
                    .flatMap(session -> session.status().stream())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the sessions of hosts that are no longer authorized. */
    public void endUnauthorized() {
        lock.lock();
        try {
            sessions.stream()
                    .filter(session -> !host.isAuthorized(session.peer()))
                    .forEach(Sessions::endUnauthorized);
        } finally {
            lock.unlock();
        }
    }

    private static void endUnauthorized(Session session) {
        session.end(0, DocaError.NOT_PERMITTED, "This host is no longer authorized");
    }

    /**
     * Ends all sessions when their queued frames are written, and waits until their threads have ended. Not
     * interruptible: the interrupt status is preserved.
     *
     * @param timeout maximum time to wait
     */
    public void end(Duration timeout) {
        lock.lock();
        try {
            closing = true;
            sessions.forEach(Session::endSilently);
            var served = sessions.stream().map(Session::connection).collect(Collectors.toSet());
            connections.stream()
                    .filter(connection -> !served.contains(connection))
                    .forEach(Connection::abort);
            BoundedWait.within(timeout, time -> {
                for (var left = time; !connections.isEmpty() && left > 0; ) {
                    left = ended.awaitNanos(left);
                }
                return connections.isEmpty();
            });
        } finally {
            lock.unlock();
        }
    }
}
