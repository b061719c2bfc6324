// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The service as a program of its own. Prints a line for each address when it listens; ends on
 * SIGTERM or SIGINT, after its workers; on SIGHUP, it reads its authorised hosts and looks for
 * plugins again. Exit code 1: it did not start, with the reason on standard error.
 */
@Command(name = "urom-daemon", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Runs the UROM service: it starts workers for hosts.",
            "Plugins are looked for in the directories of UROM_PLUGIN_PATH, separated by"
            + " semicolons; without it, those that ship with jurom are offered. Nobody but root and"
            + " the service's user may be able to change them, and where it serves other users,"
            + " nobody but root.",
            "Who reaches a limit is told so, and nobody else notices."})
public final class UromDaemonMain implements Callable<Integer> {

    private static final String PLUGIN_PATH = "UROM_PLUGIN_PATH";
    private static final String DEFAULT_DEVICE = "0000:00:00.0";

    @Mixin
    private ServingOptions serving;

    @Option(names = "--service-file", paramLabel = "FILE",
            description = "Write a service file that leads this machine's hosts, with device soft0,"
            + " to this service.")
    private Path serviceFile;

    @Option(names = {"-m", "--max-msg-size"}, paramLabel = "BYTES",
            defaultValue = "" + DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE,
            description = "The longest message between a host and a worker; hosts must have the"
            + " same (default: ${DEFAULT-VALUE}).")
    private int maxMessageSize;

    @Option(names = "--cores", paramLabel = "N",
            description = "How many cores the service presents (default: the machine's own).")
    private Integer cores;

    @Mixin
    private WorkerOptions workers;

    @Mixin
    private LimitOptions limits;

    @Mixin
    private LogOptions logs;

    private UromDaemonMain() {
    }

    /**
     * Runs the service until it is told to end.
     *
     * @param arguments {@code --help} lists them
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new UromDaemonMain()).execute(arguments));
    }

    @Override
    public Integer call() {
        try {
            serve(configuration());
            return 1; // not because of a signal: the log says why
        } catch (DaemonException | IllegalArgumentException | LibraryLoadException e) {
            System.err.println("urom-daemon: " + e.getMessage());
            return 1;
        }
    }

    private DaemonConfiguration configuration() {
        var own = Credentials.ofThisProcess();
        var remote = serving.remote();
        var settings = workers.settings(() -> SoftwareInstallation.current().workerProgram());
        var configuration = DaemonConfiguration
                .builder(settings.program(), pluginDirectories(System.getenv(PLUGIN_PATH)))
                .listen(serving.addresses(own).toArray(ListenAddress[]::new))
                .users(serving.users(own, TrustedPath.closedComponent(settings.program())))
                .maxMessageSize(maxMessageSize)
                .workers(settings).limits(limits.limits()).logs(logs.settings());
        remote.ifPresent(configuration::remote);
        if (cores != null) {
            configuration.cores(cores);
        }
        return configuration.build();
    }

    /** The directories of a {@code UROM_PLUGIN_PATH}; null means that it is not set. */
    static List<Path> pluginDirectories(String path) {
        if (path == null) {
            return List.of(SoftwareInstallation.current().plugins());
        }
        return Stream.of(path.split(";")).map(String::strip).filter(part -> !part.isEmpty())
                .map(Path::of).toList();
    }

    private void serve(DaemonConfiguration configuration) {
        var settings = configuration.logs();
        var log = settings.directory().map(directory -> ServiceLog.toFile(directory, settings))
                .orElseGet(() -> ServiceLog.toStandardError(settings.level()));
        if (!configuration.users().all() && Credentials.ofThisProcess().mayChangeUser()) {
            log.warning("The service serves its own user alone: others cannot run what is below "
                    + TrustedPath.closedComponent(configuration.workers().program())
                    + "; install it with scripts/install to serve them");
        }
        try (var daemon = UromDaemon.start(configuration, log, Deadlines.DEFAULT)) {
            if (serviceFile != null) {
                writeServiceFile(daemon.address());
            }
            reloadOnHangUp(daemon, log);
            // A signal runs the hook, and the JVM ends after it.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(daemon::close));
            daemon.addresses().forEach(address ->
                    System.out.println("urom service listening on " + address));
            System.out.flush();
            daemon.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; the service has ended then
        }
    }

    private static void reloadOnHangUp(UromDaemon daemon, ServiceLog log) {
        try {
            Signals.onHangUp(daemon::reload);
        } catch (ReflectiveOperationException e) {
            log.warning("SIGHUP ends the service, because this JDK does not pass it on: " + e);
        }
    }

    /** Hosts see the whole file or none: it appears under its name when it is written. */
    private void writeServiceFile(ListenAddress address) {
        try {
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            var device = address instanceof ListenAddress.Tls tls
                    && tls.socket().getAddress().isAnyLocalAddress()
                    ? name + ":" + tls.socket().getPort() : address.toString();
            var file = serviceFile.toAbsolutePath();
            var unfinished = Files.createTempFile(file.getParent(), ".urom-service", "");
            try {
                ServiceFile.of(new ServiceFile.Entry(name, device, DEFAULT_DEVICE, List.of("all")))
                        .write(unfinished);
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
