// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.sockaddr_un;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The service manager that started this process, such as systemd. It receives messages of the main
 * process of a service at a datagram socket, which channels of the JDK do not support. This class
 * is thread-safe.
 */
public final class ServiceManager {

    private static final String VARIABLE = "NOTIFY_SOCKET";
    private static final String WATCHDOG = "WATCHDOG_USEC";
    private static final String WATCHED_PROCESS = "WATCHDOG_PID";
    private static final char ABSTRACT = '@';
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String socket;

    private ServiceManager(String socket) {
        this.socket = socket;
    }

    /**
     * Returns the manager that the environment variable {@code NOTIFY_SOCKET} specifies.
     *
     * @return the manager; empty if the variable is not set or empty
     */
    public static Optional<ServiceManager> ofThisProcess() {
        return at(System.getenv().getOrDefault(VARIABLE, ""));
    }

    /**
     * Returns the manager that receives messages at a socket.
     *
     * @param socket an absolute path, or {@code @} and a name in the abstract namespace
     * @return the manager; empty if {@code socket} is empty
     */
    static Optional<ServiceManager> at(String socket) {
        return socket.isEmpty() ? Optional.empty() : Optional.of(new ServiceManager(socket));
    }

    /**
     * Returns the maximum time between two messages {@code WATCHDOG=1}, after which the manager ends this process, as
     * {@code sd_watchdog_enabled(3)} does.
     *
     * @return the time; empty if the manager expects no such messages, or expects them of another process
     */
    public static Optional<Duration> watchdog() {
        return watchdog(System.getenv(), ProcessHandle.current().pid());
    }

    static Optional<Duration> watchdog(Map<String, String> environment, long process) {
        var micros = environment.getOrDefault(WATCHDOG, "");
        var own = Long.toString(process);
        return micros.matches("[1-9][0-9]{0,15}")
                        && environment.getOrDefault(WATCHED_PROCESS, own).equals(own)
                ? Optional.of(Duration.of(Long.parseLong(micros), ChronoUnit.MICROS))
                : Optional.empty();
    }

    /**
     * Sends a message, as {@code sd_notify(3)} does. Blocks for at most one second while the queue
     * of the manager is full; not interruptible: the interrupt status is preserved.
     *
     * @param state assignments, one on each line, such as {@code READY=1}
     * @throws IOException if the manager does not receive the message
     */
    public void notify(String state) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocateFrom(state, StandardCharsets.UTF_8);
            var number = SystemCalls.socket(posix_h.SOCK_DGRAM());
            try {
                SystemCalls.connect(number, address(arena));
                send(number, bytes.asSlice(0, bytes.byteSize() - 1)); // without the terminating zero
            } finally {
                posix_h.close(number);
            }
        } catch (IOException e) {
            throw new IOException(
                    "the service manager at " + socket + " (" + VARIABLE + ") cannot be notified: " + e.getMessage(),
                    e);
        }
    }

    private MemorySegment address(Arena arena) throws IOException {
        var address = sockaddr_un.allocate(arena);
        var path = sockaddr_un.sun_path(address);
        var bytes = socket.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= path.byteSize()) {
            throw new IOException(
                    "the address has " + bytes.length + " bytes, but may have at most " + (path.byteSize() - 1));
        }
        sockaddr_un.sun_family(address, (short) posix_h.AF_UNIX());
        MemorySegment.copy(bytes, 0, path, ValueLayout.JAVA_BYTE, 0, bytes.length);
        if (socket.charAt(0) != ABSTRACT) {
            return address;
        }
        path.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
        // In the abstract namespace, each byte that the length includes is part of the name.
        return address.asSlice(0, sockaddr_un.sun_path$offset() + bytes.length);
    }

    private static void send(int number, MemorySegment bytes) throws IOException {
        var start = System.nanoTime();
        while (SystemCalls.send(number, bytes) == SystemCalls.AGAIN) {
            if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new IOException("its queue stayed full for one second");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
