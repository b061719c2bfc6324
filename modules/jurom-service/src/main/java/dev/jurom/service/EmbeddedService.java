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
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A UROM service of this process's own, for this user alone: a daemon at a Unix socket in a private
 * directory, with no port that a network reaches. While it is open, {@link ServiceFile#named} is its
 * private file, so that every {@link dev.jurom.urom.UromService} that is started finds it; child
 * processes do not inherit it. Closing it ends its workers. If the process is killed, its workers
 * leave, and the next service of this user removes its directory.
 *
 * <p>Only one should be open at a time, since all code of a class loader has the same service file.
 * This class is thread-safe.
 */
public final class EmbeddedService implements EmbeddedServiceProvider.PrivateService {

    private final UromDaemon daemon;
    private final @Nullable Path previous; // the service file before
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedService(UromDaemon daemon) {
        this.daemon = daemon;
        this.previous = ServiceFile.named()
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .orElse(null);
    }

    /**
     * Opens a service with the plugins that ship with jurom.
     *
     * @return the service, which listens
     * @throws IllegalStateException if the runtime is the vendor's: its service runs on the DPU
     * @throws dev.jurom.runtime.DaemonException if it cannot listen
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
     * @throws dev.jurom.runtime.DaemonException if it cannot listen
     */
    public static EmbeddedService open(UnaryOperator<DaemonConfiguration> change) {
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new IllegalStateException(
                    "The runtime is " + DocaRuntime.current().summary()
                            + ", whose service runs on the DPU: name it in " + ServiceFile.VARIABLE
                            + ", or set -Djurom.runtime=software");
        }
        var configuration = change.apply(DaemonConfiguration.usual());
        var daemon = UromDaemon.open(configuration);
        try {
            var service = new EmbeddedService(daemon);
            service.content().write(service.serviceFile());
            EmbeddedServices.add(service.serviceFile().toString(), configuration.maxMessageSize());
            ServiceFile.name(service.serviceFile());
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
     * Ends the service and its workers. The service file of this process is the previous one again.
     * No effect if this is closed; a close that has failed can be repeated.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            EmbeddedServices.remove(serviceFile().toString());
            nameAgain(previous);
        }
        daemon.close();
    }

    private static void nameAgain(@Nullable Path previous) {
        if (previous == null) {
            ServiceFile.unname();
        } else {
            ServiceFile.name(previous);
        }
    }

    @Override
    public String toString() {
        return "embedded service at " + address();
    }
}
