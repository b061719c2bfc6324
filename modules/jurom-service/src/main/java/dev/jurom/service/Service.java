// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.connections.DescriptorReserve;
import dev.jurom.service.connections.Listener;
import dev.jurom.service.connections.TlsConnection;
import dev.jurom.service.connections.TlsListener;
import dev.jurom.service.connections.UnixConnection;
import dev.jurom.service.connections.UnixListener;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.FileStamps;
import dev.jurom.service.files.RuntimeDirectory;
import dev.jurom.service.identity.AuthorizedHosts;
import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.identity.TlsIdentity;
import dev.jurom.service.linux.LocalSocket;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.logs.WorkerLogs;
import dev.jurom.service.plugins.LibraryPath;
import dev.jurom.service.plugins.PluginCatalog;
import dev.jurom.service.plugins.PluginFiles;
import dev.jurom.service.plugins.PluginProbe;
import dev.jurom.service.processes.Launcher;
import dev.jurom.service.sessions.SessionHost;
import dev.jurom.service.sessions.Sessions;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.Release;
import dev.jurom.service.workers.DaemonCounters;
import dev.jurom.service.workers.Deadlines;
import dev.jurom.service.workers.HangWatch;
import dev.jurom.service.workers.WorkerCgroups;
import dev.jurom.service.workers.WorkerEnvironment;
import dev.jurom.service.workers.WorkerLauncher;
import dev.jurom.service.workers.Workers;
import dev.jurom.urom.CpuSet;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a service, from its start to its end. This class is thread-safe. */
final class Service implements SessionHost, AutoCloseable {

    /** Maximum time to wait for killed processes and closed connections. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    /** Maximum time for which a request waits for a search for plugins. */
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration SUMMARY_PERIOD = Duration.ofMinutes(1);
    /** Pause between checks that no file of the service has been removed. */
    private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);
    /** Pause between attempts to listen at addresses that this machine does not have yet. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Names the folder for cores to the launcher. */
    private static final String CORES = "JUROM_CORES";

    private static final String ABSENT =
            " is not an address of this machine yet; the service" + " listens there once it is";
    private static final String UNRESOLVED = ": the host name could not be resolved; the service listens there"
            + " once it is the name of an address of this machine";

    private final DaemonConfiguration configuration;
    private final ServiceLog log;
    private final ServiceThreads threads;
    private final Deadlines deadlines;
    private final Credentials own = Credentials.ofThisProcess();
    private final LocalUsers users;
    private volatile Optional<TlsIdentity> identity = Optional.empty();
    private final CpuSet cpuSet;
    private final LibraryPath libraries;
    private final PluginFiles pluginFiles;
    private final Launcher launcher;
    private final PluginProbe probe;
    private final Timers timers;
    private final Poller poller;
    private final Poller workerPoller;
    private final Optional<WorkerLogs> workerLogs;
    private final DescriptorReserve descriptors;
    private final DaemonCounters counters;
    private final RuntimeDirectory directory;
    private final StatusFile status;
    private final Workers workers;
    private final Sessions sessions;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<ListenAddress.Tls> absent = new CopyOnWriteArrayList<>();
    private final ReentrantLock reloading = new ReentrantLock();
    private volatile @Nullable Listener statusListener; // for other users and probes
    private volatile @Nullable AuthorizedHosts hosts;
    private volatile Optional<String> readFailure = Optional.empty(); // of the authorized hosts
    private volatile Optional<String> failedKey = Optional.empty(); // the service listens at no TLS address
    private volatile List<String> lost = List.of(); // files that were removed and cannot be created again
    private volatile Runnable afterRestore = () -> {};
    private volatile PluginCatalog plugins = PluginCatalog.empty();
    private volatile FileStamps searched = new FileStamps(); // the files of the last search for plugins
    private final AtomicReference<@Nullable FutureTask<?>> search = new AtomicReference<>();
    private volatile int reloadsStarted; // this and the next: written by the holder of reloading
    private volatile int reloadsCompleted;
    private volatile boolean reloads;
    private boolean closing; // guarded by reloading

    /**
     * Checks the configuration and searches for plugins, but does not listen yet.
     *
     * @param threads closed by the caller after this is closed or if the construction fails
     */
    Service(DaemonConfiguration configuration, ServiceLog log, Deadlines deadlines, ServiceThreads threads)
            throws IOException, InterruptedException {
        this.configuration = configuration;
        this.log = log;
        this.threads = threads;
        this.deadlines = deadlines;
        this.users = new LocalUsers(own, configuration.users());
        readKey();
        this.hosts = readFirstHosts();
        this.cpuSet = ServiceCores.of(configuration.cores());
        var trusted = new TrustedPath(own.userId(), users.includesOthers());
        var program = requireProgram(trusted);
        this.libraries = new LibraryPath(System.getenv(LibraryPath.VARIABLE), trusted, log);
        var environment = new WorkerEnvironment(System.getenv(), own, configuration, libraries);
        this.poller = new Poller(threads.factory("urom-daemon-poller"));
        this.workerPoller = openWorkerPoller();
        this.timers = new Timers(log::error, threads);
        this.workerLogs = openLogs();
        this.descriptors = new DescriptorReserve(poller);
        this.directory = openDirectory();
        var cgroups = cgroups(); // first, because a cgroup with processes cannot have children
        this.launcher = new Launcher(program, launcherVariables(), deadlines.start(), workerPoller, timers, log);
        this.probe =
                new PluginProbe(launcher, libraries, this::linkedPlugins, deadlines.probe(), users.includesOthers());
        this.pluginFiles = new PluginFiles(this::pluginFolders, trusted, log);
        findPlugins(); // last, so that no failure leaves the directory behind
        this.counters = new DaemonCounters(directory::path, log);
        this.status = new StatusFile(directory::path, timers, log, this::status);
        this.workers = new Workers(
                log,
                counters,
                timers,
                deadlines,
                configuration,
                new WorkerLauncher(
                        configuration,
                        users,
                        cpuSet,
                        () -> plugins,
                        this::requireCurrentPlugins,
                        trusted,
                        environment,
                        directory,
                        workerLogs,
                        cgroups,
                        this::linkedPlugins,
                        workerPoller,
                        launcher),
                status::changed);
        this.sessions = new Sessions(this);
    }

    private Path requireProgram(TrustedPath trusted) throws IOException {
        try {
            var program = trusted.require(configuration.workers().program());
            if (!program.toFile().canExecute() || program.toFile().isDirectory()) {
                throw new IOException("it cannot be executed");
            }
            var closed = users.includesOthers() ? TrustedPath.closedComponent(program) : null;
            if (closed != null) {
                log.warning("Workers of other users may fail to start: they cannot pass " + closed + " on the way to "
                        + program + "; install the program where all users can execute it");
            }
            return program;
        } catch (IOException e) {
            throw DaemonException.ofConfiguration(
                    "The worker program " + configuration.workers().program() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private Map<String, String> launcherVariables() {
        return configuration
                .workers()
                .cores()
                .map(folder -> Map.of(CORES, folder.toString()))
                .orElse(Map.of());
    }

    private @Nullable WorkerCgroups cgroups() {
        if (configuration.workers().memory() == 0) {
            return null;
        }
        try {
            var cgroups = WorkerCgroups.of(configuration.workers());
            if (!cgroups.limitTasks()) {
                log.warning("The processes and threads of workers are not limited: the service's cgroup has no pids"
                        + " controller (systemd: Delegate=memory pids)");
            }
            return cgroups;
        } catch (IOException e) {
            log.warning("The memory limit of workers bounds their data segments alone, not shared"
                    + " mappings and memfds: " + e.getMessage());
            return null;
        }
    }

    /** Separate from the poller of connections, because serving a worker's frame takes locks and writes log lines. */
    private Poller openWorkerPoller() throws IOException {
        try {
            return new Poller(threads.factory("urom-daemon-workers"));
        } catch (IOException e) {
            poller.close();
            throw e;
        }
    }

    private Optional<WorkerLogs> openLogs() throws IOException {
        var logs = configuration.logs();
        try {
            return logs.directory().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new WorkerLogs(logs.directory().get(), logs.maxSize(), log, threads, timers::after));
        } catch (IOException e) {
            closePollers();
            throw e;
        }
    }

    private void closePollers() {
        workerPoller.close();
        poller.close();
    }

    private RuntimeDirectory openDirectory() throws IOException {
        try {
            return RuntimeDirectory.open(own, users.includesOthers());
        } catch (IOException | RuntimeException e) {
            workerLogs.ifPresent(WorkerLogs::close);
            closePollers();
            throw e;
        }
    }

    /** Writes the plugins that are given by their classes to a folder, and searches for all plugins. */
    private void findPlugins() throws IOException, InterruptedException {
        try {
            writeLinkedPlugins();
            rescan();
        } catch (IOException | InterruptedException | RuntimeException e) {
            launcher.close();
            directory.close();
            workerLogs.ifPresent(WorkerLogs::close);
            closePollers();
            throw e;
        }
    }

    /** Returns the folder of the plugins that are given by their classes, if there are any. */
    private Optional<Path> linkedPlugins() {
        return configuration.pluginClasses().isEmpty()
                ? Optional.empty()
                : Optional.of(directory.path().resolve("plugins"));
    }

    private List<Path> pluginFolders() {
        return Stream.concat(configuration.pluginDirectories().stream(), linkedPlugins().stream())
                .toList();
    }

    private void writeLinkedPlugins() throws IOException {
        for (var type : configuration.pluginClasses()) {
            PluginFolder.writeLinked(Files.createDirectories(linkedPlugins().orElseThrow()), type);
        }
    }

    /** Returns whether local users have an address of their own, which a broken remote part must not stop. */
    private boolean servesLocally() {
        return configuration.listen().isEmpty()
                || configuration.listen().stream().anyMatch(ListenAddress.Unix.class::isInstance);
    }

    private void readKey() {
        try {
            identity = configuration.remote().map(remote -> TlsIdentity.read(remote.key(), own));
            failedKey = Optional.empty();
        } catch (DaemonException e) {
            if (!servesLocally()) {
                throw e;
            }
            var problem = e.getMessage() + "; the service listens for local hosts only: correct the file and reload"
                    + " the service";
            failedKey = Optional.of(problem);
            log.error(problem);
        }
    }

    private @Nullable AuthorizedHosts readFirstHosts() {
        try {
            return readHosts();
        } catch (DaemonException e) {
            if (!servesLocally()) {
                throw e;
            }
            var problem = e.getMessage() + "; no host is authorized: correct the file and reload the service";
            log.error(problem);
            return AuthorizedHosts.none(authorizedHosts(), problem);
        }
    }

    private Path authorizedHosts() {
        return configuration.remote().map(RemoteAccess::authorizedHosts).orElseThrow();
    }

    private @Nullable AuthorizedHosts readHosts() {
        if (configuration.remote().isEmpty()) {
            return null;
        }
        var read = AuthorizedHosts.read(authorizedHosts(), own, users);
        read.problems().forEach(problem -> log.error("An entry of the authorized hosts is invalid: " + problem));
        return read;
    }

    private void rescan() throws InterruptedException {
        libraries.check();
        var stamps = new FileStamps();
        plugins = plugins.rescan(pluginFiles, stamps, probe, log);
        searched = stamps; // last: a thread that finds no change uses the plugins
    }

    /** Searches for plugins again if their folders have changed. Blocks for a limited time. */
    private void requireCurrentPlugins() {
        restoreNeeded();
        var end = System.nanoTime() + SEARCH_TIMEOUT.toNanos();
        try {
            // A search in progress may have begun before the last change; the next one begins after it.
            for (var i = 0; i < 2 && searched.isOutdated(); i++) {
                currentSearch().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            log.caused(
                    PeerCause.SEARCH,
                    "all hosts",
                    LogLevel.WARNING,
                    "The search for plugins has not completed within " + SEARCH_TIMEOUT.toSeconds()
                            + " s: hosts and workers use the result of the previous search");
        } catch (ExecutionException e) {
            log.error("The search for plugins failed", e);
        } catch (InterruptedException e) {
            throw new AssertionError("a session is not interrupted", e);
        }
    }

    /** Creates missing files again that workers need to start. */
    private void restoreNeeded() {
        if (!directory.isThere()) {
            restoreFiles();
        }
        try {
            SoftwareInstallation.restore();
        } catch (LibraryLoadException e) {
            log.caused(PeerCause.SEARCH, "all hosts", LogLevel.ERROR, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the search that is in progress, or starts one. */
    private Future<?> currentSearch() {
        var last = search.get();
        var next = new FutureTask<>(this::searchAgain);
        if (last != null && !last.isDone() || !search.compareAndSet(last, next)) {
            return Objects.requireNonNull(search.get());
        }
        timers.run(next);
        return next;
    }

    private @Nullable Void searchAgain() throws InterruptedException {
        reloading.lock();
        try {
            if (!closing && searched.isOutdated()) {
                log.info("The service searches for plugins again, because their folders have changed");
                rescan();
                status.changed();
            }
        } finally {
            reloading.unlock();
        }
        return null;
    }

    /** Starts to listen and to accept hosts. */
    void start() {
        workerLogs.ifPresent(WorkerLogs::removeEarlier);
        var wanted = configuration.listen().isEmpty()
                ? List.of(new ListenAddress.Unix(directory.path().resolve("urom.sock")))
                : configuration.listen();
        findAbsent();
        if (failedKey.isEmpty()) {
            absent.forEach(address -> log.warning(absence(address)));
        }
        wanted.stream().filter(address -> !absent.contains(address)).forEach(address -> listeners.add(listen(address)));
        HangWatch.start(configuration.workers(), workers::answering, timers, log, counters);
        timers.every(DaemonCounters.SWEEP, counters::sweep);
        timers.every(SUMMARY_PERIOD, log::summarize);
        timers.runAfter(CHECK_PERIOD, this::checkFiles);
        counters.begin(addresses().stream().map(ListenAddress::toString).collect(Collectors.joining(" ")), limits());
        status.write();
        listeners.forEach(listener -> listener.start(counters::notAccepted));
        listenForStatus();
        if (!absent.isEmpty()) {
            timers.runAfter(RETRY, this::listenAtAbsent);
        }
        log.info("The service listens at " + addresses() + " with "
                + plugins.infos().size()
                + " plugins, cores " + cpuSet + ", for "
                + (users.includesOthers() ? "all users of this machine" : "its own user")
                + (hosts == null ? "" : " and " + hosts.size() + " hosts of other machines"));
        if (configuration.remote().map(RemoteAccess::offersUcx).orElse(false)) {
            log.warning("Hosts of other machines may choose UCX (--data ucx): a process that can"
                    + " connect to the ports of UCX's tcp transport can write the memory of hosts and"
                    + " workers, and the data is not encrypted; use it only in private networks");
        }
    }

    private void listenForStatus() {
        var address = new ListenAddress.Unix(directory.path().resolve(ServiceStatus.SOCKET));
        var listener = UnixListener.open(
                address,
                own,
                users.includesOthers(),
                log,
                threads,
                poller,
                socket -> accept(
                        socket, connection -> sessions.sendStatus(connection, () -> answerTo(connection.userId()))));
        statusListener = listener;
        listener.start(counters::notAccepted);
    }

    /** Returns the status for a user, after taking the lock of the workers, so that an answer shows that no thread holds it. */
    private String answerTo(int userId) {
        workers.answering();
        return status.textFor(userId);
    }

    /**
     * Runs an action repeatedly, except while a thread of the service blocks a poller or the lock of the workers.
     *
     * @param pause time between two runs
     * @param action the action, which may block
     */
    void whileResponsive(Duration pause, Runnable action) {
        timers.runAfter(pause, () -> {
            try {
                workers.answering();
                if (poller.answers(pause) && workerPoller.answers(pause)) {
                    action.run();
                }
            } finally {
                whileResponsive(pause, action);
            }
        });
    }

    /** Finds the configured addresses at which the service cannot listen yet. */
    void findAbsent() {
        for (var address : configuration.listen()) {
            if (address instanceof ListenAddress.Tls tls && (failedKey.isPresent() || isAbsent(tls))) {
                absent.add(tls);
            }
        }
    }

    private static String absence(ListenAddress.Tls address) {
        return address + (address.socket().isUnresolved() ? UNRESOLVED : ABSENT);
    }

    private boolean isAbsent(ListenAddress.Tls address) {
        try {
            return address.isAbsent();
        } catch (IOException e) {
            log.warning("No socket can be created to check the address " + address + ": " + e.getMessage());
            return false; // an attempt to listen reports the failure
        }
    }

    private void checkFiles() {
        try {
            restoreFiles();
        } finally {
            timers.runAfter(CHECK_PERIOD, this::checkFiles);
        }
    }

    /** Creates files again that were removed, for example by a program that cleans temporary files. */
    private void restoreFiles() {
        reloading.lock();
        try {
            if (!closing) {
                var failures = new ArrayList<String>();
                restoreDirectory(failures);
                unixListeners().forEach(listener -> restoreSocket(listener, failures));
                if (!failures.equals(lost)) {
                    failures.forEach(log::error);
                    lost = List.copyOf(failures);
                    status.changed();
                }
            }
        } finally {
            reloading.unlock();
        }
    }

    private void restoreDirectory(List<String> failures) {
        var before = directory.path();
        try {
            if (directory.restore()) {
                log.warning("The directory " + before + " of the service had been removed: it is "
                        + (before.equals(directory.path()) ? "there again" : "now " + directory.path()));
                unixListeners().forEach(listener -> listener.move(before, directory.path()));
                counters.restore();
                writeLinkedPlugins();
                afterRestore.run();
                status.write();
            }
        } catch (IOException | UncheckedIOException e) {
            failures.add("The directory " + before + " of the service has been removed and cannot be created again: "
                    + e.getMessage());
        }
    }

    private Stream<UnixListener> unixListeners() {
        return Stream.concat(listeners.stream(), Stream.ofNullable(statusListener))
                .flatMap(listener -> listener instanceof UnixListener unix ? Stream.of(unix) : Stream.empty());
    }

    private void restoreSocket(UnixListener listener, List<String> failures) {
        try {
            if (listener.restore()) {
                counters.socketRestored();
                log.warning("The socket " + listener.address() + " had been removed: the service listens there again."
                        + " Exclude it from the program that cleans its directory");
            }
        } catch (IOException e) {
            failures.add("The socket " + listener.address() + " has been removed, and the service cannot listen there"
                    + " again: " + e.getMessage());
        }
    }

    /** Sets an action that runs when the directory had been removed with all its files and has been created again. */
    void afterRestore(Runnable action) {
        afterRestore = action;
    }

    private void listenAtAbsent() {
        // Without the lock: resolving a host name can take long.
        var present = presentOnes();
        reloading.lock();
        try {
            if (closing) {
                return;
            }
            present.stream().filter(absent::contains).forEach(this::listenAtPresent);
            if (!absent.isEmpty()) {
                timers.runAfter(RETRY, this::listenAtAbsent);
            }
        } finally {
            reloading.unlock();
        }
    }

    /** Returns the addresses at which the service can listen by now. */
    private List<ListenAddress.Tls> presentOnes() {
        return failedKey.isPresent()
                ? List.of()
                : absent.stream().filter(address -> !isAbsent(address)).toList();
    }

    private void listenAtPresent(ListenAddress.Tls address) {
        try {
            var listener = listen(address);
            listeners.add(listener);
            absent.remove(address);
            listener.start(counters::notAccepted);
            log.info("The service also listens at " + listener.address());
            status.changed();
        } catch (DaemonException e) {
            log.error("The service cannot listen at an address that this machine has acquired: " + e.getMessage());
        }
    }

    private Listener listen(ListenAddress address) {
        return switch (address) {
            case ListenAddress.Unix unix ->
                UnixListener.open(
                        unix,
                        own,
                        users.includesOthers(),
                        log,
                        threads,
                        poller,
                        socket -> accept(socket, sessions::serve));
            case ListenAddress.Tls tls ->
                TlsListener.open(
                        tls,
                        limits(),
                        log,
                        threads,
                        socket -> new TlsConnection(socket, identity.orElseThrow(), () -> hosts, limits().handshake()),
                        sessions::serve,
                        counters::unidentified);
        };
    }

    private void accept(LocalSocket socket, Consumer<UnixConnection> handler) {
        UnixConnection connection;
        try {
            connection = new UnixConnection(socket, users);
        } catch (IOException e) {
            log.caused(
                    PeerCause.UNIDENTIFIED,
                    "this machine",
                    LogLevel.INFO,
                    "A local host was not identified: " + e.getMessage());
            counters.unidentified();
            socket.close();
            return;
        }
        handler.accept(connection);
    }

    /** Returns the addresses at which it listens, then those at which it will listen once this machine has them. */
    List<ListenAddress> addresses() {
        return Stream.concat(listeners.stream().map(Listener::address), absent.stream())
                .toList();
    }

    /** Returns the parts of the configuration that are not in effect, with the reasons: a sentence each. */
    List<String> problems() {
        var problems = new ArrayList<String>();
        failedKey.ifPresentOrElse(problems::add, () -> absent.forEach(address -> problems.add(absence(address))));
        problems.addAll(lost);
        readFailure.ifPresent(why -> problems.add(why + "; the authorized hosts are unchanged"));
        if (hosts instanceof AuthorizedHosts known) {
            problems.addAll(known.problems());
            problems.addAll(known.missingPlugins(plugins));
        }
        return List.copyOf(problems);
    }

    /** Sets a consumer that receives the current status and then each status that is written. */
    void watch(Consumer<ServiceStatus> watcher) {
        status.watch(watcher);
    }

    /** Returns the private directory of this service, which is deleted when it ends. */
    Path directory() {
        return directory.path();
    }

    /** Records that SIGHUP calls {@link #reload}. */
    void reloadsOnHangUp() {
        reloads = true;
        status.write();
    }

    private ServiceStatus status() {
        var process = ProcessHandle.current();
        return ServiceStatus.builder(directory.path(), process.pid())
                .started(process.info().startInstant().orElse(Instant.EPOCH))
                .release(Release.CURRENT)
                .javaVersion(Runtime.version().toString())
                .reloads(reloads)
                .reloadsStarted(reloadsStarted)
                .reloadsCompleted(reloadsCompleted)
                .addresses(addresses().stream().map(ListenAddress::toString).toList())
                .servesAll(users.includesOthers())
                .maxMessageSize(configuration.maxMessageSize())
                .cpus(cpuSet.toString())
                .logDirectory(configuration.logs().directory())
                .authorizedHosts(
                        hosts instanceof AuthorizedHosts known ? OptionalInt.of(known.size()) : OptionalInt.empty())
                .problems(problems())
                .plugins(plugins.offered())
                .workers(workers.status())
                .remoteSessions(sessions.remote())
                .build();
    }

    /** Reloads the authorized hosts, searches for plugins and ends sessions that are no longer authorized. */
    void reload() throws InterruptedException {
        reloading.lock();
        try {
            if (closing) {
                return;
            }
            reloadsStarted++;
            status.write(); // first, so that a waiting command sees that the reload has started
            workerLogs.ifPresent(WorkerLogs::reopen);
            log.reopen();
            log.info("The service reloads its authorized hosts and plugins");
            users.clearCaches();
            reloadHosts();
            plugins = plugins.withoutRefusals();
            rescan();
            reloadsCompleted = reloadsStarted;
            status.write();
        } finally {
            reloading.unlock();
        }
    }

    private void reloadHosts() {
        try {
            if (failedKey.isPresent()) {
                readKey();
                presentOnes().forEach(this::listenAtPresent);
            }
            hosts = readRemainingHosts();
            readFailure = Optional.empty();
            sessions.endUnauthorized();
        } catch (DaemonException e) {
            readFailure = Optional.ofNullable(e.getMessage());
            log.error("The authorized hosts are unchanged: " + e.getMessage());
        }
    }

    /** Reads the hosts again: an administrator may delete the file to revoke all of them. */
    private @Nullable AuthorizedHosts readRemainingHosts() {
        if (configuration.remote().isEmpty() || !Files.notExists(authorizedHosts())) {
            return readHosts();
        }
        var problem = "The file of authorized hosts " + authorizedHosts() + " has been deleted: no host is authorized;"
                + " create an empty file to confirm";
        log.warning(problem);
        return AuthorizedHosts.none(authorizedHosts(), problem);
    }

    /** Ends the service: workers publish finished work and exit, hosts are notified, and all resources are closed. */
    @Override
    public void close() {
        endReloads();
        listeners.forEach(Listener::close);
        if (statusListener != null) {
            statusListener.close();
        }
        workers.end(deadlines.leave().plus(CLOSE_TIMEOUT));
        sessions.end(CLOSE_TIMEOUT);
        launcher.close();
        timers.close();
        log.summarize();
        workerLogs.ifPresent(WorkerLogs::close);
        closePollers();
        status.close();
        directory.close();
    }

    private void endReloads() {
        probe.close();
        reloading.lock();
        try {
            closing = true;
        } finally {
            reloading.unlock();
        }
    }

    @Override
    public Frame.Welcome welcome(Peer peer, long requestId) {
        requireCurrentPlugins();
        return new Frame.Welcome(
                requestId, configuration.maxMessageSize(), cpuSet.size(), cpuSet, plugins.infos(peer::mayUse));
    }

    @Override
    public boolean isAuthorized(Peer peer) {
        return hosts == null || hosts.authorizes(peer);
    }

    @Override
    public void changed() {
        status.changed();
    }

    @Override
    public int maxMessageSize() {
        return configuration.maxMessageSize();
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public ServiceLog log() {
        return log;
    }

    @Override
    public DaemonCounters counters() {
        return counters;
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public Deadlines deadlines() {
        return deadlines;
    }

    @Override
    public DescriptorReserve descriptors() {
        return descriptors;
    }

    @Override
    public void requireAccount(int userId) throws RequestRefused {
        users.requireAccount(userId);
    }

    @Override
    public Limits limits() {
        return configuration.limits();
    }
}
