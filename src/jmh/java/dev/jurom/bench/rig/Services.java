// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.LinkedHashMap;
import java.util.Map;

/** The services that subjects are hosts of, each started when its first host is. */
final class Services implements AutoCloseable {

    private final Map<Service, ServiceProcess> running = new LinkedHashMap<>();

    /** Starts a subject, as a host of its service if it is one's. */
    Contestant start(Subject subject) {
        return Contestant.start(
                subject,
                subject.service()
                        .map(this::of)
                        .map(ServiceProcess::hostEnvironment)
                        .orElse(Map.of()));
    }

    /** The process of a service. */
    ServiceProcess of(Service service) {
        return running.computeIfAbsent(
                service, wanted -> ServiceProcess.start(wanted.transport(), wanted.maxMessageSize()));
    }

    @Override
    public void close() {
        running.values().forEach(ServiceProcess::close);
    }
}
