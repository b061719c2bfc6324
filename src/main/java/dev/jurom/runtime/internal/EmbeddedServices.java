// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.EmbeddedServiceProvider;
import dev.jurom.runtime.LibraryLoadException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** The embedded services of this process. This class is thread-safe. */
public final class EmbeddedServices {

    /** The maximum message sizes of the services that are open, by the paths of their service files. */
    private static final Map<String, Integer> MESSAGE_SIZES = new ConcurrentHashMap<>();

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
     * Adds a service that has been opened.
     *
     * @param serviceFile the path of its service file
     * @param maxMessageSize its maximum message size in bytes
     */
    public static void add(String serviceFile, int maxMessageSize) {
        MESSAGE_SIZES.put(serviceFile, maxMessageSize);
    }

    /**
     * Removes a service.
     *
     * @param serviceFile the path of its service file
     */
    public static void remove(String serviceFile) {
        MESSAGE_SIZES.remove(serviceFile);
    }

    /**
     * Returns the maximum message size of an embedded service.
     *
     * @param serviceFile the path of its service file
     * @return the size in bytes; empty if no such service is open
     */
    public static OptionalInt maxMessageSize(String serviceFile) {
        var size = MESSAGE_SIZES.get(serviceFile);
        return size == null ? OptionalInt.empty() : OptionalInt.of(size);
    }
}
