// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A UROM service in a separate process, on a Unix socket, or with keys on a free port of loopback.
 */
public final class ServiceProcess implements AutoCloseable {

    /** The default maximum message size of a service in bytes. */
    public static final int DEFAULT_MESSAGE = 4096;

    /** The environment variable with the service file of a host. */
    static final String SERVICE_FILE = "DOCA_UROM_SERVICE_FILE";

    private static final String KEY_FILE = "DOCA_UROM_KEY_FILE";
    private static final String DATA = "JUROM_DATA";
    private static final String MAX_WORKERS = "2048";
    private static final String WORKER = "urom_worker";

    private final Process process;
    private final Path directory;
    private final Map<String, String> hostEnvironment;

    private ServiceProcess(Process process, Path directory, Map<String, String> hostEnvironment) {
        this.process = process;
        this.directory = directory;
        this.hostEnvironment = hostEnvironment;
    }

    /**
     * Starts a service and waits until it listens.
     *
     * @param transport the transport of commands
     * @param maxMessageSize the maximum message size in bytes
     * @return the service
     */
    public static ServiceProcess start(Transport transport, int maxMessageSize) {
        return start(new Service(transport, maxMessageSize));
    }

    /** Starts a service and waits until it listens. */
    static ServiceProcess start(Service service) {
        try {
            return start(service, Files.createTempDirectory("jurom-bench"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the service", e);
        }
    }

    private static ServiceProcess start(Service service, Path directory) throws IOException {
        var transport = service.transport();
        try {
            var serviceFile = directory.resolve("service");
            var arguments = new ArrayList<>(List.of(
                    "--service-file",
                    serviceFile.toString(),
                    "--log-level",
                    "30",
                    "--max-msg-size",
                    "" + service.maxMessageSize(),
                    "--max-workers",
                    MAX_WORKERS,
                    "--max-workers-per-user",
                    MAX_WORKERS,
                    "--allow-root"));
            var environment = Map.of(SERVICE_FILE, serviceFile.toString());
            if (transport == Transport.SHARED_MEMORY) {
                arguments.addAll(List.of("--listen", "unix:" + directory.resolve("socket")));
            } else {
                var data = transport == Transport.UCX ? "ucx" : "tls";
                var keys = Keys.create(directory);
                arguments.addAll(List.of(
                        "--listen",
                        "127.0.0.1:0",
                        "--key",
                        keys.ofService().toString(),
                        "--authorized-hosts",
                        keys.authorizedHosts().toString(),
                        "--data",
                        data));
                environment = Map.of(
                        SERVICE_FILE,
                        serviceFile.toString(),
                        KEY_FILE,
                        keys.ofHost().toString(),
                        DATA,
                        data);
            }
            return new ServiceProcess(start(service.build(), arguments), directory, environment);
        } catch (IOException | RuntimeException e) {
            delete(directory);
            throw e;
        }
    }

    private static Process start(Build build, List<String> arguments) throws IOException {
        var command = build.translate(JavaProgram.command(ServiceMain.class.getName(), arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.inputReader().readLine() == null) {
            throw new IllegalStateException("the service did not start: " + String.join(" ", command));
        }
        return process;
    }

    /**
     * Returns the environment variables of hosts of this service.
     *
     * @return names and values
     */
    public Map<String, String> hostEnvironment() {
        return hostEnvironment;
    }

    /** Returns the process id of the only worker of this service. */
    long onlyWorker() {
        var workers = process.toHandle()
                .descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/" + WORKER)
                        && !child.info().commandLine().orElse("").contains(" --monitor "))
                .toList();
        if (workers.size() != 1) {
            throw new IllegalStateException("the service has " + workers.size() + " workers instead of 1");
        }
        return workers.getFirst().pid();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        try {
            delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
