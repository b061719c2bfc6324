// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Dependents;
import dev.jurom.internal.Engine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.HostCounters;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkersByGroupTask;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a UROM service, which starts workers that execute commands.
 *
 * <p>It connects to the service that {@link UromConfiguration.Builder#service} chooses, by default the one that
 * {@code DOCA_UROM_SERVICE_FILE} names. If the variable is not set and the software DOCA is in use, it opens a
 * service inside this process. A daemon thread, the engine
 * thread, owns the progress engine and drives it while no caller does.
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 *
 * <p>This class is thread-safe. Stands for {@code struct doca_urom_service} and its
 * {@code struct doca_pe}.
 */
public final class Urom implements AutoCloseable {

    private static final String CONNECTION = "the connection to the UROM service";
    private static final int START_ATTEMPTS = 4; // a worker may exit immediately

    private static final String ADD_FOLDER = "To add the folder of a plugin, add it to"
            + " UROM_PLUGIN_PATH of the daemon, or for a service in this process call"
            + " EmbeddedService.open(usual -> usual.toBuilder().plugins(folder).build()).";

    private final Engine engine;
    private final SharedService shared;
    private final Dependents dependents = new Dependents();
    private final List<Worker> workers = new ArrayList<>(); // guarded by itself
    private final Device device;
    private final UromService service; // confined to the engine thread
    private final List<PluginInfo> plugins;
    private final CpuSet cpus;
    private boolean closed; // guarded by workers; rejects new objects
    private final ReentrantLock closing = new ReentrantLock();
    private boolean ended; // guarded by closing
    private volatile @Nullable HostCounters last; // the final counters

    /** Objects that the engine thread creates. */
    private record Connection(Device device, UromService service, List<PluginInfo> plugins, CpuSet cpus) {}

    private Urom(Engine engine, SharedService shared, Connection connection) {
        this.engine = engine;
        this.shared = shared;
        this.device = connection.device();
        this.service = connection.service();
        this.plugins = connection.plugins();
        this.cpus = connection.cpus();
    }

    /**
     * Opens the first device's service with the default configuration. Blocks for at most one
     * minute. Not interruptible: the interrupt status is preserved.
     *
     * @return an open connection
     * @throws DocaException if the service cannot be reached, with {@code TIME_OUT} if it does not
     *         answer
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open() {
        return open(UromConfiguration.DEFAULT);
    }

    /**
     * Opens a device's service. Blocks for at most one minute. Not interruptible: the interrupt
     * status is preserved. Stands for {@code doca_pe_create}, {@code doca_dev_open},
     * {@code doca_urom_service_create} and {@code doca_ctx_start}.
     *
     * @param configuration the configuration of the connection
     * @return an open connection
     * @throws DocaException if there is no such device or its service cannot be reached, with
     *         {@code TIME_OUT} if it does not answer, with {@code NOT_SUPPORTED} if the configuration
     *         chooses the location of the service and the library is the vendor's
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open(UromConfiguration configuration) {
        DocaRuntime.current();
        var starting = Engine.begin( // while the service starts
                configuration.idleStrategy().spinNanos(),
                configuration.callTimeout(),
                configuration.completionExecutor());
        SharedService shared = null;
        try {
            shared = SharedService.use(configuration.service(), configuration.maxMessageSize());
            var engine = Engine.await(starting);
            var used = shared;
            var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
            var connection = engine.ask(
                    new CompletableFuture<Connection>(),
                    result -> {
                        result.complete(connect(engine, configuration, used));
                    },
                    deadline,
                    CONNECTION);
            return new Urom(engine, shared, engine.await(connection, deadline, CONNECTION));
        } catch (RuntimeException | Error e) {
            try {
                stop(starting);
            } finally {
                if (shared != null) {
                    shared.close();
                }
            }
            throw e;
        }
    }

    private static void stop(CompletableFuture<Engine> starting) {
        Engine engine;
        try {
            engine = Engine.await(starting);
        } catch (RuntimeException | Error e) {
            return; // it has not started
        }
        engine.stop(Deadline.in(Deadline.OPERATION_TIMEOUT));
    }

    private static Connection connect(Engine engine, UromConfiguration configuration, SharedService shared) {
        var device = configuration.device().map(Device::open).orElseGet(Device::open);
        UromService service = null;
        try {
            service = UromService.create(engine.progress(), device);
            service.setLocation(shared.location())
                    .setMaxMessageSize(shared.maxMessageSize())
                    .setMaxWorkers(configuration.maxWorkers());
            service.start();
            return new Connection(device, service, service.plugins(), service.cpuSet());
        } catch (RuntimeException | Error e) {
            if (service != null) {
                service.close();
            }
            device.close();
            throw e;
        }
    }

    /**
     * Returns the plugins that the service offers.
     *
     * @return the plugins at the time of the opening of this connection
     */
    public List<PluginInfo> plugins() {
        return plugins;
    }

    /**
     * Returns the CPUs that workers may use.
     *
     * @return the service's CPU set
     */
    public CpuSet cpuSet() {
        return cpus;
    }

    /**
     * Starts a worker and waits until it runs. Blocks for at most one minute.
     *
     * @param configuration the worker's configuration
     * @return the worker, which {@link #close()} also closes
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND}), or the
     *         worker does not start, with the service's reason ({@link UromWorker#startFailure()}),
     *         or {@code TIME_OUT} if it takes longer; a worker that runs later is closed
     * @throws IllegalStateException if this is closed, or the current thread is the engine thread
     * @throws InterruptedException if the current thread is interrupted before or while waiting; a worker that runs
     *         later is closed
     */
    public Worker startWorker(WorkerConfiguration configuration) throws InterruptedException {
        engine.requireStarter();
        var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
        return deadline.awaitStart(begin(configuration, deadline), this::discard, name(configuration));
    }

    /**
     * Starts a worker. Never blocks.
     *
     * @param configuration the worker's configuration
     * @return a future of the worker, which fails with {@code TIME_OUT} after a minute. If the worker
     *         runs after this future was cancelled or has failed, it is closed
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND})
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<Worker> startWorkerAsync(WorkerConfiguration configuration) {
        return engine.view(begin(configuration, Deadline.in(Deadline.OPERATION_TIMEOUT)), this::discard);
    }

    /** Begins to start a worker. Returns a future that the engine thread completes. */
    CompletableFuture<Worker> begin(WorkerConfiguration configuration, Deadline deadline) {
        var wanted = wanted(configuration.plugins());
        synchronized (workers) {
            requireOpen();
            return engine.ask(
                    new CompletableFuture<>(),
                    started -> start(configuration, wanted, started, 1),
                    deadline,
                    name(configuration));
        }
    }

    /**
     * Starts a pool of workers, and waits until each of them runs or could not be started. Blocks for at most one minute.
     * The pool repeats the start of workers that do not run.
     *
     * @param configuration the pool's configuration
     * @return the pool, with one running worker or more; {@link #close()} also closes it
     * @throws DocaException as {@link #startWorker}, if no worker runs
     * @throws IllegalStateException if this is closed, or the current thread is the engine thread
     * @throws InterruptedException if the current thread is interrupted before or while waiting; the pool is then closed
     *         in the background
     */
    public WorkerPool startPool(PoolConfiguration configuration) throws InterruptedException {
        engine.requireStarter();
        var pool = new WorkerPool(this::begin, engine, dependents, configuration);
        synchronized (workers) {
            requireOpen();
            pool.begin();
        }
        pool.awaitStart();
        return pool;
    }

    private static String name(WorkerConfiguration configuration) {
        return "the start of a worker with the plugins " + configuration.plugins();
    }

    private Map<String, PluginInfo> wanted(List<String> names) {
        var byName = plugins.stream().collect(Collectors.toMap(PluginInfo::name, Function.identity()));
        var wanted = new LinkedHashMap<String, PluginInfo>();
        for (var name : names) {
            var plugin = byName.get(name);
            if (plugin == null) {
                throw new DocaException(
                        DocaError.NOT_FOUND,
                        "doca_urom_service_get_plugins_list",
                        "plugin \"" + name + "\"",
                        "The service offers: " + String.join(", ", byName.keySet()) + ". " + ADD_FOLDER);
            }
            wanted.put(name, plugin);
        }
        return wanted;
    }

    /** On the engine thread. */
    private void start(
            WorkerConfiguration configuration,
            Map<String, PluginInfo> wanted,
            CompletableFuture<Worker> started,
            int attempt) {
        UromWorker context = null;
        try {
            context = UromWorker.create(engine.progress(), service);
            configuration.apply(context.setPlugins(wanted.values().toArray(PluginInfo[]::new)));
            context.start();
        } catch (RuntimeException | Error e) {
            abandon(context, started, e);
            return;
        }
        var starting = context;
        engine.when(
                () -> starting.state() != ContextState.STARTING,
                () -> finish(starting, configuration, wanted, started, attempt));
    }

    private void finish(
            UromWorker context,
            WorkerConfiguration configuration,
            Map<String, PluginInfo> wanted,
            CompletableFuture<Worker> started,
            int attempt) {
        if (context.state() != ContextState.RUNNING) {
            abandon(context, started, context.startFailure());
            return;
        }
        Worker worker;
        try {
            worker = new Worker(engine, dependents, context, wanted, configuration);
        } catch (RuntimeException | Error e) {
            if (attempt < START_ATTEMPTS
                    && e instanceof DocaException failure
                    && failure.error() == DocaError.BAD_STATE) { // it exited as soon as it ran
                abandon(context, new CompletableFuture<>(), e);
                start(configuration, wanted, started, attempt + 1);
            } else {
                abandon(context, started, e);
            }
            return;
        }
        if (!add(worker)) {
            worker.beginClose();
            started.completeExceptionally(closedException());
        } else if (!started.complete(worker)) {
            discard(worker); // its future has failed or was cancelled
        }
    }

    private static void abandon(@Nullable UromWorker context, CompletableFuture<Worker> started, Throwable reason) {
        try {
            if (context != null) {
                context.close();
            }
        } finally {
            started.completeExceptionally(reason);
        }
    }

    private boolean add(Worker worker) {
        synchronized (workers) {
            workers.removeIf(other -> !other.isOpen());
            return !closed && workers.add(worker);
        }
    }

    /** Closes a worker whose future was cancelled or has failed. */
    private void discard(Worker worker) {
        synchronized (workers) {
            workers.remove(worker);
        }
        worker.beginClose();
    }

    private void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("This Urom is closed");
    }

    /**
     * Starts a domain of workers of this and other processes, and waits until it runs. Blocks for at
     * most one minute. The first worker
     * gets the participant's index as its id in the domain, and each next one an id that is higher by the
     * number of participants.
     *
     * @param exchange the exchange between the participants. The caller closes it after the domain, and
     *        does not use it otherwise before
     * @param members running workers of this connection, at least one
     * @return the domain, to be closed before its workers; {@link #close()} also closes it
     * @throws IllegalArgumentException if there is no worker, or a worker is passed twice or belongs to
     *         another connection
     * @throws DocaException with {@code INITIALIZATION} if it does not start, with the exception of the
     *         exchange as the cause; {@code TIME_OUT} if a participant is missing
     * @throws IllegalStateException if this or a worker is closed, or the current thread is the
     *         engine thread
     * @throws InterruptedException if the current thread is interrupted before or while waiting; a domain that runs
     *         later is closed
     */
    public Domain startDomain(OutOfBandExchange exchange, Worker... members) throws InterruptedException {
        var builder = DomainConfiguration.builder(exchange);
        for (var worker : members) {
            builder.worker(worker);
        }
        return startDomain(builder.build());
    }

    /**
     * Starts a domain and waits until it runs. Blocks for at most the start timeout of the
     * configuration.
     *
     * @param configuration the domain's configuration
     * @return the domain, to be closed before its workers; {@link #close()} also closes it
     * @throws IllegalArgumentException if a worker belongs to another connection
     * @throws DocaException as {@link #startDomain(OutOfBandExchange, Worker...)}
     * @throws IllegalStateException if this or a worker is closed, or the current thread is the
     *         engine thread
     * @throws InterruptedException if the current thread is interrupted before or while waiting; a domain that runs
     *         later is closed
     */
    public Domain startDomain(DomainConfiguration configuration) throws InterruptedException {
        engine.requireStarter();
        var deadline = Deadline.in(configuration.startTimeout());
        var domain = new Domain(engine, dependents, configuration);
        return deadline.awaitStart(begin(domain, deadline), Domain::beginClose, "the start of " + domain);
    }

    /**
     * Starts a domain. Never blocks.
     *
     * @param configuration the domain's configuration
     * @return a future of the domain, which fails with {@code TIME_OUT} after the start timeout of the
     *         configuration. If the domain runs after this future was cancelled or has failed, it is
     *         closed
     * @throws IllegalArgumentException if a worker belongs to another connection
     * @throws IllegalStateException if this or a worker is closed
     */
    public CompletableFuture<Domain> startDomainAsync(DomainConfiguration configuration) {
        var domain = new Domain(engine, dependents, configuration);
        return engine.view(begin(domain, Deadline.in(configuration.startTimeout())), Domain::beginClose);
    }

    private CompletableFuture<Domain> begin(Domain domain, Deadline deadline) {
        synchronized (workers) {
            requireOpen();
            return domain.begin(deadline);
        }
    }

    /**
     * Returns the ids of the workers of a group. Blocks for at most one minute. Not interruptible:
     * the interrupt status is preserved. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task}.
     *
     * @param group the group's id, an unsigned number
     * @return the ids, in the service's order
     * @throws DocaException if the service does not answer ({@code TIME_OUT}), or with an error
     * @throws IllegalStateException if this is closed, or the current thread is the engine thread
     */
    public long[] workersByGroup(int group) {
        var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
        return engine.await(requestGroup(group, deadline), deadline, name(group));
    }

    /**
     * Requests the ids of the workers of a group. Never blocks.
     *
     * @param group the group's id, an unsigned number
     * @return a future of the ids, in the service's order; fails with {@code TIME_OUT} after a minute
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<long[]> workersByGroupAsync(int group) {
        return engine.view(requestGroup(group, Deadline.in(Deadline.OPERATION_TIMEOUT)), ids -> {});
    }

    private static String name(int group) {
        return "the request for the workers of group " + Integer.toUnsignedString(group);
    }

    private CompletableFuture<long[]> requestGroup(int group, Deadline deadline) {
        synchronized (workers) {
            requireOpen();
            return engine.ask(
                    new CompletableFuture<>(),
                    ids -> {
                        var task = service.workersByGroupTask(group);
                        task.submit();
                        engine.when(() -> task.isCompleted() || ids.isDone(), () -> finish(task, ids));
                    },
                    deadline,
                    name(group));
        }
    }

    private static void finish(WorkersByGroupTask task, CompletableFuture<long[]> ids) {
        try (task) {
            if (task.isCompleted()) {
                task.requireSuccess();
                ids.complete(task.workerIds());
            }
        } catch (RuntimeException e) {
            ids.completeExceptionally(e);
        }
    }

    /**
     * Returns the counters of this connection, which cover all of its workers. Usually blocks for
     * microseconds, and for at most one minute.
     *
     * @return the current counters; after {@link #close}, the final ones
     * @throws DocaException with {@code NOT_SUPPORTED} on the vendor's library, with
     *         {@code TIME_OUT} if the engine thread does not answer
     * @throws IllegalStateException if the current thread is the engine thread
     */
    public HostCounters counters() {
        var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
        CompletableFuture<HostCounters> counters;
        synchronized (workers) {
            if (closed && last != null) {
                return last;
            }
            counters = engine.ask(
                    new CompletableFuture<>(),
                    result -> result.complete(service.counters()),
                    deadline,
                    "the request for the counters");
        }
        return engine.await(counters, deadline, "the request for the counters");
    }

    /**
     * Closes all domains and targets, then all workers and the connection to the service. Commands that
     * have not completed fail. Closes the embedded service if no other connection uses it. When this
     * method returns normally, all threads of this connection have ended, except the current thread if
     * it belongs to the completion executor, and all processes have exited. No effect if this is closed.
     * Blocks for at most three minutes, and until a close by another thread has ended. Not
     * interruptible: the interrupt status is preserved.
     *
     * @throws DocaException with {@code TIME_OUT} if it takes longer; call this method again
     * @throws IllegalStateException if the current thread is the engine thread; nothing is changed
     */
    @Override
    public void close() {
        engine.requireOtherThread();
        closing.lock();
        try {
            if (!ended) {
                closeAll();
                ended = true;
            }
        } finally {
            closing.unlock();
        }
    }

    /** Closes all objects and, if that succeeds, the engine. */
    private void closeAll() {
        List<Worker> open;
        synchronized (workers) {
            closed = true;
            open = List.copyOf(workers);
        }
        var failures = new ArrayList<RuntimeException>();
        for (var part :
                dependents.closingBy(Deadline.in(Deadline.OPERATION_TIMEOUT)).reversed()) {
            attempt(part, failures);
        }
        var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
        open.forEach(worker -> attempt(worker::beginClose, failures));
        for (var worker : open) {
            if (!dependents.has(worker)) { // else it waits for an object that was not closed
                attempt(() -> engine.await(worker.beginClose().copy(), deadline, worker.closing()), failures);
            }
        }
        if (failures.isEmpty() && !engine.isStopped()) {
            var what = "the close of " + this;
            attempt(() -> engine.await(engine.quiet(deadline), deadline, what), failures);
            attempt(() -> engine.await(disconnect(deadline, what), deadline, what), failures);
        }
        if (failures.isEmpty()) { // else callers may still use the engine
            attempt(() -> engine.stop(Deadline.in(Deadline.OPERATION_TIMEOUT)), failures);
        }
        if (failures.isEmpty()) {
            attempt(shared::close, failures);
        }
        if (!failures.isEmpty()) {
            var first = failures.removeFirst();
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    private static void attempt(Runnable action, List<RuntimeException> failures) {
        try {
            action.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private CompletableFuture<Void> disconnect(Deadline deadline, String what) {
        return engine.ask(
                new CompletableFuture<>(),
                result -> {
                    if (service.isOpen()) {
                        count();
                        service.close();
                    }
                    device.close();
                    result.complete(null);
                },
                deadline,
                what);
    }

    private void count() {
        try {
            last = service.counters();
        } catch (DocaException e) {
            // The vendor's library does not count.
        }
    }

    @Override
    public String toString() {
        return "Urom on " + device;
    }
}
