// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.EmbeddedServiceProvider;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A UROM service inside this process, for the current user only: a daemon with a Unix socket in a
 * private directory and without network ports. While it is open, and no other was opened later, each started
 * {@link dev.jurom.urom.UromService} connects to it unless its {@link ServiceLocation} is another service.
 * Child processes do not inherit this. Closing the service terminates its workers. If the process is
 * killed, its workers exit, and the next service of this user removes its directory.
 *
 * <p>A process can have several, each with its own {@link #address()}. Open one before the
 * {@link dev.jurom.Urom} that should use it, because an open {@code Urom} keeps its service. This class is
 * thread-safe.
 */
public final class EmbeddedService implements EmbeddedServiceProvider.PrivateService {

    private final UromDaemon daemon;
    private final int maxMessageSize;

    private EmbeddedService(UromDaemon daemon, int maxMessageSize) {
        this.daemon = daemon;
        this.maxMessageSize = maxMessageSize;
    }

    /**
     * Opens a service with the plugins that ship with jurom.
     *
     * @return the service, which accepts connections
     * @throws IllegalStateException if the runtime is the vendor's, whose service runs on the DPU
     * @throws dev.jurom.runtime.DaemonException if it cannot listen
     */
    public static EmbeddedService open() {
        return open(UnaryOperator.identity());
    }

    /**
     * Opens a service with a changed configuration.
     *
     * @param change receives the default configuration and returns the one to use
     * @return the service, which accepts connections
     * @throws IllegalStateException if the runtime is the vendor's, whose service runs on the DPU
     * @throws dev.jurom.runtime.DaemonException if it cannot listen
     */
    public static EmbeddedService open(UnaryOperator<DaemonConfiguration> change) {
        var service = create(change);
        EmbeddedServices.add(service);
        return service;
    }

    /** Opens a service that {@link ServiceLocation#environment()} does not stand for. */
    static EmbeddedService create(UnaryOperator<DaemonConfiguration> change) {
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new IllegalStateException("An embedded service belongs to the software DOCA, but the runtime is "
                    + DocaRuntime.current().summary()
                    + ", whose service runs on the DPU with the plugins that are installed there: set "
                    + ServiceFile.VARIABLE + " to its service file and open no embedded service,"
                    + " or set -Djurom.runtime=software");
        }
        var configuration = change.apply(DaemonConfiguration.usual());
        var daemon = UromDaemon.open(configuration);
        try {
            var service = new EmbeddedService(daemon, configuration.maxMessageSize());
            service.write();
            daemon.afterRestore(service::write);
            return service;
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    /** Writes the service file, possibly at another path than before. */
    private void write() {
        new ServiceFile(Device.list().stream()
                        .map(DeviceInfo::pciAddress)
                        .distinct()
                        .map(pci -> new ServiceFile.Entry("localhost", address(), pci, List.of("all")))
                        .toList())
                .write(serviceFile());
    }

    /**
     * Returns the address of the service in the notation of service files.
     *
     * @return {@code unix:} and the path of its socket, unless it was configured otherwise
     */
    @Override
    public String address() {
        return daemon.address().toString();
    }

    /**
     * Returns the service file that names this service for each device. Other processes of this user can
     * use it.
     *
     * @return a file that is deleted when this is closed
     */
    @Override
    public Path serviceFile() {
        return daemon.directory().resolve("services");
    }

    /**
     * Returns the maximum size of a message.
     *
     * @return the size in bytes, including headers
     */
    @Override
    public int maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * Closes the service and terminates its workers. No effect if this is closed. A close that has failed can be
     * repeated.
     */
    @Override
    public void close() {
        EmbeddedServices.remove(this);
        daemon.close();
    }

    @Override
    public String toString() {
        return "embedded service at " + address();
    }
}
