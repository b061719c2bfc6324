// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A UROM service in a process of its own, on a port of loopback that the system chooses. */
public final class ServiceProcess implements AutoCloseable {

    /** The variable of the environment that leads a host to a service. */
    public static final String SERVICE_FILE = "DOCA_UROM_SERVICE_FILE";

    /** The longest message of a service that is not told otherwise, in bytes. */
    public static final int DEFAULT_MESSAGE = 4096;

    private static final String WORKER = "urom_worker";

    private final Process process;
    private final Path serviceFile;

    private ServiceProcess(Process process, Path serviceFile) {
        this.process = process;
        this.serviceFile = serviceFile;
    }

    /**
     * Starts a service and waits until it listens.
     *
     * @param maxMessageSize the longest message between a host and a worker, in bytes
     * @param environment what it and its workers are given besides this process's own
     * @return the service
     */
    public static ServiceProcess start(int maxMessageSize, Map<String, String> environment) {
        try {
            var serviceFile = Files.createTempFile("jurom-bench", ".service");
            var builder = new ProcessBuilder(JavaProgram.command(ServiceMain.class.getName(),
                    List.of("--listen", "127.0.0.1:0", "--service-file", serviceFile.toString(),
                            "--log-level", "30", "--max-msg-size", "" + maxMessageSize)));
            builder.environment().putAll(environment);
            var process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            if (process.inputReader().readLine() == null) {
                throw new IllegalStateException("The service did not start: "
                        + String.join(" ", builder.command()));
            }
            return new ServiceProcess(process, serviceFile);
        } catch (IOException e) {
            throw new UncheckedIOException("The service could not be started", e);
        }
    }

    /**
     * Where the service is.
     *
     * @return a file for {@code DOCA_UROM_SERVICE_FILE}
     */
    public Path serviceFile() {
        return serviceFile;
    }

    /** The process id of this service's worker, of which there must be one. */
    long onlyWorker() {
        var workers = process.toHandle().descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/" + WORKER)).toList();
        if (workers.size() != 1) {
            throw new IllegalStateException("The service has " + workers.size()
                    + " workers, not 1");
        }
        return workers.getFirst().pid();
    }

    /** An environment that leads a host to this service. */
    Map<String, String> hostEnvironment(Map<String, String> environment) {
        var more = new HashMap<>(environment);
        more.put(SERVICE_FILE, serviceFile.toString());
        return more;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(serviceFile);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
