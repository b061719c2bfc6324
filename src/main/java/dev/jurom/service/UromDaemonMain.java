// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The service as a program of its own. Prints one line when it listens; ends on SIGTERM or SIGINT,
 * after its workers. Exit code 1: it did not start, with the reason on standard error.
 */
@Command(name = "urom-daemon", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Runs the UROM service: it starts workers for hosts.",
            "Plugins are looked for in the directories of UROM_PLUGIN_PATH, separated by"
            + " semicolons; without it, those that ship with jurom are offered."})
public final class UromDaemonMain implements Callable<Integer> {

    private static final String PLUGIN_PATH = "UROM_PLUGIN_PATH";
    private static final String DEFAULT_DEVICE = "0000:00:00.0";
    private static final String LEVELS = "10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, 50=INFO,"
            + " 60=DEBUG, 70=TRACE";

    @Option(names = {"-l", "--log-level"}, paramLabel = "LEVEL", defaultValue = "50",
            description = "How much the service logs: " + LEVELS + " (default: ${DEFAULT-VALUE}).")
    private int logLevel;

    @Option(names = "--sdk-log-level", paramLabel = "LEVEL", defaultValue = "40",
            description = "How much its workers log (default: ${DEFAULT-VALUE}).")
    private int sdkLogLevel;

    @Option(names = {"-m", "--max-msg-size"}, paramLabel = "BYTES",
            defaultValue = "" + DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE,
            description = "The longest message between a host and a worker; hosts must have the"
            + " same (default: ${DEFAULT-VALUE}).")
    private int maxMessageSize;

    @Option(names = "--listen", paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:" + DaemonConfiguration.DEFAULT_PORT,
            description = "Where hosts connect; port 0: the system chooses; an IPv6 address is in"
            + " brackets (default: ${DEFAULT-VALUE}).")
    private String listen;

    @Option(names = "--key-file", paramLabel = "FILE",
            description = "The key that hosts must know, a file of mode 0600; needed for listening"
            + " anywhere but on loopback.")
    private Path keyFile;

    @Option(names = "--cores", paramLabel = "N",
            description = "How many cores the service presents (default: the machine's own).")
    private Integer cores;

    @Option(names = "--max-workers", paramLabel = "N",
            defaultValue = "" + DaemonConfiguration.DEFAULT_MAX_WORKERS,
            description = "How many workers may run at a time (default: ${DEFAULT-VALUE}).")
    private int maxWorkers;

    @Option(names = "--log-dir", paramLabel = "DIRECTORY",
            description = "Where " + ServiceLog.FILE_NAME + " and the workers' urom_worker_<pid>"
            + "_dev.log are written (default: all goes to standard error).")
    private Path logDirectory;

    @Option(names = "--worker", paramLabel = "PROGRAM",
            description = "The worker program (default: the urom_worker that ships with jurom).")
    private Path worker;

    @Option(names = "--service-file", paramLabel = "FILE",
            description = "Write a service file that leads this machine's hosts, with device soft0,"
            + " to this service.")
    private Path serviceFile;

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
            DocaRuntime.current();
            serve(configuration());
            return 1; // not because of a signal: the log says why
        } catch (DaemonException | IllegalArgumentException | LibraryLoadException e) {
            System.err.println("urom-daemon: " + e.getMessage());
            return 1;
        }
    }

    private DaemonConfiguration configuration() {
        var program = worker == null ? SoftwareInstallation.current().workerProgram() : worker;
        return new DaemonConfiguration(address(listen), Optional.ofNullable(keyFile),
                maxMessageSize, cores == null ? OptionalInt.empty() : OptionalInt.of(cores),
                maxWorkers, pluginDirectories(System.getenv(PLUGIN_PATH)), program,
                Optional.ofNullable(logDirectory), LogLevel.of(logLevel),
                LogLevel.of(sdkLogLevel));
    }

    /** Reads {@code host:port}. */
    static InetSocketAddress address(String text) {
        var colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            if (!host.isEmpty()) {
                return new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (IllegalArgumentException e) {
            // No number, or none of a port: said below.
        }
        throw new IllegalArgumentException("The address \"" + text
                + "\" is not HOST:PORT with a port from 0 to 65535");
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
        var level = configuration.logLevel();
        var log = configuration.logDirectory()
                .map(directory -> ServiceLog.toFile(directory, level))
                .orElseGet(() -> ServiceLog.toStandardError(level));
        try (var daemon = UromDaemon.start(configuration, log, Deadlines.DEFAULT)) {
            if (serviceFile != null) {
                writeServiceFile(daemon.address());
            }
            System.out.println("urom service listening on " + text(daemon.address()));
            System.out.flush();
            // A signal runs the hook, and the JVM ends after it.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(daemon::close));
            daemon.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; the service has ended then
        }
    }

    private static String text(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Hosts see the whole file or none: it appears under its name when it is written. */
    private void writeServiceFile(InetSocketAddress address) {
        try {
            var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            var device = address.getAddress().isAnyLocalAddress() ? name + ":" + address.getPort()
                    : text(address);
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
