// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.internal.ThreadEnd;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
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
 * Offloading for programs that do not want to see a progress engine: workers that any thread,
 * virtual ones too, may give commands to.
 *
 * <p>It uses the service that {@code DOCA_UROM_SERVICE_FILE} names; where none is named and the
 * software DOCA is in use, it has a service of its own inside this process. One daemon thread
 * drives the progress engine when no platform thread does that waits for an answer.
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 */
public final class Urom implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final SharedService shared;
    private final Thread thread;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final List<Worker> workers = new ArrayList<>(); // guarded by itself
    private boolean closed; // guarded by workers

    // Set by the driver's thread before opened completes.
    private EngineDriver driver;
    private Device device;
    private UromService service;
    private List<PluginInfo> plugins;
    private CpuSet cpus;

    private Urom(SharedService shared, UromConfiguration configuration) {
        this.shared = shared;
        this.thread = Thread.ofPlatform().daemon().name("urom").unstarted(() -> run(configuration));
    }

    /**
     * Opens the first device's service, with everything as by default.
     *
     * @return the facade, to be closed
     * @throws DocaException if the service cannot be reached
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open() {
        return open(UromConfiguration.DEFAULT);
    }

    /**
     * Opens a device's service.
     *
     * @param configuration which and how
     * @return the facade, to be closed
     * @throws DocaException if there is no such device or its service cannot be reached
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open(UromConfiguration configuration) {
        DocaRuntime.current();
        var shared = SharedService.use(configuration.maxMessageSize());
        var urom = new Urom(shared, configuration);
        try {
            urom.thread.start();
            await(urom.opened);
            return urom;
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    /** The life of the driver's thread, which makes and destroys everything native. */
    private void run(UromConfiguration configuration) {
        ProgressEngine engine = null;
        try {
            engine = ProgressEngine.create();
            device = configuration.device().map(Device::open).orElseGet(Device::open);
            service = UromService.create(engine, device)
                    .setMaxMessageSize(configuration.maxMessageSize())
                    .setMaxWorkers(configuration.maxWorkers());
            service.start();
            plugins = service.plugins();
            cpus = service.cpuSet();
            driver = new EngineDriver(engine, configuration.idleStrategy());
        } catch (RuntimeException | Error e) {
            closeAll(engine);
            opened.completeExceptionally(e);
            return;
        }
        opened.complete(null);
        driver.run();
        driver.leadForGood();
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
     * Starts a worker and waits until it runs.
     *
     * @param configuration what it is like
     * @return the worker, to be closed; closing this closes it too
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND}), or the
     *         worker does not start
     * @throws IllegalStateException if this is closed
     */
    public Worker startWorker(WorkerConfiguration configuration) {
        var started = startWorkerAsync(configuration);
        try {
            return awaitErrand(started);
        } catch (RuntimeException e) {
            started.cancel(false); // it is closed if it comes after all
            throw e;
        }
    }

    /**
     * Starts a worker.
     *
     * @param configuration what it is like
     * @return the worker to come; when this future was cancelled or has timed out by then, the
     *         worker is closed
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND})
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<Worker> startWorkerAsync(WorkerConfiguration configuration) {
        var wanted = wanted(configuration);
        var started = new CompletableFuture<Worker>();
        control(new WorkerStart(this, driver, service, configuration, wanted, started));
        return started;
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

    private Map<String, PluginInfo> wanted(WorkerConfiguration configuration) {
        var byName = plugins.stream()
                .collect(Collectors.toMap(PluginInfo::name, Function.identity()));
        var wanted = new LinkedHashMap<String, PluginInfo>();
        for (var name : configuration.plugins()) {
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

    /** Has a worker be closed with this; false if this is closed. */
    boolean add(Worker worker) {
        synchronized (workers) {
            return !closed && workers.add(worker);
        }
    }

    /**
     * The ids of the workers of a group.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids to come, in the service's order
     * @throws IllegalStateException if this is closed
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

    /** Takes a worker from those that are closed with this; false if that was done. */
    boolean forget(Worker worker) {
        synchronized (workers) {
            return workers.remove(worker);
        }
    }

    /** Waits for an errand of the leader, which may be the calling thread. */
    <T> T awaitErrand(CompletableFuture<T> errand) {
        driver.leadOn(errand::isDone, System.nanoTime() + DEADLINE.toNanos());
        return await(errand);
    }

    /** Waits for something that another thread does. */
    private static <T> T await(CompletableFuture<T> future) {
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

    /**
     * Closes all workers and the connection to the service: commands that have not completed fail.
     * An embedded service that nobody else uses ends. No thread and no process is left. No effect
     * if that was done.
     *
     * @throws IllegalStateException if it is called by what depends on an answer, in the thread
     *         that drives the engine; nothing is changed
     */
    @Override
    public void close() {
        if (driver.isLeader()) {
            throw new IllegalStateException(this + " cannot be closed by what depends on an answer,"
                    + " in the thread that drives it: close it in another, as with thenRunAsync");
        }
        List<Worker> open;
        synchronized (workers) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(workers);
            workers.clear();
        }
        try {
            var closing = open.stream().map(Worker::beginClose).toArray(CompletableFuture[]::new);
            await(CompletableFuture.allOf(closing));
            var quiet = new CompletableFuture<Void>(); // what was begun has come to its end
            driver.whenQuiet(() -> quiet.complete(null));
            await(quiet);
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
