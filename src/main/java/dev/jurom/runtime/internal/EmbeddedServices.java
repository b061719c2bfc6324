// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.EmbeddedServiceProvider;
import dev.jurom.runtime.EmbeddedServiceProvider.PrivateService;
import dev.jurom.runtime.LibraryLoadException;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedDeque;

/** The embedded services that the program has opened, in the order of their opening. This class is thread-safe. */
public final class EmbeddedServices {

    private static final ConcurrentLinkedDeque<PrivateService> OPEN = new ConcurrentLinkedDeque<>();

    private EmbeddedServices() {}

    /**
     * Finds the provider of embedded services.
     *
     * @return the provider
     * @throws LibraryLoadException if there is none
     */
    public static EmbeddedServiceProvider provider() {
        return ServiceLoader.load(EmbeddedServiceProvider.class, EmbeddedServices.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new LibraryLoadException(
                        "No UROM service is named, and this program cannot open its own: set DOCA_UROM_SERVICE_FILE, or"
                                + " add the artifact dev.jurom:jurom-service to the class path or the module path",
                        null));
    }

    /**
     * Adds a service that the program has opened.
     *
     * @param service the service
     */
    public static void add(PrivateService service) {
        OPEN.add(service);
    }

    /**
     * Removes a service. No effect if it was not added.
     *
     * @param service the service
     */
    public static void remove(PrivateService service) {
        OPEN.remove(service);
    }

    /**
     * Returns the service that was added last and has not been removed.
     *
     * @return the service; empty if there is none
     */
    public static Optional<PrivateService> last() {
        return Optional.ofNullable(OPEN.peekLast());
    }

    /**
     * Finds a service by its location.
     *
     * @param location the address or the path of the service file
     * @return the service; empty if no service with this location was added
     */
    public static Optional<PrivateService> find(String location) {
        return OPEN.stream()
                .filter(service -> location.equals(service.address())
                        || location.equals(service.serviceFile().toString()))
                .findFirst();
    }
}
