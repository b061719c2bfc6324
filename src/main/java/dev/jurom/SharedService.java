// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.EmbeddedServiceProvider.PrivateService;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.EmbeddedServices;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The embedded service that all connections of this process share if the environment names no other. It
 * is open while one of them is.
 */
final class SharedService implements AutoCloseable {

    private static @Nullable PrivateService shared;
    private static int sharedMessageSize;
    private static int users;

    private final int maxMessageSize;
    private @Nullable PrivateService service;

    private SharedService(int maxMessageSize, @Nullable PrivateService service) {
        this.maxMessageSize = maxMessageSize;
        this.service = service;
    }

    /**
     * Adds a user of the shared service, which is opened if necessary. No effect if the environment names
     * a service.
     *
     * @param wanted the maximum message size; empty for the size of the service
     */
    static synchronized SharedService use(OptionalInt wanted) {
        if (shared == null) {
            var named = ServiceFile.named();
            if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE || named.isPresent()) {
                return new SharedService(wanted.orElseGet(() -> messageSizeOf(named)), null);
            }
            sharedMessageSize = wanted.orElse(UromService.DEFAULT_MAX_MESSAGE_SIZE);
            shared = EmbeddedServices.provider().open(sharedMessageSize);
        }
        var messageSize = sharedMessageSize;
        if (wanted.orElse(messageSize) != messageSize) {
            throw new IllegalStateException("The embedded service of this process has a maximum"
                    + " message size of " + messageSize + " bytes, and the configuration sets "
                    + wanted.getAsInt() + ": set no size, or first close all that use the service");
        }
        users++;
        return new SharedService(messageSize, shared);
    }

    private static int messageSizeOf(Optional<String> serviceFile) {
        return serviceFile
                .map(EmbeddedServices::maxMessageSize)
                .orElse(OptionalInt.empty())
                .orElse(UromService.DEFAULT_MAX_MESSAGE_SIZE);
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
