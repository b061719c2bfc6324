// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.sockaddr_un;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * A Unix stream socket that listens or is connected. One thread may read while another writes; any
 * thread may close it.
 *
 * <p>The sockets of the JDK report the user of a peer only by name, and looking up a name may
 * contact a server.
 */
public final class LocalSocket implements AutoCloseable {

    private static final int BLOCK = 8192;

    private final Descriptor descriptor;
    private final Poller poller;

    private LocalSocket(int number, Poller poller) throws IOException {
        this.poller = poller;
        this.descriptor = new Descriptor(number, poller);
    }

    /**
     * Creates a socket that listens at a path. The file has its permissions before a connection is possible.
     *
     * @param path the path, at most 107 bytes, where no file exists
     * @param permissions the permissions of the file
     * @param backlog the number of connections that the kernel queues until they are accepted
     * @param poller the poller for connections and their data
     * @return the socket
     * @throws IOException if the path is too long or the socket cannot be created there
     */
    public static LocalSocket listen(Path path, Set<PosixFilePermission> permissions, int backlog, Poller poller)
            throws IOException {
        var number = SystemCalls.socket(posix_h.SOCK_STREAM());
        var bound = false;
        try (var arena = Arena.ofConfined()) {
            SystemCalls.bind(number, address(arena, path));
            bound = true;
            Files.setPosixFilePermissions(path, permissions);
            SystemCalls.listen(number, backlog);
        } catch (IOException | RuntimeException e) {
            posix_h.close(number);
            if (bound) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
        return new LocalSocket(number, poller);
    }

    private static MemorySegment address(Arena arena, Path path) throws IOException {
        var address = sockaddr_un.allocate(arena);
        var bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        var destination = sockaddr_un.sun_path(address);
        if (bytes.length >= destination.byteSize()) {
            throw new IOException("the path " + path + " has " + bytes.length + " bytes, but may have at most "
                    + (destination.byteSize() - 1));
        }
        sockaddr_un.sun_family(address, (short) posix_h.AF_UNIX());
        MemorySegment.copy(bytes, 0, destination, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return address;
    }

    /**
     * Accepts a connection. Blocks until there is one or this socket is closed; not interruptible:
     * the interrupt status is preserved.
     *
     * @return the connected socket
     * @throws IOException if this socket is closed, or the process has no file descriptor left
     */
    public LocalSocket accept() throws IOException {
        return new LocalSocket(descriptor.await(SystemCalls::accept), poller);
    }

    /**
     * Returns the process that connected, as the kernel recorded it.
     *
     * @return the process, which the caller must close
     * @throws IOException if this socket is closed
     */
    public PeerProcess peer() throws IOException {
        return PeerProcess.of(descriptor);
    }

    /**
     * Returns whether a read of the input would not block, because there is data, the end, or this
     * socket is closed. Otherwise an action is run once, as soon as that is the case, so that no
     * thread needs to wait.
     *
     * @param later the action, run by the thread of the poller or the closing thread: it must not
     *         block
     * @return false if {@code later} will be run
     */
    public boolean hasInput(Runnable later) {
        return descriptor.hasInput(later);
    }

    /**
     * Returns the input from the peer.
     *
     * @return a stream whose reads block until there is data, the end, or this socket is closed
     */
    public InputStream input() {
        return descriptor.input(SystemCalls::receive);
    }

    /**
     * Returns the output to the peer. Closing the stream signals the end of the data to the peer.
     *
     * @return a stream whose writes block until the kernel has accepted all bytes or this socket is
     *         closed
     */
    public OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                Objects.checkFromIndexSize(from, length, bytes.length);
                send(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                shutdownOutput();
            }
        };
    }

    private void send(byte[] bytes, int from, int length) throws IOException {
        for (var sent = 0; sent < length; ) {
            try (var arena = Arena.ofConfined()) {
                var block = arena.allocate(Math.min(length - sent, BLOCK));
                MemorySegment.copy(bytes, from + sent, block, ValueLayout.JAVA_BYTE, 0, (int) block.byteSize());
                sent += descriptor.await(number -> SystemCalls.send(number, block));
            }
        }
    }

    /**
     * Signals the end of the data to the peer. Receiving remains possible.
     *
     * @throws IOException if this socket is closed
     */
    public void shutdownOutput() throws IOException {
        descriptor.once(number -> posix_h.shutdown(number, posix_h.SHUT_WR()));
    }

    /**
     * Signals the end of the data to the peer, and lets the peer's further sends fail. Data that has
     * arrived can still be received.
     *
     * @throws IOException if this socket is closed
     */
    public void shutdown() throws IOException {
        descriptor.once(number -> posix_h.shutdown(number, posix_h.SHUT_RDWR()));
    }

    /** Closes this socket. Threads that wait on it receive an exception. */
    @Override
    public void close() {
        descriptor.close();
    }
}
