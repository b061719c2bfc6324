// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.HostCounters;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkersByGroupTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A service context with its workers and the engine that drives them, for any thread. One daemon
 * thread makes and destroys everything native. The facade's {@code Urom} stands for one, and says
 * what its callers may rely on.
 */
public final class DrivenService {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");

    /** How long anything but a command may take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SharedService shared;
    private final Thread thread;
    private final CompletableFuture<Made> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final List<DrivenWorker> workers = new ArrayList<>(); // guarded by itself
    private boolean closed; // guarded by workers
    private final Dependents dependents = new Dependents();
    private volatile @Nullable HostCounters last; // when it was closed

    /** What the thread makes, and what the service said of itself then. */
    private record Made(EngineDriver driver, Device device, UromService service,
            List<PluginInfo> plugins, CpuSet cpus) {
    }

    private DrivenService(SharedService shared, ServiceRequest request) {
        this.shared = shared;
        this.thread = Thread.ofPlatform().daemon().name("urom").unstarted(() -> {
            try {
                run(request);
            } finally {
                ended.complete(null);
            }
        });
    }

    /**
     * Connects to a service: the one that the environment names, or else an embedded one.
     *
     * @param request which and how
     * @return the service, to be closed
     */
    public static DrivenService open(ServiceRequest request) {
        DocaRuntime.current();
        var shared = SharedService.use(request.maxMessageSize());
        var service = new DrivenService(shared, request);
        try {
            service.thread.start();
            waitFor(service.opened, Deadline.in(PATIENCE));
            return service;
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    /** The life of the driver's thread, which makes and destroys everything native. */
    private void run(ServiceRequest request) {
        var parts = new ArrayList<AutoCloseable>(); // in the order in which they were made
        Made made;
        try {
            made = make(request, parts);
        } catch (RuntimeException | Error e) {
            opened.completeExceptionally(closeAll(parts, e));
            return;
        }
        opened.complete(made);
        var driver = made.driver();
        driver.run();
        last = CountersErrand.count(made.service());
        var failure = closeAll(parts, null);
        if (failure != null) {
            LOGGER.log(System.Logger.Level.ERROR, this + " could not be closed altogether",
                    failure);
        }
        driver.free();
        driver.deadlines().failAll(closedException());
    }

    private Made make(ServiceRequest request, List<AutoCloseable> parts) {
        var engine = ProgressEngine.create();
        parts.add(engine);
        var device = request.device().map(Device::open).orElseGet(Device::open);
        parts.add(device);
        var service = UromService.create(engine, device);
        parts.add(service);
        service.setMaxMessageSize(request.maxMessageSize()).setMaxWorkers(request.maxWorkers());
        service.start();
        var plugins = service.plugins();
        var cpus = service.cpuSet();
        return new Made(new EngineDriver(engine, request.spinNanos(),
                new CommandDeadlines(request.callTimeout())), device, service, plugins, cpus);
    }

    /** Closes what was made last first, and all of it; the first failure, with the others in it. */
    static @Nullable Throwable closeAll(List<? extends AutoCloseable> parts,
            @Nullable Throwable before) {
        var failure = before;
        for (var part : parts.reversed()) {
            try {
                part.close();
            } catch (Exception | Error e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        return failure;
    }

    /** What the thread has made: there from when this is open. */
    private Made made() {
        return opened.resultNow();
    }

    EngineDriver driver() {
        return made().driver();
    }

    /** An idle context of a worker of this service; for the leader. */
    UromWorker createWorker() {
        return UromWorker.create(driver().engine(), made().service());
    }

    /**
     * The plugins that the service offers.
     *
     * @return as they were when this was opened
     */
    public List<PluginInfo> plugins() {
        return made().plugins();
    }

    /**
     * The CPUs that workers may be given.
     *
     * @return the service's CPU set
     */
    public CpuSet cpuSet() {
        return made().cpus();
    }

    /**
     * Starts a worker. It is closed again if it runs when the future was cancelled or timed out.
     *
     * @param <W> what callers see of a worker
     * @param request what it is like
     * @param view makes what callers see, in the thread that drives the engine
     * @return the worker to come
     */
    public <W> CompletableFuture<W> startWorker(WorkerRequest request,
            Function<DrivenWorker, W> view) {
        return begin(request, view, Deadline.in(PATIENCE));
    }

    private <W> DrivenFuture<W> begin(WorkerRequest request, Function<DrivenWorker, W> view,
            Deadline deadline) {
        var wanted = wanted(request.plugins());
        var started = new DrivenFuture<W>(driver(), deadline);
        control(new WorkerStart<>(this, request, wanted, view, started), started, deadline,
                asked(request));
        return started;
    }

    private Map<String, PluginInfo> wanted(List<String> names) {
        var byName = plugins().stream()
                .collect(Collectors.toMap(PluginInfo::name, Function.identity()));
        var wanted = new LinkedHashMap<String, PluginInfo>();
        for (var name : names) {
            var plugin = byName.get(name);
            if (plugin == null) {
                throw new DocaException(DocaError.NOT_FOUND, "doca_urom_service_get_plugins_list",
                        "plugin \"" + name + "\"", "The service offers: "
                        + String.join(", ", byName.keySet()) + ".");
            }
            wanted.put(name, plugin);
        }
        return wanted;
    }

    /** Has the leader run something before this can be closed, which fails if it takes too long. */
    void control(Runnable action, DrivenFuture<?> errand, Deadline deadline,
            String asked) {
        synchronized (workers) {
            if (closed) {
                throw closedException();
            }
            driver().deadlines().add(errand, deadline, asked);
            driver().control(action);
        }
    }

    private static IllegalStateException closedException() {
        return new IllegalStateException("This Urom is closed");
    }

    /**
     * Asks for the ids of the workers of a group.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids to come, in the service's order
     */
    public CompletableFuture<long[]> workersByGroup(int group) {
        return ask(group, Deadline.in(PATIENCE));
    }

    /**
     * The ids of the workers of a group; waits for a minute at most. An interrupt is kept for
     * later.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids, in the service's order
     */
    public long[] workersByGroupAndWait(int group) {
        var deadline = Deadline.in(PATIENCE);
        return ask(group, deadline).awaitUninterrupted(deadline, asked(group));
    }

    private DrivenFuture<long[]> ask(int group, Deadline deadline) {
        var answer = new DrivenFuture<long[]>(driver(), deadline);
        control(() -> {
            try {
                var task = made().service().workersByGroupTask(group);
                task.submit();
                driver().when(() -> task.isCompleted() || answer.isDone(),
                        () -> finish(task, answer));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        }, answer, deadline, asked(group));
        return answer;
    }

    private static String asked(int group) {
        return "the workers of group " + Integer.toUnsignedString(group);
    }

    private static void finish(WorkersByGroupTask task, DrivenFuture<long[]> answer) {
        long[] ids;
        try (task) {
            if (!task.isCompleted()) {
                return; // nobody waits for it any more: it is given up
            }
            task.requireSuccess();
            ids = task.workerIds();
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
            return;
        }
        answer.complete(ids); // last: what depends on it may have this thread step down
    }

    /** What stands on its workers. */
    Dependents dependents() {
        return dependents;
    }

    /**
     * What has been counted on this service. Waits for a minute at most; an interrupt is kept for
     * later.
     *
     * @return as of now; when this is closed, as of then
     */
    public HostCounters counters() {
        var deadline = Deadline.in(PATIENCE);
        var answer = new DrivenFuture<HostCounters>(driver(), deadline);
        try {
            control(new CountersErrand(made().service(), answer), answer, deadline, "the counters");
        } catch (IllegalStateException closed) {
            waitFor(ended, deadline);
            if (last == null) {
                throw closed;
            }
            return last;
        }
        return answer.awaitUninterrupted(deadline, "the counters");
    }

    /** Has a worker be closed with this; false if this is closed. */
    boolean add(DrivenWorker worker) {
        synchronized (workers) {
            return !closed && workers.add(worker);
        }
    }

    /** Takes a worker from those that are closed with this; false if that was done. */
    boolean forget(DrivenWorker worker) {
        synchronized (workers) {
            return workers.remove(worker);
        }
    }

    /**
     * Starts a worker and waits until it runs, for a minute at most. An interrupt is kept for
     * later.
     *
     * @param <W> what callers see of a worker
     * @param request what it is like
     * @param view makes what callers see, in the thread that drives the engine
     * @return the worker
     */
    public <W> W startWorkerAndWait(WorkerRequest request, Function<DrivenWorker, W> view) {
        var deadline = Deadline.in(PATIENCE);
        return begin(request, view, deadline).awaitUninterrupted(deadline, asked(request));
    }

    private static String asked(WorkerRequest request) {
        return "a worker with the plugins " + request.plugins();
    }

    /** Waits for something that another thread does. An interrupt is kept for later. */
    static void waitFor(CompletableFuture<?> future, Deadline deadline) {
        OpenDrivers.stepDownFromAllBut(null);
        var interrupted = false;
        try {
            while (true) {
                try {
                    future.get(deadline.remaining(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true; // what is under way ends by itself
                }
            }
        } catch (TimeoutException e) {
            throw deadline.failure("Urom");
        } catch (ExecutionException e) {
            throw DrivenFuture.unchecked(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Closes all workers and the connection, and ends the thread, within a minute each; no effect
     * if that was begun. An interrupt is kept for later.
     */
    public void close() {
        var driver = driver();
        if (driver.isLeader()) {
            throw new IllegalStateException(this + " cannot be closed by what depends on an answer,"
                    + " in the thread that drives it: close it in another, as with thenRunAsync");
        }
        List<DrivenWorker> open;
        synchronized (workers) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(workers);
            workers.clear();
        }
        var failure = closeAll(dependents.closingBy(Deadline.in(PATIENCE)), null);
        var deadline = Deadline.in(PATIENCE);
        try {
            for (var closing : open.stream().map(DrivenWorker::beginClose).toList()) {
                closing.awaitUninterrupted(deadline, this);
            }
            var quiet = new DrivenFuture<Void>(driver, null);
            driver.whenQuiet(() -> quiet.complete(null)); // what was begun has come to its end
            quiet.awaitUninterrupted(deadline, this);
        } finally {
            driver.stop();
            try {
                waitFor(ended, Deadline.in(PATIENCE));
            } finally {
                shared.close();
            }
        }
        if (failure != null) {
            throw DrivenFuture.unchecked(failure);
        }
    }

    @Override
    public String toString() {
        return "Urom on " + made().device();
    }
}
