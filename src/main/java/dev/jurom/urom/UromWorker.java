// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_cpu_set_t;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.Context;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.SharedEngine;
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

/**
 * A connection to a worker: a process on the device that runs plugins for this host. Stands for
 * {@code struct doca_urom_worker}; {@link #close()} stands for {@code doca_urom_worker_destroy}.
 *
 * <p>It is configured while idle, and starts asynchronously: {@link #startAndWait}, or
 * {@link #start()} and progress. Its engine may be another than its service's, in another thread.
 * When the worker process dies, its tasks in flight complete with an error and this context becomes
 * idle.
 */
public final class UromWorker extends Context {

    /** How many command tasks a worker can have at most. */
    public static final int MAX_TASKS = 1 << 16;

    private final UromService service;
    private final WorkerEnds ends = new WorkerEnds(this);

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
     * Makes a worker context, not started yet. Stands for {@code doca_urom_worker_create},
     * {@code doca_urom_worker_as_ctx}, {@code doca_pe_connect_ctx} and
     * {@code doca_urom_worker_set_service}.
     *
     * @param engine what progresses it; the calling thread's
     * @param service which starts the worker; it must stay open, and may belong to another thread
     * @return an idle context with {@link WorkerId#ANY}
     * @throws dev.jurom.core.DocaException if the library cannot make it
     */
    public static UromWorker create(ProgressEngine engine, UromService service) {
        var worker = new UromWorker(engine, service);
        var recorder = new WorkerRecorder(worker);
        worker.onStateChanged((context, previous, next) -> {
            recorder.changed(next);
            worker.ends.changed(previous, next);
        });
        try {
            check(
                    doca_h.doca_urom_worker_set_service(worker.object(), service.handle()),
                    "doca_urom_worker_set_service",
                    worker);
            worker.setId(WorkerId.ANY);
        } catch (RuntimeException e) {
            worker.close();
            throw e;
        }
        return worker;
    }

    /**
     * Chooses the worker by id: an existing one gets one more connection, else one with this id is
     * started. Stands for {@code doca_urom_worker_set_id}.
     *
     * @param id any id, {@link WorkerId#ANY} for a fresh one, or {@link WorkerId#compose}
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle
     */
    public UromWorker setId(long id) {
        requireUsable();
        check(doca_h.doca_urom_worker_set_id(object(), id), "doca_urom_worker_set_id", this);
        return this;
    }

    /**
     * Chooses the plugins that the worker loads. Stands for {@code doca_urom_worker_set_plugins}.
     *
     * @param plugins one or more of the service's
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle,
     *         {@code INVALID_VALUE} if there is none or one is not the service's
     */
    public UromWorker setPlugins(PluginInfo... plugins) {
        var ids = 0L;
        for (var plugin : plugins) {
            ids |= plugin.id();
        }
        return setPlugins(ids);
    }

    /**
     * Chooses the plugins that the worker loads. Stands for {@code doca_urom_worker_set_plugins}.
     *
     * @param ids the OR of their ids
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle,
     *         {@code INVALID_VALUE} if there is none or one is not the service's
     */
    public UromWorker setPlugins(long ids) {
        requireUsable();
        check(
                doca_h.doca_urom_worker_set_plugins(object(), ids),
                "doca_urom_worker_set_plugins",
                this,
                DocaError.INVALID_VALUE,
                "0x" + Long.toHexString(ids) + " must be the OR of ids that the service gave out.");
        return this;
    }

    /**
     * Chooses the CPUs that the worker may use. Stands for {@code doca_urom_worker_set_cpuset}.
     *
     * @param cpus a part of {@link UromService#cpuSet()}
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle,
     *         {@code INVALID_VALUE} if the service does not have one of them
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
                    "The CPUs " + cpus + " must be a part of the service's.");
        }
        return this;
    }

    /**
     * Puts the worker into a group; without this it is in none. Stands for
     * {@code doca_urom_worker_set_gid}.
     *
     * @param group any 32-bit number, taken as unsigned
     * @return this
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle
     */
    public UromWorker setGroup(int group) {
        requireUsable();
        check(doca_h.doca_urom_worker_set_gid(object(), group), "doca_urom_worker_set_gid", this);
        return this;
    }

    /**
     * Sets how many command tasks of this worker can be open. Stands for
     * {@code doca_urom_worker_set_max_inflight_tasks}.
     *
     * @param tasks how many: a power of two from 1 to {@value #MAX_TASKS}
     * @return this
     * @throws IllegalArgumentException if the number is not that
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle
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
     * Sets environment variables of the worker process. Only a worker that is started anew can have
     * them: with the id of an existing one the start fails. Stands for
     * {@code doca_urom_worker_set_env}.
     *
     * @param variables at least one
     * @return this
     * @throws IllegalArgumentException if a name is empty or has a '=', or a name or value a NUL
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if it is not idle
     */
    public UromWorker setEnvironment(Map<String, String> variables) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var array = arena.allocate(ValueLayout.ADDRESS, Math.max(1, variables.size()));
            var count = 0;
            for (var variable : variables.entrySet()) {
                requireVariable(variable.getKey(), variable.getValue());
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
     * Requires an environment variable that a worker can have.
     *
     * @param name its name
     * @param value its value
     * @throws IllegalArgumentException if the name is empty or contains "=", or one of the two
     *         contains NUL
     * @hidden
     */
    public static void requireVariable(String name, String value) {
        if (name.isEmpty() || name.contains("=") || (name + value).indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The environment variable \"" + name + "\"=\"" + value
                    + "\" has no name, a \"=\" in its name, or a NUL");
        }
    }

    /**
     * The worker's id; the one that the service picked once this is running. Stands for
     * {@code doca_urom_worker_get_id}.
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
     * The worker's group. Stands for {@code doca_urom_worker_get_gid}.
     *
     * @return the group's id, or empty if it is in none
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
     * The service that started this worker.
     *
     * @return the same for life
     */
    public UromService service() {
        return service;
    }

    /**
     * How the worker process ended that was last lost. Stands for {@code jurom_urom_worker_get_end}
     * and {@code jurom_urom_worker_get_loss}, which the software DOCA alone has.
     *
     * @return empty if none was lost since the last start
     * @throws IllegalStateException if this is closed
     */
    public Optional<WorkerExit> exit() {
        requireUsable();
        return ends.last();
    }

    /**
     * Tells when the worker process ends that this context runs on, or will when it is idle. The
     * future completes inside {@link ProgressEngine#progress()}: what depends on it must not
     * progress the engine.
     *
     * @return the process's end to come; cancelled when this is stopped or closed first. With the
     *         vendor's library, which does not tell a stop from a loss, a stop completes it too
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<WorkerExit> onExit() {
        requireUsable();
        return ends.current();
    }

    /**
     * Makes a task that gives this worker a command. Stands for
     * {@code doca_urom_worker_cmd_task_allocate_init} and
     * {@code doca_urom_worker_cmd_task_as_task}, and in place of
     * {@code doca_urom_worker_cmd_task_allocate}.
     *
     * @param plugin the plugin that runs the command; one that the worker has loaded
     * @return the task, to be filled, submitted and closed
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if as many tasks are open as was set
     */
    public CommandTask commandTask(PluginInfo plugin) {
        return commandTask(plugin.id());
    }

    /**
     * Makes a task that gives this worker a command. Stands for
     * {@code doca_urom_worker_cmd_task_allocate_init}.
     *
     * @param plugin the id of the plugin that runs the command
     * @return the task, to be filled, submitted and closed
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if as many tasks are open as was set
     */
    public CommandTask commandTask(long plugin) {
        requireUsable();
        return CommandTask.create(this, plugin);
    }

    /**
     * Makes tasks whose views any thread can use, for an engine that changes hands.
     *
     * @param plugin the id of the plugin that runs the commands
     * @param size how many tasks: 1 to {@value #MAX_TASKS}
     * @return the tasks, to be closed together
     * @throws IllegalArgumentException if the number is out of range
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running,
     *         {@code NO_MEMORY} if fewer tasks can be made
     */
    public CommandTaskPool commandTaskPool(long plugin, int size) {
        requireUsable();
        Count.requireWithin("The number of tasks in a pool", size, 1, MAX_TASKS);
        return new CommandTaskPool(this, plugin, size);
    }

    /**
     * Makes commands that threads share.
     *
     * @param shared this worker's engine, whose lock the calling thread holds
     * @param plugin the id of one of its plugins
     * @param count the number of commands, up to {@link #setMaxTasks}
     * @return their addresses, to be freed before this worker is closed
     * @throws dev.jurom.core.DocaException with {@code BAD_STATE} if this worker is not running
     * @hidden
     */
    @SuppressWarnings("exports") // for the facade
    public long[] sharedCommands(SharedEngine shared, long plugin, int count) {
        return shared.makeCommands(handle(), plugin, count);
    }

    /** The service: a worker that starts reads what the service's own start and stop change. */
    @Override
    protected Object lifecycleLock() {
        return service;
    }

    /** The native worker, for its tasks. */
    MemorySegment handle() {
        requireUsable();
        return object();
    }

    @Override
    public void close(Duration timeout) {
        super.close(timeout);
        ends.closed();
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
     * Returns the exception for the last start, which failed: with the text and the status of the
     * service, if it refused the worker. Stands for {@code jurom_urom_worker_get_refusal}, which the
     * software DOCA alone has.
     *
     * @return a new exception, with {@code FULL} for a limit of the service, {@code NOT_PERMITTED}
     *         if this user may not have the worker, {@code IO_FAILED} if the service could not write
     *         a file, and other statuses; with {@code INITIALIZATION} if the library gives no reason
     * @throws IllegalStateException if this is closed
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
            var why = doca_h.jurom_urom_worker_get_refusal(object(), error)
                    .reinterpret(Long.MAX_VALUE)
                    .getString(0);
            var code = error.get(ValueLayout.JAVA_INT, 0);
            return code == DocaError.SUCCESS.code()
                    ? Optional.empty()
                    : Optional.of(new DocaException(DocaError.of(code), "doca_ctx_start", toString(), why));
        }
    }

    @Override
    protected String startFailureAdvice() {
        return "Check the service's log: a plugin may not load, or the worker's id may exist while"
                + " an environment was set.";
    }

    @Override
    public String toString() {
        return isOpen() && service != null && isOwner() ? "worker " + WorkerId.toString(id()) : "worker";
    }

    private boolean isOwner() {
        return engine().isOwner();
    }
}
