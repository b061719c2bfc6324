// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.bench.measurement.Cores;
import dev.jurom.bench.measurement.ExplicitHost;
import dev.jurom.bench.rig.ServiceProcess;
import dev.jurom.bench.rig.Transport;
import dev.jurom.runtime.internal.Environment;

/**
 * A service in a separate process and its host in this thread. The host runs on core 0, the worker on core 1.
 */
final class Host implements AutoCloseable {

    static final int HOST_CORE = 0;
    static final int WORKER_CORE = 1;
    private static final int HEADER_SPACE = 64;

    private final ServiceProcess service;
    private final ExplicitHost host;

    Host(Transport transport, int size, int tasks) {
        var maxMessageSize = maxMessageSize(size);
        service = start(transport, maxMessageSize);
        host = new ExplicitHost(maxMessageSize, tasks, WORKER_CORE);
        Cores.pin(HOST_CORE);
    }

    /** Returns the maximum message size of the service: the default if it suffices. */
    static int maxMessageSize(int size) {
        return Math.max(ServiceProcess.DEFAULT_MESSAGE, size + HEADER_SPACE);
    }

    /** Starts a service and sets the environment of this process for it. */
    static ServiceProcess start(Transport transport, int maxMessageSize) {
        var service = ServiceProcess.start(transport, maxMessageSize);
        service.hostEnvironment().forEach(Environment::set);
        return service;
    }

    ExplicitHost explicit() {
        return host;
    }

    @Override
    public void close() {
        host.close();
        service.close();
    }
}
