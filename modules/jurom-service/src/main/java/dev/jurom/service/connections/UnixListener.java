// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

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
 * Listens at a Unix socket. The socket appears under its name only with its final permissions, and replaces the
 * socket of a service that was killed.
 */
public final class UnixListener extends Listener {

    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final ListenAddress.Unix address;
    private final LocalSocket socket;
    private final Object key;
    private final Consumer<LocalSocket> handler;

    private UnixListener(
            ListenAddress.Unix address,
            LocalSocket socket,
            Object key,
            ServiceLog log,
            ServiceThreads threads,
            Consumer<LocalSocket> handler) {
        super(log, threads);
        this.address = address;
        this.socket = socket;
        this.key = key;
        this.handler = handler;
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
            var directory = address.path().getParent();
            if (directory == null) {
                throw new IOException("it is in no directory");
            }
            if (!Files.isDirectory(directory)) {
                RuntimeDirectory.provide(directory, own, forAll);
            }
            new TrustedPath(own.userId(), false).require(directory);
            removeStale(address);
            var socket = bind(address.path(), forAll, poller);
            return new UnixListener(address, socket, keyOf(address.path()), log, threads, handler);
        } catch (IOException | IllegalArgumentException e) {
            throw new DaemonException("The service cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    private static void removeStale(ListenAddress.Unix address) throws IOException {
        var path = address.path();
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

    private static LocalSocket bind(Path path, boolean forAll, Poller poller) throws IOException {
        var first = path.resolveSibling("." + Long.toHexString(System.nanoTime() & 0xFFFFFFFFL));
        var socket = LocalSocket.listen(first, BACKLOG, poller);
        try {
            Files.setPosixFilePermissions(first, PosixFilePermissions.fromString(forAll ? "rw-rw-rw-" : "rw-------"));
            Files.move(first, path, ATOMIC_MOVE);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            Files.deleteIfExists(first);
            throw e;
        }
    }

    private static Object keyOf(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", NOFOLLOW_LINKS);
    }

    @Override
    public ListenAddress address() {
        return address;
    }

    @Override
    void accept() throws IOException {
        handler.accept(socket.accept());
    }

    /** Removes the socket unless another service has replaced it. */
    @Override
    void stop() throws IOException {
        socket.close();
        if (Files.exists(address.path(), NOFOLLOW_LINKS)
                && keyOf(address.path()).equals(key)) {
            Files.deleteIfExists(address.path());
        }
    }
}
