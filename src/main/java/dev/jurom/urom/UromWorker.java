// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_cpu_set_t;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.Context;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.EnvironmentVariable;
import dev.jurom.core.internal.FlightRecording;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a worker, a process on the device that runs plugins for this host. Stands for
 * {@code struct doca_urom_worker}; {@link #close()} stands for {@code doca_urom_worker_destroy}.
 *
 * <p>It is configured while idle and starts asynchronously: call {@link #startAndWait}, or
 * {@link #start()} and progress the engine. The engine may be another one than that of the service,
 * in another thread. When the worker process exits, its tasks in flight complete with an error and
 * this context becomes idle.
 */
public final class UromWorker extends Context {

    /** The maximum number of command tasks of a worker. */
    public static final int MAX_TASKS = 1 << 16;

    private final UromService service;
    private final WorkerExits exits = new WorkerExits(this);

    private @Nullable WorkerRecorder recorder; // loaded once recordings are possible

    private UromWorker(ProgressEngine engine, UromService service) {
        super(UromWorker::createNative, engine, service);
        this.service = service;
    }

    private static NativeContext createNative() {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_urom_worker_create(result), "doca_urom_worker_create", "worker");
            var worker = result.get(ValueLayout.ADDRESS, 0);
            return new NativeContext(
                    worker,
                    doca_h.doca_urom_worker_as_ctx(worker),
                    "doca_urom_worker_destroy",
                    doca_h::doca_urom_worker_destroy);
        }
    }

    /**
     * Creates an idle worker context. Stands for {@code doca_urom_worker_create},
     * {@code doca_urom_worker_as_ctx}, {@code doca_pe_connect_ctx} and
     * {@code doca_urom_worker_set_service}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param service the service that starts the worker; it must stay open, and may belong to
     *         another thread
     * @return an idle context with {@link WorkerId#ANY}
     * @throws dev.jurom.core.DocaException if the library cannot create it
     */
    public static UromWorker create(ProgressEngine engine, UromService service) {
        var worker = new UromWorker(engine, service);
        worker.onStateChanged((context, previous, next) -> {
            worker.record(next);
            worker.exits.changed(previous, next);
        });
        try {
            check(
                    doca_h.doca_urom_worker_set_service(worker.object(), service.handle()),
                    "doca_urom_worker_set_service",
                    worker);
            worker.setId(WorkerId.ANY);
        } catch (RuntimeException | Error e) {
            worker.close();
            throw e;
        }
        return worker;
    }

    private void record(ContextState next) {
        if (recorder == null && FlightRecording.isPossible()) {
            recorder = new WorkerRecorder(this);
        }
        if (recorder != null) {
            recorder.changed(next);
        }
    }

    /**
     * Sets the id of the worker. If a worker with this id exists, this context becomes a further
     * connection to it; otherwise the service starts one. Stands for
     * {@code doca_urom_worker_set_id}.
     *
     * @param id any id, {@link WorkerId#ANY} for an unused one, or an id of
     *         {@link WorkerId#compose}
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle
     */
    public UromWorker setId(long id) {
        requireUsable();
        check(doca_h.doca_urom_worker_set_id(object(), id), "doca_urom_worker_set_id", this);
        return this;
    }

    /**
     * Sets the plugins that the worker loads. Stands for {@code doca_urom_worker_set_plugins}.
     *
     * @param plugins one or more plugins of the service
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle,
     *         {@code INVALID_VALUE} if there is no plugin, or one that the service does not offer
     */
    public UromWorker setPlugins(PluginInfo... plugins) {
        var ids = 0L;
        for (var plugin : plugins) {
            ids |= plugin.id();
        }
        return setPlugins(ids);
    }

    /**
     * Sets the plugins that the worker loads. Stands for {@code doca_urom_worker_set_plugins}.
     *
     * @param ids the bitwise OR of the ids of one or more plugins of the service
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle,
     *         {@code INVALID_VALUE} if there is no plugin, or one that the service does not offer
     */
    public UromWorker setPlugins(long ids) {
        requireUsable();
        check(
                doca_h.doca_urom_worker_set_plugins(object(), ids),
                "doca_urom_worker_set_plugins",
                this,
                DocaError.INVALID_VALUE,
                "0x" + Long.toHexString(ids) + " must be the bitwise OR of ids of the service's plugins.");
        return this;
    }

    /**
     * Sets the CPUs that the worker may use. Stands for {@code doca_urom_worker_set_cpuset}.
     *
     * @param cpus a subset of {@link UromService#cpuSet()}
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle,
     *         {@code INVALID_VALUE} if the service does not have one of the CPUs
     */
    public UromWorker setCpuSet(CpuSet cpus) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var set = doca_cpu_set_t.allocate(arena);
            for (var i = 0; i < CpuSet.WORDS; i++) {
                set.setAtIndex(ValueLayout.JAVA_LONG, i, cpus.word(i));
            }
            check(
                    doca_h.doca_urom_worker_set_cpuset(object(), set),
                    "doca_urom_worker_set_cpuset",
                    this,
                    DocaError.INVALID_VALUE,
                    "The CPUs " + cpus + " must be a subset of those of the service.");
        }
        return this;
    }

    /**
     * Sets the group of the worker; by default it is in no group. Stands for
     * {@code doca_urom_worker_set_gid}.
     *
     * @param group any 32-bit number, unsigned
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle
     */
    public UromWorker setGroup(int group) {
        requireUsable();
        check(doca_h.doca_urom_worker_set_gid(object(), group), "doca_urom_worker_set_gid", this);
        return this;
    }

    /**
     * Sets the maximum number of open command tasks of this worker. Stands for
     * {@code doca_urom_worker_set_max_inflight_tasks}.
     *
     * @param tasks the maximum, a power of two from 1 to {@value #MAX_TASKS}
     * @return this
     * @throws IllegalArgumentException if {@code tasks} is not such a number
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle
     */
    public UromWorker setMaxTasks(int tasks) {
        requireUsable();
        Count.requirePowerOfTwo("The number of command tasks", tasks, MAX_TASKS);
        check(
                doca_h.doca_urom_worker_set_max_inflight_tasks(object(), tasks),
                "doca_urom_worker_set_max_inflight_tasks",
                this);
        return this;
    }

    /**
     * Sets environment variables of the worker process. They can be set only for a new worker: with
     * the id of an existing one, the start fails. Stands for {@code doca_urom_worker_set_env}.
     *
     * @param variables the variables, at least one
     * @return this
     * @throws IllegalArgumentException if a name is empty or contains "=", or a name or value
     *         contains NUL
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this context is not idle
     */
    public UromWorker setEnvironment(Map<String, String> variables) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var array = arena.allocate(ValueLayout.ADDRESS, Math.max(1, variables.size()));
            var count = 0;
            for (var variable : variables.entrySet()) {
                EnvironmentVariable.require(variable.getKey(), variable.getValue());
                array.setAtIndex(
                        ValueLayout.ADDRESS,
                        count++,
                        arena.allocateFrom(variable.getKey() + "=" + variable.getValue()));
            }
            check(doca_h.doca_urom_worker_set_env(object(), array, count), "doca_urom_worker_set_env", this);
        }
        return this;
    }

    /**
     * Returns the id of the worker: once this context is running, the id that the service assigned
     * if it was {@link WorkerId#ANY}. Stands for {@code doca_urom_worker_get_id}.
     *
     * @return the id, or {@link WorkerId#ANY}
     */
    public long id() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(doca_h.doca_urom_worker_get_id(object(), result), "doca_urom_worker_get_id", this);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Returns the group of the worker. Stands for {@code doca_urom_worker_get_gid}.
     *
     * @return the group id, or empty if the worker is in no group
     */
    public OptionalInt group() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            var status = doca_h.doca_urom_worker_get_gid(object(), result);
            if (status == DocaError.NOT_FOUND.code()) {
                return OptionalInt.empty();
            }
            check(status, "doca_urom_worker_get_gid", this);
            return OptionalInt.of(result.get(ValueLayout.JAVA_INT, 0));
        }
    }

    /**
     * Returns the service of this worker.
     *
     * @return the service, always the same
     */
    public UromService service() {
        return service;
    }

    /**
     * Returns how the worker process ended unexpectedly since the last start. Stands for
     * {@code jurom_urom_worker_get_end} and {@code jurom_urom_worker_get_loss}, which only the
     * software DOCA has.
     *
     * @return the latest such exit, or empty if there was none
     * @throws IllegalStateException if this context is closed
     */
    public Optional<WorkerExit> exit() {
        requireUsable();
        return exits.last();
    }

    /**
     * Returns the process of this worker. Stands for {@code jurom_urom_worker_get_process}, which only the
     * software DOCA has.
     *
     * @return its process id; empty if this worker is not running, is on another machine, or belongs to the vendor's
     *         DOCA
     * @throws IllegalStateException if this context is closed
     */
    public OptionalInt process() {
        requireUsable();
        var process = WorkerExits.isReported() ? doca_h.jurom_urom_worker_get_process(handle()) : 0;
        return process == 0 ? OptionalInt.empty() : OptionalInt.of(process);
    }

    /**
     * Returns a future that completes when the worker process exits without being stopped: the
     * process that this context is connected to, or the next one if this context is idle. The
     * future completes inside {@link ProgressEngine#progress()}, so its dependent actions must not
     * progress the engine.
     *
     * @return the future, which is cancelled when this context is stopped or closed first; with the
     *         library of the vendor, which does not distinguish a stop from an exit, a stop
     *         completes it
     * @throws IllegalStateException if this context is closed
     */
    public CompletableFuture<WorkerExit> onExit() {
        requireUsable();
        return exits.current();
    }

    /**
     * Creates a task that sends a command to this worker. Stands for
     * {@code doca_urom_worker_cmd_task_allocate_init} and
     * {@code doca_urom_worker_cmd_task_as_task}, and in place of
     * {@code doca_urom_worker_cmd_task_allocate}.
     *
     * @param plugin the plugin that runs the command, which the worker has loaded
     * @return the task, which the caller must close
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if the maximum number of tasks is open
     */
    public CommandTask commandTask(PluginInfo plugin) {
        return commandTask(plugin.id());
    }

    /**
     * Creates a task that sends a command to this worker. Stands for
     * {@code doca_urom_worker_cmd_task_allocate_init}.
     *
     * @param plugin the id of the plugin that runs the command
     * @return the task, which the caller must close
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if the maximum number of tasks is open
     */
    public CommandTask commandTask(long plugin) {
        requireUsable();
        return CommandTask.create(this, plugin);
    }

    /**
     * Creates tasks whose views any thread may access, for an engine whose ownership changes
     * between threads.
     *
     * @param plugin the id of the plugin that runs the commands
     * @param size the number of tasks, 1 to {@value #MAX_TASKS}
     * @return the tasks, to be closed together
     * @throws IllegalArgumentException if {@code size} is out of range
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if not all tasks can be created
     */
    public CommandTaskPool commandTaskPool(long plugin, int size) {
        requireUsable();
        Count.requireWithin("The number of tasks in a pool", size, 1, MAX_TASKS);
        return new CommandTaskPool(this, plugin, size);
    }

    /**
     * Returns the service: a worker that starts reads state that the start and stop of the service
     * change.
     */
    @Override
    protected Object lifecycleLock() {
        return service;
    }

    /** Returns the native worker, for its tasks. */
    MemorySegment handle() {
        requireUsable();
        return object();
    }

    @Override
    public void close(Duration timeout) {
        super.close(timeout);
        exits.closed();
    }

    @Override
    protected void checkStart(int status) {
        if (status != DocaError.SUCCESS.code()) {
            throw refusal()
                    .filter(refusal -> refusal.error().code() == status)
                    .orElseGet(() -> new DocaException(DocaError.of(status), "doca_ctx_start", toString()));
        }
    }

    /**
     * Returns the exception for the last start, which failed. If the service rejected the worker,
     * it has the reason and the status of the service. Stands for
     * {@code jurom_urom_worker_get_refusal}, which only the software DOCA has.
     *
     * @return a new exception, with {@code FULL} for a limit of the service, {@code NOT_PERMITTED}
     *         if this user may not have the worker, {@code IO_FAILED} if the service could not
     *         write a file, and other statuses; with {@code INITIALIZATION} if the library reports
     *         no reason
     * @throws IllegalStateException if this context is closed
     */
    @Override
    public DocaException startFailure() {
        requireUsable();
        return refusal().orElseGet(super::startFailure);
    }

    private Optional<DocaException> refusal() {
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            return Optional.empty();
        }
        try (var arena = Arena.ofConfined()) {
            var error = arena.allocate(ValueLayout.JAVA_INT);
            var reason = doca_h.jurom_urom_worker_get_refusal(object(), error)
                    .reinterpret(Long.MAX_VALUE)
                    .getString(0);
            var code = error.get(ValueLayout.JAVA_INT, 0);
            return code == DocaError.SUCCESS.code()
                    ? Optional.empty()
                    : Optional.of(new DocaException(DocaError.of(code), "doca_ctx_start", toString(), reason));
        }
    }

    @Override
    protected String startFailureAdvice() {
        return "Check the log of the service: a plugin may not load, or a worker with this id may exist although"
                + " environment variables were set.";
    }

    @Override
    public String toString() {
        return isOpen() && service != null && isOwner() ? "worker " + WorkerId.toString(id()) : "worker";
    }

    private boolean isOwner() {
        return engine().isOwner();
    }
}
