// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The client side of the socket at which a service answers probes and, if it serves all users, other users. A connection is the request: the
 * service reads the user from the kernel, writes the status and closes the connection.
 */
final class StatusSocket {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int BLOCK = 1 << 16;

    private StatusSocket() {}

    /**
     * Reads the status of a service. Blocks for at most 5 s.
     *
     * @return the text; empty if this user has no workers there, or nothing listens
     * @throws IOException if the service does not answer, for example because it is stopped, or the answer is too
     *         long
     */
    static String read(Path socket) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                var selector = Selector.open()) {
            channel.configureBlocking(false); // if the queue of the service is full, this fails instead of waiting
            if (!connects(channel, socket)) {
                return "";
            }
            channel.register(selector, SelectionKey.OP_READ);
            return read(channel, selector, socket);
        }
    }

    /**
     * Returns whether a service answers. Blocks for at most 5 s.
     *
     * @return true also for a service of a release without this socket
     */
    static boolean answers(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                var selector = Selector.open()) {
            if (!Files.exists(socket)) {
                return true;
            }
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                return false;
            }
            channel.register(selector, SelectionKey.OP_READ);
            read(channel, selector, socket);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean connects(SocketChannel channel, Path socket) {
        try {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            return false; // the service starts, ends or has been killed
        }
    }

    private static String read(SocketChannel channel, Selector selector, Path socket) throws IOException {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        var text = new ByteArrayOutputStream();
        var block = ByteBuffer.allocate(BLOCK);
        while (text.size() <= ServiceStatus.MAX_FOREIGN) {
            var left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0 || selector.select(key -> {}, left) == 0) {
                throw new IOException(
                        "the service does not answer at " + socket + " within " + TIMEOUT.toMillis() + " ms");
            }
            var count = channel.read(block.clear());
            if (count < 0) {
                return text.toString(StandardCharsets.UTF_8);
            }
            text.write(block.array(), 0, count);
        }
        throw new IOException(
                "the service answers at " + socket + " with more than " + ServiceStatus.MAX_FOREIGN + " bytes");
    }
}
