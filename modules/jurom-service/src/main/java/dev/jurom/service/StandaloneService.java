// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.DeviceAliases;
import dev.jurom.service.linux.ServiceManager;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.sessions.Sessions;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.workers.Deadlines;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the service as a process of its own, such as {@code urom-daemon}. SIGTERM or SIGINT ends its workers and
 * then the process. SIGHUP reloads the authorised hosts and searches for plugins again. Without a log
 * directory, the service logs to standard error. It notifies the service manager that started the process, such
 * as systemd, when it is ready, and of its problems.
 */
public final class StandaloneService {

    private static final String ALIASES = "JUROM_DEVICE_ALIASES";

    private static final int NOTIFICATIONS = 4; // within the time of the watchdog

    private StandaloneService() {}

    /**
     * Runs a service until it ends, usually with the process. Prints a line for each address at which it
     * listens.
     *
     * @param configuration the configuration
     * @param serviceFile a service file to write when the service listens, which directs hosts of this machine
     *        with device {@code soft0} to it
     * @param serviceFileHost the host that the service file names (default: this machine's name); {@code
     *        localhost} matches every host that reads the file
     * @param output receives {@code urom service listening on ADDRESS}
     * @throws DaemonException if the service cannot listen, the service file cannot be written, or the key, the
     *        authorised hosts or the worker program is invalid
     */
    public static void run(
            DaemonConfiguration configuration,
            Optional<Path> serviceFile,
            Optional<String> serviceFileHost,
            PrintStream output) {
        var log = log(configuration);
        var hangUp = HangUp.install(log);
        try (var daemon = UromDaemon.open(configuration, log, Deadlines.DEFAULT)) {
            serviceFile.ifPresent(file -> writeServiceFile(file, serviceFileHost, daemon.address()));
            hangUp.ifPresent(it -> it.reloads(daemon));
            // The JVM exits after the hook, which a signal starts.
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .inheritInheritableThreadLocals(false)
                            .unstarted(daemon::close));
            daemon.addresses().forEach(address -> output.println("urom service listening on " + address));
            output.flush();
            ServiceManager.ofThisProcess().ifPresent(manager -> {
                var notifications = new Notifications(manager, log);
                daemon.watch(notifications);
                ServiceManager.watchdog()
                        .ifPresent(limit ->
                                daemon.whileResponsive(limit.dividedBy(NOTIFICATIONS), notifications::confirm));
            });
            daemon.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts it; the service has ended
        }
    }

    /**
     * Checks a configuration as {@link #run} does, without listening: a service of the same
     * configuration may be running. Blocks for as long as the search for plugins takes.
     *
     * @param configuration the configuration
     * @param serviceFile the service file that {@link #run} would write
     * @return the problems with which the service would run or not start, such as entries of its
     *         authorised hosts that cannot be used or a directory that cannot be written to; a
     *         sentence each
     * @throws DaemonException if the service would not start
     */
    public static List<String> check(DaemonConfiguration configuration, Optional<Path> serviceFile) {
        var problems = new ArrayList<>(UromDaemon.check(
                configuration, ServiceLog.toStandardError(configuration.logs().level())));
        configuration
                .logs()
                .directory()
                .flatMap(directory ->
                        objection(directory).map(why -> "The log directory " + directory + " cannot be used: " + why))
                .ifPresent(problems::add);
        serviceFile
                .flatMap(file -> unwritable(file.toAbsolutePath().resolveSibling("")) // its directory
                        .map(why -> "The service file " + file + " cannot be written: " + why))
                .ifPresent(problems::add);
        return List.copyOf(problems);
    }

    /** Returns why the service could not log to a directory, which it creates if there is none. */
    private static Optional<String> objection(Path directory) {
        try {
            if (Files.exists(directory)) {
                TrustedPath.requireLogDirectory(
                        directory, Credentials.ofThisProcess().userId());
            }
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        var existing = directory;
        while (!Files.exists(existing)) {
            existing = existing.resolveSibling(""); // its parent
        }
        return unwritable(existing);
    }

    /** Returns why no file can be created in a directory. Tries it, because root passes all permission checks. */
    private static Optional<String> unwritable(Path directory) {
        try {
            Files.delete(Files.createTempFile(directory, ".urom-check", ""));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no file can be created in " + directory + " (" + e + ")");
        }
    }

    private static ServiceLog log(DaemonConfiguration configuration) {
        var settings = configuration.logs();
        var log = settings.directory()
                .map(directory -> ServiceLog.toFile(directory, settings))
                .orElseGet(() -> ServiceLog.toStandardError(settings.level()));
        var closed = TrustedPath.closedComponent(configuration.workers().program());
        if (!configuration.users().all()
                && closed != null
                && Credentials.ofThisProcess().mayChangeUser()) {
            log.warning("The service serves only its own user: other users cannot access the programs in " + closed
                    + "; install it with scripts/install to serve them");
        }
        warnOfHeap(configuration.limits(), log);
        return log;
    }

    private static void warnOfHeap(Limits limits, ServiceLog log) {
        var heap = Runtime.getRuntime().maxMemory();
        var needed = Sessions.heapOf(limits);
        if (heap < needed) {
            log.warning("The heap of " + mebibytes(heap) + " may not suffice for "
                    + limits.connections() + " connections, which take up to " + mebibytes(needed)
                    + ": raise JUROM_DAEMON_HEAP, or lower --max-connections");
        }
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }

    /** Handles SIGHUP. A signal that arrives before the service exists takes effect later. */
    private static final class HangUp implements Runnable {

        private @Nullable UromDaemon service;
        private boolean isPending;

        /** Installs the handler of the signal; empty if this JDK has none. */
        static Optional<HangUp> install(ServiceLog log) {
            try {
                var hangUp = new HangUp();
                Signals.onHangUp(hangUp);
                return Optional.of(hangUp);
            } catch (ReflectiveOperationException e) {
                log.warning("SIGHUP ends the service, because this JDK does not pass it on: " + e);
                return Optional.empty();
            }
        }

        @Override
        public synchronized void run() {
            if (service != null) {
                service.reload();
            } else {
                isPending = true;
            }
        }

        synchronized void reloads(UromDaemon daemon) {
            service = daemon;
            daemon.reloadsOnHangUp();
            if (isPending) {
                daemon.reload();
            }
        }
    }

    /** Notifies the service manager that the service is ready, and of its status. */
    private static final class Notifications implements Consumer<ServiceStatus> {

        private final ServiceManager manager;
        private final ServiceLog log;
        private String last = "";

        Notifications(ServiceManager manager, ServiceLog log) {
            this.manager = manager;
            this.log = log;
        }

        /** Called by one thread at a time. */
        @Override
        public void accept(ServiceStatus status) {
            var text = status.problems().isEmpty()
                    ? "Listening at " + String.join(", ", status.addresses())
                    : status.problems().getFirst();
            if (text.equals(last)) {
                return;
            }
            try {
                manager.notify("READY=1\nSTATUS=" + text);
                last = text;
            } catch (IOException e) {
                log.warning("The status is not reported: " + e.getMessage());
            }
        }

        /** Confirms to the watchdog of the manager that the service works. */
        void confirm() {
            try {
                manager.notify("WATCHDOG=1");
            } catch (IOException e) {
                log.warning("The watchdog is not notified: " + e.getMessage());
            }
        }
    }

    /** Writes the file under a temporary name and renames it, so that hosts see the whole file or none. */
    private static void writeServiceFile(Path serviceFile, Optional<String> host, ListenAddress address) {
        try {
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            var device = address instanceof ListenAddress.Tls tls
                            && !tls.socket().isUnresolved()
                            && tls.socket().getAddress().isAnyLocalAddress()
                    ? name + ":" + tls.socket().getPort()
                    : address.toString();
            var file = serviceFile.toAbsolutePath();
            var unfinished = Files.createTempFile(file.getParent(), ".urom-service", "");
            try {
                new ServiceFile(DeviceAliases.ofSoftware(System.getenv(ALIASES)).stream()
                                .map(pci -> new ServiceFile.Entry(host.orElse(name), device, pci, List.of("all")))
                                .toList())
                        .write(unfinished);
                Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (NoSuchFileException | AccessDeniedException | IllegalArgumentException e) {
            throw DaemonException.ofConfiguration(notWritten(serviceFile, e), e);
        } catch (IOException | UncheckedIOException e) { // such as a full disk, which may be temporary
            throw new DaemonException(notWritten(serviceFile, e), e);
        }
    }

    private static String notWritten(Path serviceFile, Exception cause) {
        return "The service file " + serviceFile + " cannot be written: " + cause;
    }
}
