// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.internal.EmbeddedDaemon;
import dev.jurom.service.DaemonConfiguration;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * A UROM service of this process's own, for this user alone: a daemon at a Unix socket in a private
 * directory, with no port that a network reaches. While it is open, {@code DOCA_UROM_SERVICE_FILE}
 * of this process names its private file, so that every {@link dev.jurom.urom.UromService} that
 * starts finds it. Closing it ends its workers. If the process is killed, its workers leave, and
 * the next service of this user removes its directory.
 *
 * <p>Only one should be open at a time. Any thread may use it. Open and close it while no other
 * thread starts a service: the environment belongs to the whole process.
 */
public final class EmbeddedService implements AutoCloseable {

    private final EmbeddedDaemon daemon;

    private EmbeddedService(EmbeddedDaemon daemon) {
        this.daemon = daemon;
    }

    /**
     * Opens a service with the plugins that ship with jurom.
     *
     * @return the service, which listens
     * @throws IllegalStateException if the runtime is the vendor's: its service runs on the DPU
     * @throws dev.jurom.service.DaemonException if it cannot listen
     */
    public static EmbeddedService open() {
        return open(UnaryOperator.identity());
    }

    /**
     * Opens a service that is like the usual one but for some changes.
     *
     * @param change is given the usual configuration and gives the one to use
     * @return the service, which listens
     * @throws IllegalStateException if the runtime is the vendor's: its service runs on the DPU
     * @throws dev.jurom.service.DaemonException if it cannot listen
     */
    public static EmbeddedService open(UnaryOperator<DaemonConfiguration> change) {
        return new EmbeddedService(EmbeddedDaemon.open(change));
    }

    /**
     * Where the service listens, as a service file has it.
     *
     * @return {@code unix:} and the path of its socket, unless it was configured otherwise
     */
    public String address() {
        return daemon.address();
    }

    /**
     * The service file that names this service for each device, for other processes of this user.
     *
     * @return a file that is deleted when this is closed
     */
    public Path serviceFile() {
        return daemon.serviceFile();
    }

    /**
     * Ends the service and its workers, and gives the environment back as it was. No effect if that
     * was done.
     */
    @Override
    public void close() {
        daemon.close();
    }

    @Override
    public String toString() {
        return daemon.toString();
    }
}
