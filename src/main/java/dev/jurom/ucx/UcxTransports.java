// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The transports that UCX uses by default: those that stay on this machine.
 *
 * <p>The tcp transport of UCX listens on all interfaces as soon as a worker is created, and writes
 * received data to any address that the peer specifies, so anyone who can reach the port can write
 * to the memory of the process. Therefore tcp and InfiniBand are used only if {@code UCX_TLS}
 * selects them.
 *
 * <p>The posix transport of UCX allocates its memory in {@code /dev/shm}, which may be missing or
 * small in containers. With files ({@link Environment#openUcx}) it does not work in PID namespaces
 * other than the initial one, where sysv is used instead. All processes must make the same choice,
 * including the plugins in C (transport/settings.c); therefore the size of the file system decides,
 * not its free space.
 */
public final class UcxTransports {

    private static final String VARIABLE = "UCX_TLS";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long SHARED_MEMORY_BYTES = 64L << 20;
    private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final long INITIAL_PID_NAMESPACE = 0xeffffffcL; // the inode of the initial PID namespace

    /** Determined once, because it reads the table of mounts, and a service needs it for each worker. */
    private static final String ON_THIS_MACHINE = onThisMachine(SHARED_MEMORY, PID_NAMESPACE);

    private UcxTransports() {}

    /**
     * Returns the settings of a context for data.
     *
     * @return the settings for {@link UcxContext#open}; none if {@code UCX_TLS} is set
     */
    public static Map<String, String> settings() {
        return Environment.get(VARIABLE) == null ? Map.of("TLS", onThisMachine()) : Map.of();
    }

    /**
     * Returns the transports that stay on this machine.
     *
     * @return the value for {@code UCX_TLS}
     */
    public static String onThisMachine() {
        return ON_THIS_MACHINE;
    }

    static String onThisMachine(Path sharedMemory, Path pidNamespace) {
        try {
            if (Files.getFileStore(sharedMemory).getTotalSpace() >= SHARED_MEMORY_BYTES
                    && Files.getAttribute(pidNamespace, "unix:ino").equals(INITIAL_PID_NAMESPACE)) {
                return "posix,cma,self";
            }
        } catch (IOException missing) {
            // A missing directory counts as a small one.
        }
        return "sysv,cma,self";
    }
}
