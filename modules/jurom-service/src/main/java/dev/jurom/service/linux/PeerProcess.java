// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.ucred;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process that connected to a local socket, as the kernel recorded it at that time. Stands for
 * {@code SO_PEERCRED} and {@code SO_PEERPIDFD}. It holds a file descriptor until it is closed. This
 * class is thread-safe.
 */
public final class PeerProcess implements AutoCloseable {

    /** Not generated, because older headers lack it. This is the number on most architectures. */
    private static final int SO_PEERPIDFD = 77;

    private static final int NONE = -1; // before Linux 6.5
    private static final String PID = "Pid:";

    private final int id;
    private final int userId;
    private final int handle;
    private final long start; // used if there is no handle
    private final AtomicBoolean closed = new AtomicBoolean();

    private PeerProcess(int id, int userId, int handle) {
        this.id = id;
        this.userId = userId;
        this.handle = handle;
        this.start = handle == NONE ? RunningProcess.startOf(id) : 0;
    }

    static PeerProcess of(Descriptor socket) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var credentials = ucred.allocate(arena);
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) credentials.byteSize());
            socket.once(number -> {
                SystemCalls.socketOption(number, posix_h.SO_PEERCRED(), credentials, length);
                return 0;
            });
            return new PeerProcess(ucred.pid(credentials), ucred.uid(credentials), handle(socket));
        }
    }

    private static int handle(Descriptor socket) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var handle = arena.allocate(ValueLayout.JAVA_INT);
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            return socket.once(number -> {
                try {
                    SystemCalls.socketOption(number, SO_PEERPIDFD, handle, length);
                    return handle.get(ValueLayout.JAVA_INT, 0);
                } catch (IOException e) {
                    return NONE; // also for a reaped process
                }
            });
        }
    }

    /**
     * Returns the id of the process.
     *
     * @return the process id; 0 if the process is in a PID namespace that is not visible to this
     *         process
     */
    public int id() {
        return id;
    }

    /**
     * Returns the effective user of the process when it connected.
     *
     * @return the user id in the user namespace of this process
     */
    public int userId() {
        return userId;
    }

    /**
     * Returns whether the id still belongs to the process that connected. The kernel reuses ids, so
     * call this after reading from {@code /proc}. Before Linux 6.5 the kernel has no pidfd for a
     * peer: there the start time of the process is compared with that of the process that had the
     * id when the connection was accepted.
     *
     * @return false if the process has exited, or this object is closed
     */
    public boolean isRunning() {
        if (closed.get()) {
            return false;
        }
        if (handle == NONE) {
            return start != 0 && RunningProcess.startOf(id) == start;
        }
        try (var lines = Files.lines(Path.of("/proc/self/fdinfo/" + handle))) {
            return lines.anyMatch(line ->
                    line.startsWith(PID) && line.substring(PID.length()).strip().equals(Integer.toString(id)));
        } catch (IOException e) {
            return false;
        }
    }

    /** Releases the file descriptor. Has no effect if it is released. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true) && handle != NONE) {
            posix_h.close(handle);
        }
    }
}
