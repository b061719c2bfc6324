// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The service as all that a process does, such as {@code urom-daemon}: it ends with the process,
 * after its workers, on SIGTERM or SIGINT. On SIGHUP it reads its authorised hosts and looks for
 * plugins again. Where it has no log directory, it logs to standard error.
 */
public final class StandaloneService {

    private static final String ALIASES = "JUROM_DEVICE_ALIASES";

    private StandaloneService() {
    }

    /**
     * Runs a service until it ends, which is usually with the process. Prints a line for each
     * address when it listens.
     *
     * @param configuration what it is like
     * @param serviceFile a service file to write when it listens, which leads hosts of this machine
     *        with device {@code soft0} to it
     * @param output takes {@code urom service listening on ADDRESS}
     * @throws DaemonException if it cannot listen, or the service file cannot be written, or its
     *         key, its authorised hosts or its worker program are no good
     */
    public static void run(DaemonConfiguration configuration, Optional<Path> serviceFile,
            PrintStream output) {
        var log = log(configuration);
        try (var daemon = UromDaemon.open(configuration, log, Deadlines.DEFAULT)) {
            serviceFile.ifPresent(file -> writeServiceFile(file, daemon.address()));
            reloadOnHangUp(daemon, log);
            // A signal runs the hook, and the JVM ends after it.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(daemon::close));
            daemon.addresses().forEach(address ->
                    output.println("urom service listening on " + address));
            output.flush();
            daemon.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; the service has ended then
        }
    }

    private static ServiceLog log(DaemonConfiguration configuration) {
        var settings = configuration.logs();
        var log = settings.directory().map(directory -> ServiceLog.toFile(directory, settings))
                .orElseGet(() -> ServiceLog.toStandardError(settings.level()));
        var closed = TrustedPath.closedComponent(configuration.workers().program());
        if (!configuration.users().all() && closed != null
                && Credentials.ofThisProcess().mayChangeUser()) {
            log.warning("The service serves its own user alone: others cannot run what is below "
                    + closed + "; install it with scripts/install to serve them");
        }
        return log;
    }

    private static void reloadOnHangUp(UromDaemon daemon, ServiceLog log) {
        try {
            Signals.onHangUp(daemon::reload);
            daemon.reloadsOnHangUp();
        } catch (ReflectiveOperationException e) {
            log.warning("SIGHUP ends the service, because this JDK does not pass it on: " + e);
        }
    }

    /** Hosts see the whole file or none: it appears under its name when it is written. */
    private static void writeServiceFile(Path serviceFile, ListenAddress address) {
        try {
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            var device = address instanceof ListenAddress.Tls tls
                    && tls.socket().getAddress().isAnyLocalAddress()
                    ? name + ":" + tls.socket().getPort() : address.toString();
            var file = serviceFile.toAbsolutePath();
            var unfinished = Files.createTempFile(file.getParent(), ".urom-service", "");
            try {
                new ServiceFile(DeviceAliases.ofSoftware(System.getenv(ALIASES)).stream()
                        .map(pci -> new ServiceFile.Entry(name, device, pci, List.of("all")))
                        .toList()).write(unfinished);
                Files.setPosixFilePermissions(unfinished,
                        PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new DaemonException("The service file " + serviceFile
                    + " cannot be written: " + e, e);
        }
    }
}
