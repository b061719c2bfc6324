// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.ucred;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process that connected to a local socket, as the kernel recorded it at that moment. Stands
 * for {@code SO_PEERCRED} and {@code SO_PEERPIDFD}. Holds a descriptor until it is closed. This
 * class is thread-safe.
 */
public final class PeerProcess implements AutoCloseable {

    /** Not among the stubs, since older headers lack it. The kernel's number for most machines. */
    private static final int SO_PEERPIDFD = 77;

    private static final int NONE = -1; // before Linux 6.5
    private static final String PID = "Pid:";

    private final int id;
    private final int userId;
    private final int handle;
    private final long start; // where there is no handle
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
                    return NONE; // also for a process that has been reaped
                }
            });
        }
    }

    /**
     * Returns the id of the process.
     *
     * @return 0 if the process is in a PID namespace that this process does not see
     */
    public int id() {
        return id;
    }

    /**
     * Returns the effective user of the process when it connected.
     *
     * @return its number in the user namespace of this process
     */
    public int userId() {
        return userId;
    }

    /**
     * Returns whether the id still belongs to the process that connected. The kernel reuses ids, so
     * this is called after something was read in {@code /proc}. Where the kernel has no pidfd for a
     * peer (before Linux 6.5), a process counts as the same that began at the same time as the one
     * that had the id when the connection was accepted.
     *
     * @return false if the process has exited, or this is closed
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

    /** Releases the descriptor. Closing twice has no effect. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true) && handle != NONE) {
            posix_h.close(handle);
        }
    }
}
