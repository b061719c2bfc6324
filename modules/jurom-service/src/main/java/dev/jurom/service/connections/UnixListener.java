// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.linux.LocalSocket;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.threads.ServiceThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/**
 * Listens at a Unix socket. The socket replaces one that a killed service has left behind. It is bound at its final
 * path, because systemd-tmpfiles finds the sockets in use by the paths at which they were bound.
 */
public final class UnixListener extends Listener {

    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private volatile ListenAddress.Unix address; // written by the holder of this
    private final Credentials own;
    private final boolean forAll;
    private final Poller poller;
    private final Consumer<LocalSocket> handler;
    private volatile Bound bound;
    private boolean stopped; // guarded by this

    /** A listening socket, and the identity of its file. */
    private record Bound(LocalSocket socket, Object key) {}

    private UnixListener(
            ListenAddress.Unix address,
            Credentials own,
            boolean forAll,
            ServiceLog log,
            ServiceThreads threads,
            Poller poller,
            Consumer<LocalSocket> handler)
            throws IOException {
        super(log, threads);
        this.address = address;
        this.own = own;
        this.forAll = forAll;
        this.poller = poller;
        this.handler = handler;
        this.bound = bind();
    }

    /**
     * Binds the socket, but does not accept connections yet.
     *
     * @param address the path of the socket; a missing directory is created
     * @param own the user of the service
     * @param forAll whether other users may connect
     * @param log receives failures to accept
     * @param threads creates the thread that accepts
     * @param poller waits for connections and their data
     * @param handler receives each connected socket and owns it, on the listener's thread: it must not block
     * @return the listener, which the caller starts and closes
     * @throws DaemonException if another service listens there, or the path is invalid
     */
    public static UnixListener open(
            ListenAddress.Unix address,
            Credentials own,
            boolean forAll,
            ServiceLog log,
            ServiceThreads threads,
            Poller poller,
            Consumer<LocalSocket> handler) {
        try {
            return new UnixListener(address, own, forAll, log, threads, poller, handler);
        } catch (IOException | IllegalArgumentException e) {
            throw new DaemonException("The service cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    private Bound bind() throws IOException {
        var path = address.path();
        var directory = path.getParent();
        if (directory == null) {
            throw new IOException("it is in no directory");
        }
        if (!Files.isDirectory(directory)) {
            RuntimeDirectory.provide(directory, own, forAll);
        }
        new TrustedPath(own.userId(), false).require(directory);
        removeStale(path);
        var permissions = PosixFilePermissions.fromString(forAll ? "rw-rw-rw-" : "rw-------");
        var socket = LocalSocket.listen(path, permissions, BACKLOG, poller);
        try {
            return new Bound(socket, keyOf(path));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static void removeStale(Path path) throws IOException {
        if (!Files.exists(path, NOFOLLOW_LINKS)) {
            return;
        }
        var mode = (Integer) Files.getAttribute(path, "unix:mode", NOFOLLOW_LINKS);
        if ((mode & FILE_TYPE) != SOCKET) {
            throw new IOException("the file at that path is not a socket: remove it");
        }
        if (isListenedAt(path)) {
            throw new IOException("another service listens there: end it, or choose another path");
        }
        Files.deleteIfExists(path);
    }

    private static boolean isListenedAt(Path path) throws IOException {
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false); // a full backlog shows that the owner is alive
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (IOException e) {
            return true; // another failure does not show that the owner has ended
        }
    }

    private static Object keyOf(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", NOFOLLOW_LINKS);
    }

    @Override
    public ListenAddress address() {
        return address;
    }

    private boolean isInPlace() throws IOException {
        return Files.exists(address.path(), NOFOLLOW_LINKS)
                && keyOf(address.path()).equals(bound.key());
    }

    /**
     * Sets the directory of a socket in a directory that has been moved. {@link #restore} listens there.
     *
     * @param before the previous directory
     * @param now the directory
     */
    public synchronized void move(Path before, Path now) {
        if (before.equals(address.path().getParent())) {
            address = new ListenAddress.Unix(now.resolve(address.path().getFileName()));
        }
    }

    /**
     * Listens again if the socket's file has been removed. Connected hosts are not affected.
     *
     * @return whether it had been removed
     * @throws IOException if this cannot listen again, for example because another service listens at the address
     */
    public synchronized boolean restore() throws IOException {
        if (stopped || isInPlace()) {
            return false;
        }
        var before = bound.socket();
        bound = bind();
        before.close();
        return true;
    }

    @Override
    void accept() throws IOException {
        var current = bound.socket();
        LocalSocket accepted;
        try {
            accepted = current.accept();
        } catch (IOException e) {
            if (current == bound.socket()) {
                throw e;
            }
            return; // restore() has replaced it
        }
        handler.accept(accepted);
    }

    /** Removes the socket unless another service has replaced it. */
    @Override
    synchronized void stop() throws IOException {
        stopped = true;
        bound.socket().close();
        if (isInPlace()) {
            Files.deleteIfExists(address.path());
        }
    }
}
