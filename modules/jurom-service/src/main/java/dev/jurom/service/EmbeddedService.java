// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.EmbeddedServiceProvider;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.ServiceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A UROM service inside this process, for the current user only: a daemon with a Unix socket in a
 * private directory and without network ports. While it is open, {@link ServiceFile#named} is its
 * private file, so that each started {@link dev.jurom.urom.UromService} connects to it. Child processes
 * do not inherit the file. Closing the service terminates its workers. If the process is killed, its
 * workers exit, and the next service of this user removes its directory.
 *
 * <p>Open only one at a time, because all code of a class loader shares the name of the service file, and open
 * it before the {@link dev.jurom.Urom} that should use it, because an open {@code Urom} keeps its service.
 * This class is thread-safe.
 */
public final class EmbeddedService implements EmbeddedServiceProvider.PrivateService {

    private final UromDaemon daemon;
    private final @Nullable Path previous; // the service file before, unless the variable named it
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedService(UromDaemon daemon) {
        this.daemon = daemon;
        this.previous = ServiceFile.named()
                .filter(name -> !name.equals(Environment.get(ServiceFile.VARIABLE)))
                .map(Path::of)
                .orElse(null);
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
            var service = new EmbeddedService(daemon);
            service.content().write(service.serviceFile());
            EmbeddedServices.add(service.serviceFile().toString(), configuration.maxMessageSize());
            ServiceFile.name(service.serviceFile());
            var first = service.serviceFile();
            daemon.afterRestore(() -> service.writeAgain(first, configuration.maxMessageSize()));
            return service;
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    /** Writes the file after its directory has been removed, possibly at another path than before. */
    private void writeAgain(Path before, int maxMessageSize) {
        var now = serviceFile();
        content().write(now);
        EmbeddedServices.add(now.toString(), maxMessageSize);
        if (ServiceFile.named().filter(before.toString()::equals).isPresent()) {
            ServiceFile.name(now);
        }
        daemon.afterRestore(() -> writeAgain(now, maxMessageSize));
    }

    private ServiceFile content() {
        return new ServiceFile(Device.list().stream()
                .map(DeviceInfo::pciAddress)
                .distinct()
                .map(pci -> new ServiceFile.Entry("localhost", address(), pci, List.of("all")))
                .toList());
    }

    /**
     * Returns the address of the service in the notation of service files.
     *
     * @return {@code unix:} and the path of its socket, unless it was configured otherwise
     */
    public String address() {
        return daemon.address().toString();
    }

    /**
     * Returns the service file that names this service for each device. Other processes of this user can
     * use it.
     *
     * @return a file that is deleted when this is closed
     */
    public Path serviceFile() {
        return daemon.directory().resolve("services");
    }

    /**
     * Closes the service, terminates its workers and restores the previous service file of this process.
     * No effect if this is closed. A close that has failed can be repeated.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            EmbeddedServices.remove(serviceFile().toString());
            restore(previous);
        }
        daemon.close();
    }

    private static void restore(@Nullable Path previous) {
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
