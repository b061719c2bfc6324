// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Optional;

/** What workers may be like, and how one is started. Immutable. */
final class WorkerLauncher {

    /** Shared memory does not work between users, and UCX does not fall back by itself. */
    private static final String TRANSPORTS_BETWEEN_USERS = "tcp,self";
    private static final String LOG_LEVEL = "UROM_WORKER_LOG_LEVEL";

    private final Path program;
    private final PluginCatalog plugins;
    private final CpuSet cpuSet;
    private final int maxMessageSize;
    private final LogLevel logLevel;
    private final Optional<Path> logDirectory;
    private final int ownUserId;
    private final SecureRandom random;

    WorkerLauncher(DaemonConfiguration configuration, PluginCatalog plugins, CpuSet cpuSet,
            int ownUserId, SecureRandom random) {
        this.program = configuration.workerProgram();
        this.plugins = plugins;
        this.cpuSet = cpuSet;
        this.maxMessageSize = configuration.maxMessageSize();
        this.logLevel = configuration.sdkLogLevel();
        this.logDirectory = configuration.logDirectory();
        this.ownUserId = ownUserId;
        this.random = random;
    }

    /** Checks what a host asks for, be the worker new or not. */
    void check(Frame.Spawn spawn) throws RequestRefused {
        if (spawn.plugins() == 0) {
            throw invalid("A worker needs at least one plugin");
        }
        var unknown = spawn.plugins() & ~plugins.allIds();
        if (unknown != 0) {
            throw invalid("The plugin ids 0x%x are unknown: the service has 0x%x"
                    .formatted(unknown, plugins.allIds()));
        }
        if (spawn.cpuSet().isPresent()) {
            checkCpuSet(spawn.cpuSet().get());
        }
        for (var variable : spawn.environment()) {
            checkEncoding(variable);
        }
    }

    private void checkCpuSet(CpuSet wanted) throws RequestRefused {
        if (wanted.isEmpty()) {
            throw invalid("The worker's CPU set is empty");
        }
        if (!cpuSet.containsAll(wanted)) {
            throw invalid("The worker's CPU set " + wanted + " is not within the service's, "
                    + cpuSet);
        }
    }

    /** The JDK would pass what its locale cannot express on as question marks. */
    private static void checkEncoding(String variable) throws RequestRefused {
        var encoding = System.getProperty("sun.jnu.encoding",
                System.getProperty("native.encoding"));
        if (!Charset.forName(encoding).newEncoder().canEncode(variable)) {
            throw new RequestRefused(DocaError.NOT_SUPPORTED, "The environment string \"" + variable
                    + "\" cannot be expressed in the locale of the service, which uses " + encoding
                    + ": start the service with LC_ALL=C.UTF-8");
        }
    }

    private static RequestRefused invalid(String message) {
        return new RequestRefused(DocaError.INVALID_VALUE, message);
    }

    boolean isOwnUser(int userId) {
        return userId == ownUserId;
    }

    /** A worker that is yet to be launched. */
    Worker create(long id, Frame.Spawn spawn, int userId) {
        var token = new byte[Frame.TOKEN_SIZE];
        random.nextBytes(token);
        return new Worker(id, spawn.plugins(), spawn.group(), Bytes.of(token), isOwnUser(userId));
    }

    /** Starts the process of a worker. */
    WorkerProcess launch(Worker worker, Frame.Spawn spawn, WorkerProcess.Listener listener) {
        var command = new ArrayList<String>();
        command.add(program.toString());
        plugins.of(worker.plugins()).forEach(plugin -> command.add(plugin.argument()));

        var environment = new HashMap<String, String>();
        environment.put(LOG_LEVEL, Integer.toString(logLevel.code()));
        if (!worker.sharesMemory()) {
            environment.put("UCX_TLS", TRANSPORTS_BETWEEN_USERS);
        }
        for (var variable : spawn.environment()) {
            var equals = variable.indexOf('=');
            environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }

        var configure = new Frame.Configure(0, worker.token(), worker.id(), maxMessageSize,
                spawn.cpuSet());
        return WorkerProcess.start(
                new WorkerProcess.Start(command, environment, configure, logDirectory), listener);
    }
}
