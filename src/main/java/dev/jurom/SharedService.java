// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.urom.ServiceFile;
import org.jspecify.annotations.Nullable;

/**
 * The embedded service that all of this process share when the environment names no other: it is
 * open as long as one of them is.
 */
final class SharedService implements AutoCloseable {

    private static final SharedService NONE = new SharedService(null);

    private static @Nullable EmbeddedService shared;
    private static int maxMessageSize;
    private static int users;

    private @Nullable EmbeddedService service;

    private SharedService(@Nullable EmbeddedService service) {
        this.service = service;
    }

    /** Uses the shared service, and opens it if need be; nothing if the environment names one. */
    static synchronized SharedService use(int messageSize) {
        if (shared == null) {
            if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE
                    || ServiceFile.named().isPresent()) {
                return NONE;
            }
            shared = EmbeddedService.open(
                    usual -> usual.toBuilder().maxMessageSize(messageSize).build());
            maxMessageSize = messageSize;
        }
        if (messageSize != maxMessageSize) {
            throw new IllegalStateException("The embedded service of this process has a maximum"
                    + " message size of " + maxMessageSize + " bytes, and " + messageSize
                    + " were asked for:" + " close what uses it first, or use the same size");
        }
        users++;
        return new SharedService(shared);
    }

    /** Uses it no more; the last one closes it. */
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
