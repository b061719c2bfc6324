// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.service.StandaloneService;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The service of runs: as {@code urom-daemon}, but a worker that does not answer is killed within
 * a time that runs can wait for.
 */
public final class RunService {

    /** The name of its socket in its directory. */
    public static final String SOCKET = "socket";
    /** The name of its service file in its directory. */
    public static final String SERVICE_FILE = "services";
    /** The name of the folder of its logs in its directory. */
    public static final String LOGS = "logs";
    /** How long a worker may fail to answer. */
    public static final Duration HANG_TIMEOUT = Duration.ofSeconds(15);

    /** More than the hosts of a run need, and few enough for what is not given back to be missed. */
    private static final int MAX_CONNECTIONS = 32;

    private static final int MAX_WORKERS = 48;

    private RunService() {}

    /** Nobody is left who would end this service, then. */
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // It has ended.
        }
        System.exit(0);
    }

    /** Runs until it is told to end. Its one argument is an existing directory for its files. */
    public static void main(String[] arguments) {
        var directory = Path.of(arguments[0]);
        Thread.ofPlatform().daemon().name("end of input").start(RunService::endWithInput);
        var usual = DaemonConfiguration.usual();
        StandaloneService.run(
                usual.toBuilder()
                        .listen(ListenAddress.parse("unix:" + directory.resolve(SOCKET)))
                        .limits(usual.limits()
                                .withConnections(MAX_CONNECTIONS, MAX_CONNECTIONS)
                                .withWorkers(MAX_WORKERS, MAX_WORKERS))
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
