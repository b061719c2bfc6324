// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.threads.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures while a service publishes its status. */
class StatusFileTest {

    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final String UNFINISHED = ".status";

    @TempDir
    private Path directory;

    private ServiceThreads threads;
    private Timers timers;
    private ServiceLog log;
    private StatusFile file;

    @BeforeEach
    void open() {
        threads = new ServiceThreads();
        log = ServiceLog.toStandardError(LogLevel.DISABLE);
        timers = new Timers(log::error, threads);
        file = new StatusFile(() -> directory, timers, log, this::status);
    }

    @AfterEach
    void close() {
        timers.close();
        threads.close();
        log.close();
    }

    private ServiceStatus status() {
        return ServiceStatus.builder(directory, 7)
                .release("release")
                .maxMessageSize(4096)
                .cpus("0")
                .build();
    }

    private Set<String> files() throws IOException {
        try (var all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    /** A name that no file can get. */
    private Path obstacle() throws IOException {
        return Files.createDirectories(directory.resolve(ServiceStatus.FILE).resolve("entry"));
    }

    @Test
    void a_status_that_cannot_be_published_leaves_no_file() throws IOException {
        var obstacle = obstacle();

        file.write();

        assertEquals(Set.of(ServiceStatus.FILE), files());
        Files.delete(obstacle);
        Files.delete(obstacle.getParent());
        file.write();
        assertEquals(Set.of(ServiceStatus.FILE), files());
        assertEquals(status().toText(), Files.readString(directory.resolve(ServiceStatus.FILE)));
    }

    @Test
    void close_deletes_an_unfinished_file() throws IOException {
        Files.createFile(directory.resolve(UNFINISHED));

        file.close();
        file.write();

        assertEquals(Set.of(), files());
    }
}
