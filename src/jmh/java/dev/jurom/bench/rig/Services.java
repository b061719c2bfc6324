// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.LinkedHashMap;
import java.util.Map;

/** The services of the subjects, each started with its first subject. */
final class Services implements AutoCloseable {

    private final Map<Service, ServiceProcess> running = new LinkedHashMap<>();

    /** Starts a subject with the environment of its service, if it has one. */
    SubjectProcess start(Subject subject) {
        return SubjectProcess.start(
                subject,
                subject.service()
                        .map(this::of)
                        .map(ServiceProcess::hostEnvironment)
                        .orElse(Map.of()));
    }

    /** Returns the process of a service, started on demand. */
    ServiceProcess of(Service service) {
        return running.computeIfAbsent(
                service, wanted -> ServiceProcess.start(wanted.transport(), wanted.maxMessageSize()));
    }

    @Override
    public void close() {
        running.values().forEach(ServiceProcess::close);
    }
}
