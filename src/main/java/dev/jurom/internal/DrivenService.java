// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.internal.ThreadEnd;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
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

/**
 * A service context with its workers and the engine that drives them, for any thread. One daemon
 * thread makes and destroys everything native. The facade's {@code Urom} stands for one, and says
 * what its callers may rely on.
 */
public final class DrivenService {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final SharedService shared;
    private final Thread thread;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final List<DrivenWorker> workers = new ArrayList<>(); // guarded by itself
    private boolean closed; // guarded by workers

    // Set by the driver's thread before opened completes.
    private EngineDriver driver;
    private Device device;
    private UromService service;
    private List<PluginInfo> plugins;
    private CpuSet cpus;

    private DrivenService(SharedService shared, ServiceRequest request) {
        this.shared = shared;
        this.thread = Thread.ofPlatform().daemon().name("urom").unstarted(() -> run(request));
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
            waitFor(service.opened);
            return service;
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    /** The life of the driver's thread, which makes and destroys everything native. */
    private void run(ServiceRequest request) {
        ProgressEngine engine = null;
        try {
            engine = ProgressEngine.create();
            device = request.device().map(Device::open).orElseGet(Device::open);
            service = UromService.create(engine, device)
                    .setMaxMessageSize(request.maxMessageSize())
                    .setMaxWorkers(request.maxWorkers());
            service.start();
            plugins = service.plugins();
            cpus = service.cpuSet();
            driver = new EngineDriver(engine, request.spinNanos());
        } catch (RuntimeException | Error e) {
            closeAll(engine);
            opened.completeExceptionally(e);
            return;
        }
        opened.complete(null);
        driver.run();
        try {
            closeAll(engine);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, this + " could not be closed altogether", e);
        }
        driver.free();
    }

    private void closeAll(ProgressEngine engine) {
        if (service != null) {
            service.close();
        }
        if (device != null) {
            device.close();
        }
        if (engine != null) {
            engine.close();
        }
    }

    EngineDriver driver() {
        return driver;
    }

    /** An idle context of a worker of this service; for the leader. */
    UromWorker createWorker() {
        return UromWorker.create(driver.engine(), service);
    }

    /**
     * The plugins that the service offers.
     *
     * @return as they were when this was opened
     */
    public List<PluginInfo> plugins() {
        return plugins;
    }

    /**
     * The CPUs that workers may be given.
     *
     * @return the service's CPU set
     */
    public CpuSet cpuSet() {
        return cpus;
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
        var wanted = wanted(request.plugins());
        var started = new CompletableFuture<W>();
        control(new WorkerStart<>(this, request, wanted, view, started));
        return started;
    }

    private Map<String, PluginInfo> wanted(List<String> names) {
        var byName = plugins.stream()
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

    /** Has the leader run something before this can be closed. */
    private void control(Runnable action) {
        synchronized (workers) {
            if (closed) {
                throw new IllegalStateException("This Urom is closed");
            }
            driver.control(action);
        }
    }

    /**
     * The ids of the workers of a group.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids to come, in the service's order
     */
    public CompletableFuture<long[]> workersByGroup(int group) {
        var answer = new CompletableFuture<long[]>();
        control(() -> {
            try {
                var task = service.workersByGroupTask(group);
                task.submit();
                driver.when(task::isCompleted, () -> {
                    try (task) {
                        task.requireSuccess();
                        answer.complete(task.workerIds());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
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
     * Waits for something that the leader does, which may be the calling thread.
     *
     * @param <T> what comes of it
     * @param errand completes when it is done
     * @return what came of it
     */
    public <T> T await(CompletableFuture<T> errand) {
        driver.leadOn(errand::isDone, System.nanoTime() + DEADLINE.toNanos());
        return waitFor(errand);
    }

    /** Waits for something that another thread does. */
    private static <T> T waitFor(CompletableFuture<T> future) {
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        var interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // what is under way ends by itself
                }
            }
        } catch (TimeoutException e) {
            throw new DocaException(DocaError.TIME_OUT, "doca_pe_progress", "Urom",
                    "It was not done within " + DEADLINE.toSeconds() + " s.");
        } catch (ExecutionException e) {
            throw CommandFuture.unchecked(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes all workers and the connection, and ends the thread; no effect if that was begun. */
    public void close() {
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
        try {
            waitFor(CompletableFuture.allOf(open.stream().map(DrivenWorker::beginClose)
                    .toArray(CompletableFuture[]::new)));
            var quiet = new CompletableFuture<Void>(); // what was begun has come to its end
            driver.whenQuiet(() -> quiet.complete(null));
            waitFor(quiet);
        } finally {
            driver.stop();
            ThreadEnd.await(thread);
            shared.close();
        }
    }

    @Override
    public String toString() {
        return "Urom on " + device;
    }
}
