// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.sessions.SessionHost;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.workers.Deadlines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Creates a service that neither listens nor has plugins, so it starts no processes. */
public final class ServiceOfSessions {

    private ServiceOfSessions() {}

    /** Creates a service that is closed when the JVM exits. */
    public static SessionHost open() {
        try {
            var service = new Service(
                    DaemonConfiguration.builder(Path.of("/bin/false"), List.of())
                            .build(),
                    ServiceLog.toSystemLogger(LogLevel.CRITICAL),
                    Deadlines.DEFAULT,
                    new ServiceThreads());
            Runtime.getRuntime().addShutdownHook(new Thread(service::close));
            return service;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
