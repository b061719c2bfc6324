// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.sockaddr_un;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** The socket at which a service manager receives notifications. */
public final class NotifySocket implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int MAX_LENGTH = 4096;

    private final Path path;
    private final int number;

    public NotifySocket(Path path) {
        this.path = path;
        this.number = posix_h.socket(posix_h.AF_UNIX(), posix_h.SOCK_DGRAM(), 0);
        try (var arena = Arena.ofConfined()) {
            var address = sockaddr_un.allocate(arena);
            sockaddr_un.sun_family(address, (short) posix_h.AF_UNIX());
            sockaddr_un.sun_path(address).setString(0, path.toString());
            assertEquals(0, posix_h.bind(number, address, (int) address.byteSize()));
        }
    }

    /** Returns the value of {@code NOTIFY_SOCKET}. */
    public String name() {
        return path.toString();
    }

    /** Waits for a message. */
    public String receive() {
        try (var arena = Arena.ofConfined()) {
            var wanted = pollfd.allocate(arena);
            pollfd.fd(wanted, number);
            pollfd.events(wanted, (short) posix_h.POLLIN());
            assertEquals(1, posix_h.poll(wanted, 1, TIMEOUT_MILLIS), "no message");
            var message = arena.allocate(MAX_LENGTH);
            posix_h.recv(number, message, MAX_LENGTH - 1, 0);
            return message.getString(0);
        }
    }

    @Override
    public void close() {
        posix_h.close(number);
    }
}
