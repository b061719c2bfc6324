// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which transports UCX is to use when nobody has said: those that stay on this machine.
 *
 * <p>UCX's tcp transport listens on every interface as soon as a worker is made, and writes what a
 * peer sends to whatever address the peer names: who reaches the port can write any memory of the
 * process. So it is used, as InfiniBand is, only where {@code UCX_TLS} says so.
 *
 * <p>UCX's posix transport takes its memory from {@code /dev/shm}. In containers that may be missing
 * or small, and with files ({@link Environment#openUcx}) the transport does not work in a PID namespace
 * other than the system's first: sysv takes its place there. All processes have to make the same
 * choice, the plugins in C among them (transport/settings.c), so the size of the folder counts, and
 * not what is free.
 */
public final class UcxTransports {

    private static final String VARIABLE = "UCX_TLS";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long SHARED_MEMORY_BYTES = 64L << 20;
    private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final long FIRST_PID_NAMESPACE = 0xeffffffcL; // its inode

    private UcxTransports() {}

    /**
     * The settings of a context for data.
     *
     * @return for {@link UcxContext#open}: none if {@code UCX_TLS} is set
     */
    public static Map<String, String> settings() {
        return Environment.get(VARIABLE) == null ? Map.of("TLS", onThisMachine()) : Map.of();
    }

    /**
     * The transports that stay on this machine.
     *
     * @return as {@code UCX_TLS} has them
     */
    public static String onThisMachine() {
        return onThisMachine(SHARED_MEMORY, PID_NAMESPACE);
    }

    static String onThisMachine(Path sharedMemory, Path pidNamespace) {
        try {
            if (Files.getFileStore(sharedMemory).getTotalSpace() >= SHARED_MEMORY_BYTES
                    && Files.getAttribute(pidNamespace, "unix:ino").equals(FIRST_PID_NAMESPACE)) {
                return "posix,cma,self";
            }
        } catch (IOException missing) {
            // There is no folder, which is the same as too little.
        }
        return "sysv,cma,self";
    }
}
