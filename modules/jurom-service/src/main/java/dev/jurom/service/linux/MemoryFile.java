// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An anonymous file in memory (a memfd). It exists until it is closed and no process has it open or
 * mapped. This class is thread-safe.
 */
public final class MemoryFile implements AutoCloseable {

    private static final int NOT_EXECUTABLE = 0x8; // MFD_NOEXEC_SEAL, of Linux 6.3

    private final int descriptor;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MemoryFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Creates an empty file, whose size can be sealed.
     *
     * @param label the name that {@code /proc} shows
     * @return the file, which the caller must close
     * @throws IOException if the process has no file descriptor left
     */
    public static MemoryFile create(String label) throws IOException {
        var flags = posix_h.MFD_CLOEXEC() | posix_h.MFD_ALLOW_SEALING();
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(label);
            var descriptor = posix_h.memfd_create(name, flags | NOT_EXECUTABLE);
            if (descriptor < 0) { // older kernels do not know the flag
                descriptor = posix_h.memfd_create(name, flags);
            }
            if (descriptor < 0) {
                throw new IOException("the memory of " + label + " cannot be created: this process has"
                        + " no file descriptor left, or may not call memfd_create");
            }
            return new MemoryFile(descriptor);
        }
    }

    /**
     * Returns a path by which this process, and others with its rights, can open the file.
     *
     * @return a path below {@code /proc}, valid until this file is closed
     */
    public Path path() {
        return Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd", Integer.toString(descriptor));
    }

    /**
     * Returns the descriptor of the file, to send to another process.
     *
     * @return a descriptor that is valid until this file is closed
     */
    public int descriptor() {
        return descriptor;
    }

    /** Closes the file. Has no effect if it is closed. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            posix_h.close(descriptor);
        }
    }
}
