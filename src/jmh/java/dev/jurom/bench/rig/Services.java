// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The services of the subjects: a given one for all, or each started with its first subject. */
final class Services implements AutoCloseable {

    private final Map<Service, ServiceProcess> running = new LinkedHashMap<>();
    private final Path given; // null: none
    private final int maxMessageSize;

    Services() {
        this(null, 0);
    }

    /** Uses the running service that a service file names. */
    Services(Path given, int maxMessageSize) {
        this.given = given;
        this.maxMessageSize = maxMessageSize;
    }

    /** Returns whether there is a service for the subject, or it needs none. */
    boolean supports(Subject subject) {
        return given == null
                || subject.service()
                        .map(wanted -> wanted.transport() == Transport.SHARED_MEMORY
                                && wanted.maxMessageSize() <= maxMessageSize)
                        .orElse(true);
    }

    /** Starts a subject with the environment of its service, if it has one. */
    SubjectProcess start(Subject subject) {
        return SubjectProcess.start(
                subject, subject.service().map(this::environment).orElse(Map.of()));
    }

    private Map<String, String> environment(Service service) {
        return given == null ? of(service).hostEnvironment() : Map.of(ServiceProcess.SERVICE_FILE, given.toString());
    }

    /** Returns the process of a service, started on demand. */
    ServiceProcess of(Service service) {
        return running.computeIfAbsent(service, ServiceProcess::start);
    }

    @Override
    public void close() {
        running.values().forEach(ServiceProcess::close);
    }
}
