// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.EmbeddedServiceProvider.PrivateService;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The embedded service that connections of this process share if their location needs one and the program has
 * opened none. It is open while one of them is.
 */
final class SharedService implements AutoCloseable {

    private static @Nullable PrivateService shared;
    private static int users;

    private final ServiceLocation location;
    private final int maxMessageSize;
    private @Nullable PrivateService service;

    private SharedService(ServiceLocation location, int maxMessageSize, @Nullable PrivateService service) {
        this.location = location;
        this.maxMessageSize = maxMessageSize;
        this.service = service;
    }

    /**
     * Adds a user of the shared service, which is opened if necessary. No effect if the location is of
     * another service.
     *
     * @param wanted the location of the service of a connection
     * @param messageSize the maximum message size; empty for the size of the service
     */
    static synchronized SharedService use(ServiceLocation wanted, OptionalInt messageSize) {
        if (!isShared(wanted)) {
            return new SharedService(wanted, messageSize.orElseGet(() -> messageSizeOf(wanted)), null);
        }
        if (shared == null) {
            shared = EmbeddedServices.provider().open(messageSize.orElse(UromService.DEFAULT_MAX_MESSAGE_SIZE));
        }
        var size = shared.maxMessageSize();
        if (messageSize.orElse(size) != size) {
            throw new IllegalStateException("The embedded service of this process has a maximum"
                    + " message size of " + size + " bytes, and the configuration sets "
                    + messageSize.getAsInt() + ": set no size, or first close all that use the service");
        }
        users++;
        return new SharedService(ServiceLocation.address(shared.address()), size, shared);
    }

    private static boolean isShared(ServiceLocation wanted) {
        return DocaRuntime.current().kind() == RuntimeKind.SOFTWARE
                && switch (wanted) {
                    case ServiceLocation.Environment environment ->
                        ServiceFile.named().isEmpty();
                    case ServiceLocation.Embedded embedded ->
                        EmbeddedServices.last().isEmpty();
                    case ServiceLocation.File file -> false;
                    case ServiceLocation.Address address -> false;
                };
    }

    private static int messageSizeOf(ServiceLocation location) {
        var service = switch (location) {
            case ServiceLocation.Environment environment -> ServiceFile.named().flatMap(EmbeddedServices::find);
            case ServiceLocation.Embedded embedded -> EmbeddedServices.last();
            case ServiceLocation.File(var path) -> EmbeddedServices.find(path.toString());
            case ServiceLocation.Address(var address) -> EmbeddedServices.find(address);
        };
        return service.map(PrivateService::maxMessageSize).orElse(UromService.DEFAULT_MAX_MESSAGE_SIZE);
    }

    /** Returns the location to connect to. */
    ServiceLocation location() {
        return location;
    }

    /** Returns the maximum message size of the service. */
    int maxMessageSize() {
        return maxMessageSize;
    }

    /** Removes this user. The last user closes the service. */
    @Override
    public void close() {
        synchronized (SharedService.class) {
            if (service == null) {
                return;
            }
            if (users == 1) {
                service.close();
                shared = null;
            }
            users--;
            service = null;
        }
    }
}
