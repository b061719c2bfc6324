// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.service.KeyPairFile;
import dev.jurom.service.StandaloneService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.settings.RemoteAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/** The service of the runs, which is {@code urom-daemon} with a short hang timeout. */
public final class RunService {

    /** The name of the socket in the directory. */
    public static final String SOCKET = "socket";
    /** The name of the service file in the directory. */
    public static final String SERVICE_FILE = "services";
    /** The name of the service file for hosts that connect by TLS. */
    public static final String REMOTE_SERVICE_FILE = "remote-services";
    /** The name of the file with the key of hosts that connect by TLS. */
    public static final String HOST_KEY = "host-key";
    /** The name of the log folder in the directory. */
    public static final String LOGS = "logs";
    /** The hang timeout of workers. */
    public static final Duration HANG_TIMEOUT = Duration.ofSeconds(15);

    /** Limits above the needs of a run, but low enough that leaks exhaust them. */
    private static final int MAX_CONNECTIONS = 32;

    private static final int MAX_WORKERS = 48;

    private RunService() {}

    /** Exits when the input is closed, which means that the parent process has exited. */
    private static void exitWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The input is closed.
        }
        System.exit(0);
    }

    /**
     * Creates the keys of the service and of the hosts that connect by TLS. The workers of these hosts run as
     * this user.
     */
    private static RemoteAccess keys(Path directory) throws IOException {
        var serviceKey = directory.resolve("service-key");
        var hosts = directory.resolve("authorized-hosts");
        if (!Files.exists(serviceKey)) {
            var service = KeyPairFile.create(serviceKey, "service");
            var host = KeyPairFile.create(directory.resolve(HOST_KEY), "host");
            Files.writeString(directory.resolve(HOST_KEY), service, StandardOpenOption.APPEND);
            Files.writeString(
                    hosts, "account: " + System.getProperty("user.name") + " plugins=graph,echo,rdmo\n" + host);
        }
        return RemoteAccess.of(serviceKey, hosts);
    }

    /**
     * Runs the service until it is terminated.
     *
     * @param arguments the path of an existing directory for the files
     */
    public static void main(String[] arguments) throws IOException {
        var directory = Path.of(arguments[0]);
        Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("end of input")
                .start(RunService::exitWithInput);
        var usual = DaemonConfiguration.usual();
        StandaloneService.run(
                usual.toBuilder()
                        .listen(
                                ListenAddress.parse("unix:" + directory.resolve(SOCKET)),
                                ListenAddress.parse("127.0.0.1:0"))
                        .remote(keys(directory))
                        .limits(usual.limits()
                                .withConnections(MAX_CONNECTIONS, MAX_CONNECTIONS)
                                .withWorkers(MAX_WORKERS, MAX_WORKERS))
                        .plugin(EchoPlugin.class)
                        .workers(usual.workers().withHangTimeout(HANG_TIMEOUT))
                        .logs(LogSettings.DEFAULT
                                .withDirectory(directory.resolve(LOGS))
                                .withRotation(LogSettings.DEFAULT_MAX_SIZE, 1))
                        .build(),
                Optional.of(directory.resolve(SERVICE_FILE)),
                Optional.empty(),
                System.out);
    }
}
