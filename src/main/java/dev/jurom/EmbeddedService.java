// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.Device;
import dev.jurom.core.DeviceInfo;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.DaemonConfiguration;
import dev.jurom.service.UromDaemon;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A UROM service of this process's own: a daemon on a loopback port that the system chooses, with a
 * random key. While it is open, {@code DOCA_UROM_SERVICE_FILE} and {@code DOCA_UROM_KEY_FILE} of
 * this process name its private files, so that every {@link dev.jurom.urom.UromService} that starts
 * finds it. Closing it ends its workers. If the process is killed, its workers leave.
 *
 * <p>Only one should be open at a time. Any thread may use it. Open and close it while no other
 * thread starts a service: the environment belongs to the whole process.
 */
public final class EmbeddedService implements AutoCloseable {

    /** The environment variable that names the key file of the host library. */
    public static final String KEY_VARIABLE = "DOCA_UROM_KEY_FILE";

    private static final int KEY_LENGTH = 32;

    private final Path directory;
    private final UromDaemon daemon;
    private final String previousServiceFile;
    private final String previousKeyFile;

    private EmbeddedService(Path directory, UromDaemon daemon) {
        this.directory = directory;
        this.daemon = daemon;
        this.previousServiceFile = Environment.get(ServiceFile.VARIABLE);
        this.previousKeyFile = Environment.get(KEY_VARIABLE);
    }

    /**
     * Opens a service with the plugins that ship with jurom.
     *
     * @return the service, which listens
     * @throws IllegalStateException if the runtime is the vendor's: its service runs on the DPU
     * @throws dev.jurom.service.DaemonException if it cannot listen
     */
    public static EmbeddedService open() {
        return open(UnaryOperator.identity());
    }

    /**
     * Opens a service that is like the usual one but for some changes.
     *
     * @param change is given the usual configuration and gives the one to use
     * @return the service, which listens
     * @throws IllegalStateException if the runtime is the vendor's: its service runs on the DPU
     * @throws dev.jurom.service.DaemonException if it cannot listen
     */
    public static EmbeddedService open(UnaryOperator<DaemonConfiguration> change) {
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new IllegalStateException("The runtime is " + DocaRuntime.current().summary()
                    + ", whose service runs on the DPU: name it in " + ServiceFile.VARIABLE
                    + ", or set -Djurom.runtime=software");
        }
        try {
            var directory = Files.createTempDirectory("jurom-service");
            try {
                return open(directory, change);
            } catch (RuntimeException e) {
                delete(directory);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The private files of the embedded service could not be"
                    + " written: " + e, e);
        }
    }

    private static EmbeddedService open(Path directory, UnaryOperator<DaemonConfiguration> change)
            throws IOException {
        var keyFile = directory.resolve("key");
        writeKey(keyFile);
        var software = SoftwareInstallation.current();
        var usual = DaemonConfiguration.local(software.workerProgram(), List.of(software.plugins()))
                .withKeyFile(keyFile);
        var daemon = UromDaemon.start(change.apply(usual));
        try {
            var service = new EmbeddedService(directory, daemon);
            serviceFile(daemon.address()).write(service.serviceFile());
            Environment.set(ServiceFile.VARIABLE, service.serviceFile().toString());
            Environment.set(KEY_VARIABLE, keyFile.toString());
            return service;
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    private static void writeKey(Path file) throws IOException {
        var key = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(key);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rw-------")));
        Files.write(file, key);
    }

    private static ServiceFile serviceFile(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress() + ":" + address.getPort();
        return new ServiceFile(Device.list().stream()
                .map(DeviceInfo::pciAddress)
                .distinct()
                .map(pci -> new ServiceFile.Entry("localhost", host, pci, List.of("all")))
                .toList());
    }

    /**
     * Where the service listens.
     *
     * @return a loopback address
     */
    public InetSocketAddress address() {
        return daemon.address();
    }

    /**
     * The service file that names this service for each device, for other processes of this user.
     *
     * @return a file that is deleted when this is closed
     */
    public Path serviceFile() {
        return directory.resolve("services");
    }

    /**
     * The key file that other processes of this user need.
     *
     * @return a file that is deleted when this is closed
     */
    public Path keyFile() {
        return directory.resolve("key");
    }

    /**
     * Ends the service and its workers, and gives the environment back as it was. No effect if that
     * was done.
     */
    @Override
    public synchronized void close() {
        if (!Files.exists(directory)) {
            return;
        }
        Environment.restore(ServiceFile.VARIABLE, previousServiceFile);
        Environment.restore(KEY_VARIABLE, previousKeyFile);
        daemon.close();
        delete(directory);
    }

    private static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve("services"));
            Files.deleteIfExists(directory.resolve("key"));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded service's private files in " + directory
                    + " could not be deleted: " + e, e);
        }
    }

    @Override
    public String toString() {
        return "embedded service at " + address().getAddress().getHostAddress() + ":"
                + address().getPort();
    }
}
