// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.sockaddr_un;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A Unix stream socket that listens or is connected. One thread may read while another writes; any
 * thread may close.
 *
 * <p>The JDK's own sockets tell the peer's user only by name, and that lookup may ask a server.
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
     * Listens at a path where there is nothing yet.
     *
     * @param path at most 107 bytes
     * @param backlog connections that the kernel keeps until they are accepted
     * @param poller waits for connections, and for the data of each
     * @return the socket
     * @throws IOException if the path is too long or the socket cannot be made there
     */
    public static LocalSocket listen(Path path, int backlog, Poller poller) throws IOException {
        var number = SystemCalls.socket(posix_h.SOCK_STREAM());
        try (var arena = Arena.ofConfined()) {
            SystemCalls.bind(number, address(arena, path));
            SystemCalls.listen(number, backlog);
        } catch (IOException | RuntimeException e) {
            posix_h.close(number);
            throw e;
        }
        return new LocalSocket(number, poller);
    }

    private static MemorySegment address(Arena arena, Path path) throws IOException {
        var address = sockaddr_un.allocate(arena);
        var bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        var place = sockaddr_un.sun_path(address);
        if (bytes.length >= place.byteSize()) {
            throw new IOException("the path " + path + " has " + bytes.length + " bytes, and " + (place.byteSize() - 1)
                    + " are possible");
        }
        sockaddr_un.sun_family(address, (short) posix_h.AF_UNIX());
        MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return address;
    }

    /**
     * Waits for a connection. Blocks until there is one or this is closed.
     *
     * @return the connected socket
     * @throws IOException if this is closed, or the process has no descriptor left
     */
    public LocalSocket accept() throws IOException {
        return new LocalSocket(descriptor.await(SystemCalls::accept), poller);
    }

    /**
     * Returns the process that connected, as the kernel recorded it.
     *
     * @return the process, to be closed
     * @throws IOException if this is closed
     */
    public PeerProcess peer() throws IOException {
        return PeerProcess.of(descriptor);
    }

    /**
     * Returns whether a read of the input would not block: there is data, the end, or this is
     * closed. Otherwise an action is run once, as soon as that is so, so that no thread has to wait.
     *
     * @param later runs on the poller's thread, or on the one that closes this: it must not block
     * @return false if {@code later} is going to be run
     */
    public boolean hasInput(Runnable later) {
        return descriptor.hasInput(later);
    }

    /**
     * Returns what the peer sends.
     *
     * @return a stream whose reads block until there is data, the end, or this is closed
     */
    public InputStream input() {
        return descriptor.input(SystemCalls::receive);
    }

    /**
     * Returns where to send to the peer. Closing the stream tells the peer that there is no more.
     *
     * @return a stream whose writes block until the kernel has taken all bytes or this is closed
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
     * Tells the peer that nothing more is sent. Receiving goes on.
     *
     * @throws IOException if this is closed
     */
    public void shutdownOutput() throws IOException {
        descriptor.once(number -> posix_h.shutdown(number, posix_h.SHUT_WR()));
    }

    /** Ends the connection, or stops listening. Threads that wait on it get an exception. */
    @Override
    public void close() {
        descriptor.close();
    }
}
