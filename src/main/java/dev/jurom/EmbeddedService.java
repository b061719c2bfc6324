// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.service.DaemonConfiguration;
import dev.jurom.service.UromDaemon;
import dev.jurom.urom.ServiceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

    private final UromDaemon daemon;
    private final @Nullable String previousServiceFile;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedService(UromDaemon daemon) {
        this.daemon = daemon;
        this.previousServiceFile = Environment.get(ServiceFile.VARIABLE);
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
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new IllegalStateException("The runtime is " + DocaRuntime.current().summary()
                    + ", whose service runs on the DPU: name it in " + ServiceFile.VARIABLE
                    + ", or set -Djurom.runtime=software");
        }
        var daemon = UromDaemon.start(change.apply(DaemonConfiguration.usual()));
        try {
            var service = new EmbeddedService(daemon);
            service.content().write(service.serviceFile());
            Environment.set(ServiceFile.VARIABLE, service.serviceFile().toString());
            return service;
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    private ServiceFile content() {
        return new ServiceFile(Device.list().stream()
                .map(DeviceInfo::pciAddress)
                .distinct()
                .map(pci -> new ServiceFile.Entry("localhost", address(), pci, List.of("all")))
                .toList());
    }

    /**
     * Where the service listens, as a service file has it.
     *
     * @return {@code unix:} and the path of its socket, unless it was configured otherwise
     */
    public String address() {
        return daemon.address().toString();
    }

    /**
     * The service file that names this service for each device, for other processes of this user.
     *
     * @return a file that is deleted when this is closed
     */
    public Path serviceFile() {
        return daemon.directory().resolve("services");
    }

    /**
     * Ends the service and its workers, and gives the environment back as it was. No effect if that
     * was done.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Environment.restore(ServiceFile.VARIABLE, previousServiceFile);
            daemon.close();
        }
    }

    @Override
    public String toString() {
        return "embedded service at " + address();
    }
}
