// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.identity.CallerProcess;
import dev.jurom.service.identity.Confinement;
import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.WorkerLogs;
import dev.jurom.service.plugins.Plugin;
import dev.jurom.service.plugins.PluginCatalog;
import dev.jurom.service.plugins.PluginProbe;
import dev.jurom.service.processes.Launcher;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks requests for workers and prepares their start. This class is thread-safe. */
public final class WorkerLauncher {

    private static final long ALL_CAPABILITIES = -1;

    private final DaemonConfiguration configuration;
    private final LocalUsers users;
    private final CpuSet cpuSet;
    private final Supplier<PluginCatalog> plugins;
    private final Runnable pluginSearch;
    private final TrustedPath trusted;
    private final WorkerEnvironment environment;
    private final RuntimeDirectory directory;
    private final Optional<WorkerLogs> logs;
    private final @Nullable WorkerCgroups cgroups;
    private final Confinement bounds; // the restrictions of each worker
    private final Poller poller;
    private final Launcher launcher;
    private final SharedMemoryFiles sharedMemory;
    private final Optional<MemoryKills> memoryKills = MemoryKills.in(MemoryKills.ofService());
    private final Supplier<Optional<Path>> linkedPlugins;

    /**
     * Creates a launcher.
     *
     * @param configuration the program and the limits of workers
     * @param users determines as which users workers may run
     * @param cpuSet the processors on which workers may run
     * @param plugins returns the result of the last search
     * @param pluginSearch creates files again that were removed, and searches again if plugin folders have changed; may
     *         block for some seconds
     * @param trusted determines whether the program and the plugins may be loaded
     * @param environment builds the environment of each worker
     * @param directory the directory of the workers' sockets
     * @param logs the logs of workers; if empty, they log to standard error
     * @param cgroups creates a cgroup for each worker, or null
     * @param linkedPlugins returns the folder of plugins with the class path of this process, if there are any
     * @param poller reads the output of workers, and writes their input
     * @param launcher starts the processes
     * @throws IOException if the restrictions of this process cannot be read
     */
    public WorkerLauncher(
            DaemonConfiguration configuration,
            LocalUsers users,
            CpuSet cpuSet,
            Supplier<PluginCatalog> plugins,
            Runnable pluginSearch,
            TrustedPath trusted,
            WorkerEnvironment environment,
            RuntimeDirectory directory,
            Optional<WorkerLogs> logs,
            @Nullable WorkerCgroups cgroups,
            Supplier<Optional<Path>> linkedPlugins,
            Poller poller,
            Launcher launcher)
            throws IOException {
        this.configuration = configuration;
        this.users = users;
        this.bounds = bounds(configuration.workers());
        this.cpuSet = cpuSet;
        this.plugins = plugins;
        this.pluginSearch = pluginSearch;
        this.trusted = trusted;
        this.environment = environment;
        this.directory = directory;
        this.logs = logs;
        this.cgroups = cgroups;
        this.linkedPlugins = linkedPlugins;
        this.poller = poller;
        this.launcher = launcher;
        this.sharedMemory = new SharedMemoryFiles(launcher);
    }

    private static Confinement bounds(WorkerSettings settings) throws IOException {
        var limits = new ArrayList<>(Collections.nCopies(Confinement.RESOURCES, Confinement.UNLIMITED));
        if (settings.memory() > 0) {
            limits.set(Confinement.DATA, settings.memory());
        }
        if (settings.files() > 0) {
            limits.set(Confinement.FILES, (long) settings.files());
        }
        return new Confinement(ALL_CAPABILITIES, limits, Optional.empty())
                .within(new Confinement(ALL_CAPABILITIES, CallerProcess.ownLimits(), Optional.empty()));
    }

    /** Returns the restrictions of a worker for a host: only root's has capabilities. */
    Confinement bounds(Peer peer) {
        var own = peer.confinement().within(bounds);
        return new Confinement(peer.userId() == Credentials.ROOT ? own.capabilities() : 0, own.limits(), own.cgroup());
    }

    /** Checks a host's request for a new or an existing worker. */
    void check(Peer peer, Frame.Spawn spawn) throws RequestRefused {
        users.requireWorkersOf(peer);
        pluginSearch.run();
        plugins(peer, spawn);
        if (spawn.cpuSet().isPresent()) {
            checkCpuSet(spawn.cpuSet().get());
        }
    }

    /** Returns the plugins that a host requests, all of which it may use. */
    List<Plugin> plugins(Peer peer, Frame.Spawn spawn) throws RequestRefused {
        if (spawn.plugins() == 0) {
            throw invalid("A worker needs at least one plugin");
        }
        var catalog = plugins.get();
        var known = catalog.allIds();
        var unknown = spawn.plugins() & ~known;
        if (unknown != 0) {
            throw invalid(("The plugin ids 0x%x are unknown: the service has 0x%x. If a plugin has"
                            + " been replaced by another version, connect to the service again")
                    .formatted(unknown, known));
        }
        var requested = catalog.of(spawn.plugins());
        for (var plugin : requested) {
            SpawnRules.requirePlugin(peer, plugin, "request a worker without it");
        }
        return requested;
    }

    private void checkCpuSet(CpuSet wanted) throws RequestRefused {
        if (wanted.isEmpty()) {
            throw invalid("The worker's CPU set is empty");
        }
        if (!cpuSet.containsAll(wanted)) {
            throw invalid("The worker's CPU set " + wanted + " is not within the service's, " + cpuSet);
        }
    }

    private static RequestRefused invalid(String message) {
        return new RequestRefused(DocaError.INVALID_VALUE, message);
    }

    /** Returns a path at which a new worker listens. */
    Path newSocket() {
        return directory.workerSocket();
    }

    /** Removes the socket and the cgroup of a worker that has ended. */
    void unlink(SpawnedWorker worker) {
        try {
            Files.deleteIfExists(worker.socket());
            if (cgroups != null) {
                cgroups.remove(worker);
            }
        } catch (IOException e) {
            // The directory is deleted with the service.
        }
    }

    /** Returns the shared memory that UCX in workers uses. */
    SharedMemoryFiles sharedMemory() {
        return sharedMemory;
    }

    /** Returns the bytes of the LAUNCH for the start of a worker. */
    byte[] launch(SpawnedWorker worker, Frame.Spawn spawn, Peer peer) throws RequestRefused {
        var confinement = worker.confinement();
        var variables = new ArrayList<>(environment.of(peer, spawn.environment()));
        linkedPlugins.get().ifPresent(folder -> variables.add(PluginProbe.LINKED_PLUGINS + "=" + folder));
        return FrameEncoder.encode(Frame.Launch.of(0, confinement.capabilities())
                .withUser(user(peer))
                .withLimits(confinement.limits())
                .withSocketPath(Optional.of(worker.socket().toString()))
                .withCgroup(cgroup(worker))
                .withEnvironment(variables));
    }

    /** Returns the parameters for starting a worker for a host. */
    WorkerProcess.Start start(SpawnedWorker worker, Frame.Spawn spawn, Peer peer) {
        var configure = new Frame.Configure(0, worker.id(), configuration.maxMessageSize(), spawn.cpuSet());
        return new WorkerProcess.Start(
                plugins(worker),
                launcher,
                configuration.workers().cores(),
                // Other users' workers must not have access to this process's terminal.
                !isOfOther(peer),
                logs,
                peer.userId(),
                memoryKills(worker),
                configure,
                poller);
    }

    /** Returns the count of the cgroup of a worker, which has been created: its own, its host's or the service's. */
    private Optional<MemoryKills> memoryKills(SpawnedWorker worker) {
        var own = cgroups == null
                ? worker.confinement()
                        .cgroup()
                        .filter(host -> users.includesOthers())
                        .map(Path::of)
                : Optional.of(cgroups.memory(worker));
        return MemoryKills.in(own.stream()).or(() -> memoryKills);
    }

    private boolean isOfOther(Peer peer) {
        return peer.userId() != users.own().userId();
    }

    /** Returns the cgroups of a worker, one a line: its own, or for the workers of all users that of its host. */
    private Optional<String> cgroup(SpawnedWorker worker) throws RequestRefused {
        if (cgroups == null) {
            return users.includesOthers() ? worker.confinement().cgroup() : Optional.empty();
        }
        try {
            return Optional.of(cgroups.make(worker).stream().map(Path::toString).collect(Collectors.joining("\n")));
        } catch (IOException e) {
            throw new RequestRefused(
                    DocaError.OPERATING_SYSTEM, "No cgroup can be created for " + worker + ": " + e.getMessage());
        }
    }

    private Optional<Frame.User> user(Peer peer) throws RequestRefused {
        if (!isOfOther(peer)) {
            return Optional.empty();
        }
        var account = peer.account()
                .orElseThrow(() -> new RequestRefused(
                        DocaError.NOT_PERMITTED,
                        "User " + Integer.toUnsignedString(peer.userId()) + " has no account"));
        return Optional.of(new Frame.User(account.userId(), account.groupId()));
    }

    /** Returns the plugins for the command line, which are checked again for each start, as the program is. */
    private WorkerProcess.Plugins plugins(SpawnedWorker worker) {
        var before = worker.plugins();
        return () -> {
            pluginSearch.run();
            var chosen = plugins.get().of(worker.pluginIds());
            if (chosen.size() < before.size()) {
                throw new IOException(
                        "a plugin of " + before.stream().map(Plugin::file).toList()
                                + " has been removed, or replaced by another version: connect to the"
                                + " service again");
            }
            trusted.require(configuration.workers().program());
            var arguments = new ArrayList<String>();
            for (var plugin : chosen) {
                plugin.require(trusted);
                arguments.add(plugin.argument());
            }
            return List.copyOf(arguments);
        };
    }
}
