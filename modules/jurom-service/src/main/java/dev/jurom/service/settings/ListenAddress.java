// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.runtime.internal.PathText;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** An address at which a service listens. Its text is {@code unix:PATH} or {@code HOST:PORT}. */
public sealed interface ListenAddress {

    /** The default port of a service. */
    int DEFAULT_PORT = 7471;

    /** Maximum length of the path of a Unix socket, in bytes. */
    int MAX_PATH = RuntimeDirectory.MAX_SOCKET_PATH;

    /** The prefix of a Unix socket's address. */
    String UNIX = "unix:";

    /**
     * Returns the default address of a service of this process's user.
     *
     * @return {@code jurom/urom.sock} in {@code XDG_RUNTIME_DIR}, for root
     *         {@code /run/jurom/urom.sock}, else {@code /tmp/jurom-UID/urom.sock}
     */
    static ListenAddress usual() {
        return new Unix(RuntimeDirectory.base(Credentials.ofThisProcess()).resolve("urom.sock"));
    }

    /**
     * A Unix socket, for hosts of the same machine, which the kernel authenticates.
     *
     * @param path the path of the socket
     */
    record Unix(Path path) implements ListenAddress {

        /**
         * Creates an address.
         *
         * @throws IllegalArgumentException if the path is not valid for a Unix socket
         */
        public Unix {
            path = path.toAbsolutePath().normalize();
            var length = path.toString().getBytes(StandardCharsets.UTF_8).length;
            if (length > MAX_PATH) {
                throw new IllegalArgumentException("The path " + path + " has " + length
                        + " bytes, and that of a Unix socket at most " + MAX_PATH
                        + ": choose a shorter one");
            }
            if (path.getFileName() == null) {
                throw new IllegalArgumentException("The path " + path + " cannot be a socket");
            }
        }

        @Override
        public String toString() {
            return UNIX + path;
        }
    }

    /**
     * A TCP address with TLS 1.3, for hosts of other machines, which their certificates authenticate.
     *
     * @param socket the address and port; port 0 lets the system choose. An unresolved host name is
     *        resolved again when the service listens
     */
    record Tls(InetSocketAddress socket) implements ListenAddress {

        /**
         * Returns the address, after resolving a host name that was not resolved before. Blocks while
         * the system resolves it.
         *
         * @return the address and port, resolved
         * @throws UnknownHostException if the host name cannot be resolved
         */
        public InetSocketAddress resolved() throws UnknownHostException {
            return socket.isUnresolved()
                    ? new InetSocketAddress(InetAddress.getByName(socket.getHostString()), socket.getPort())
                    : socket;
        }

        /**
         * Returns whether this machine does not have the address yet, as before its network is up: no
         * socket can be bound to it, or its host name cannot be resolved. Blocks while the system
         * resolves a host name.
         *
         * @return true if the address is absent
         * @throws IOException if no socket can be created
         */
        public boolean isAbsent() throws IOException {
            try (var probe = SocketChannel.open()) {
                probe.bind(new InetSocketAddress(resolved().getAddress(), 0));
                return false;
            } catch (BindException | UnknownHostException e) { // port 0: any free port would do
                return true;
            }
        }

        @Override
        public String toString() {
            var host = socket.isUnresolved()
                    ? socket.getHostString()
                    : socket.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + socket.getPort();
        }
    }

    /**
     * Parses an address.
     *
     * @param text {@code unix:PATH} or {@code HOST:PORT}, with an IPv6 address in brackets
     * @return the address
     * @throws IllegalArgumentException if it is neither
     */
    static ListenAddress parse(String text) {
        if (text.startsWith(UNIX) && text.length() > UNIX.length()) {
            return new Unix(PathText.of("The path of a Unix socket", text.substring(UNIX.length())));
        }
        var colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty()
                || !text.substring(colon + 1).matches("[0-9]{1,5}")
                || Integer.parseInt(text.substring(colon + 1)) > 65_535) {
            throw new IllegalArgumentException(
                    "The address \"" + text + "\" is neither unix:PATH" + " nor HOST:PORT with a port from 0 to 65535");
        }
        var socket = new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
        if (socket.isUnresolved() && host.contains(":")) {
            throw new IllegalArgumentException("The address \"" + text + "\" has no valid IPv6 address in brackets");
        }
        return new Tls(socket);
    }
}
