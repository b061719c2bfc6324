// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.ByteSize;
import dev.jurom.cli.shell.ValueConverters;
import dev.jurom.cli.shell.Version;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.service.StandaloneService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The service as a separate program. Prints a line for each address at which it listens. Ends on
 * SIGTERM or SIGINT, after its workers; on SIGHUP, reads its authorised hosts and searches for
 * plugins again. Exit code 1: it did not start, with the reason on standard error, or {@code
 * --check} found a problem. Exit code 78: its configuration is wrong.
 */
@Command(
        name = "urom-daemon",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Runs the UROM service: it starts workers for hosts.",
            "The service searches for plugins in the directories of UROM_PLUGIN_PATH, separated by semicolons"
                    + " (default: the plugins that ship with jurom). Only root and the service's"
                    + " user may have write access to them; if the service serves other users, only"
                    + " root.",
            "Plugins find libraries in the directories of LD_LIBRARY_PATH, to which the same rule" + " applies.",
            "A host that exceeds a limit receives an error; other hosts are not affected."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done, for --check and --help",
            "1:the service did not start, or --check found a problem",
            "2:wrong arguments",
            "3:the heap is exhausted",
            UromDaemonMain.WRONG_CONFIGURATION + ":the service did not start, because its configuration or a file"
                    + " that it names is wrong",
            "143:ended by SIGTERM"
        })
public final class UromDaemonMain implements Callable<Integer> {

    /** EX_CONFIG of sysexits.h: starting again with the same configuration fails again. */
    static final int WRONG_CONFIGURATION = 78;

    private static final String PLUGIN_PATH = "UROM_PLUGIN_PATH";
    /** The system property that names a variable with further options; the image of the service sets it. */
    private static final String OPTIONS_VARIABLE = "jurom.daemon.options.variable";

    @Mixin
    private ServingOptions serving;

    @Option(
            names = "--service-file",
            paramLabel = "FILE",
            description = "Write a service file that maps device soft0 and its JUROM_DEVICE_ALIASES on this"
                    + " machine's hosts to this service.")
    private Path serviceFile;

    @Option(
            names = "--service-file-host",
            paramLabel = "NAME",
            description = "Host that the service file names (default: this machine's host name). localhost"
                    + " stands for every host that reads the file, such as containers"
                    + " with host names of their own.")
    private String serviceFileHost;

    @Option(
            names = "--check",
            description = "Check the configuration, including each entry of the authorised hosts, the"
                    + " addresses, and whether the logs and the service file can be written. Exit with 0 if"
                    + " there is no problem, else with 1.")
    private boolean check;

    @Option(
            names = {"-m", "--max-msg-size"},
            paramLabel = "BYTES",
            defaultValue = "" + DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE,
            converter = ByteSize.class,
            description = "Maximum size in bytes of a message between a host and a worker; hosts must use the"
                    + " same value (default: ${DEFAULT-VALUE}).")
    private int maxMessageSize;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description =
                    "Number of cores that the service reports (default: the number of cores of the" + " machine).")
    private Integer cores;

    @Mixin
    private WorkerOptions workers;

    @Mixin
    private LimitOptions limits;

    @Mixin
    private LogOptions logs;

    private UromDaemonMain() {}

    /**
     * Runs the service until SIGTERM or SIGINT.
     *
     * @param arguments {@code --help} lists them
     */
    public static void main(String[] arguments) {
        var variable = System.getProperty(OPTIONS_VARIABLE);
        var further = variable == null ? null : System.getenv(variable);
        System.exit(commandLine().execute(withOptions(further, arguments)));
    }

    /** Returns arguments after options that are separated by blanks; null means none. */
    static String[] withOptions(String options, String... arguments) {
        var words = options == null || options.isBlank()
                ? Stream.<String>empty()
                : Stream.of(options.strip().split("\\s+"));
        return Stream.concat(words, Stream.of(arguments)).toArray(String[]::new);
    }

    /** Returns the command line, to run or to describe. */
    static CommandLine commandLine() {
        return ValueConverters.register(new CommandLine(new UromDaemonMain()));
    }

    @Override
    public Integer call() {
        try {
            if (check) {
                var problems = StandaloneService.check(configuration(), Optional.ofNullable(serviceFile));
                problems.forEach(problem -> System.err.println("urom-daemon: " + problem));
                return problems.isEmpty() ? 0 : 1;
            }
            StandaloneService.run(
                    configuration(),
                    Optional.ofNullable(serviceFile),
                    Optional.ofNullable(serviceFileHost),
                    System.out);
            return 1; // no signal ended it; the log has the reason
        } catch (DaemonException e) {
            return failure(e, e.isConfiguration());
        } catch (IllegalArgumentException e) {
            return failure(e, true);
        } catch (LibraryLoadException e) {
            return failure(e, false);
        }
    }

    private int failure(RuntimeException reason, boolean isConfiguration) {
        System.err.println("urom-daemon: " + reason.getMessage());
        return isConfiguration && !check ? WRONG_CONFIGURATION : 1;
    }

    private DaemonConfiguration configuration() {
        var remote = serving.remote();
        var settings =
                workers.settings(() -> DaemonConfiguration.usual().workers().program());
        var configuration = DaemonConfiguration.builder(
                        settings.program(), pluginDirectories(System.getenv(PLUGIN_PATH)))
                .listen(serving.addresses().toArray(ListenAddress[]::new))
                .users(serving.users(settings.program()))
                .maxMessageSize(maxMessageSize)
                .workers(settings)
                .limits(limits.limits())
                .logs(logs.settings());
        remote.ifPresent(configuration::remote);
        if (cores != null) {
            configuration.cores(cores);
        }
        return configuration.build();
    }

    /** Returns the directories of a {@code UROM_PLUGIN_PATH}; null means that it is not set. */
    static List<Path> pluginDirectories(String path) {
        if (path == null) {
            return DaemonConfiguration.usual().pluginDirectories();
        }
        return Stream.of(path.split(";"))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .map(Path::of)
                .toList();
    }
}
