// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.DirectCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The part of a DOCA library that runs tasks. Stands for {@code struct doca_ctx}.
 *
 * <p>A context is configured while {@link ContextState#IDLE} and runs tasks while
 * {@link ContextState#RUNNING}. It is connected to one {@link ProgressEngine} for its whole life
 * and may be used only by the thread that owns the engine.
 */
public abstract class Context extends Handle {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /**
     * Contexts that could not be closed in time. They are kept reachable with all memory that the
     * library may still write to.
     */
    private static final Set<Context> KEPT = ConcurrentHashMap.newKeySet();

    private final ProgressEngine engine;
    private final NativeContext context;
    private final long ticket;
    private long source; // the user data of the native context
    private final ContextTasks tasks;
    private final List<ContextStateListener> listeners;

    /**
     * A native context, as an object of its library and as a {@code struct doca_ctx}.
     *
     * @param object the object of the library
     * @param context the same object as a {@code struct doca_ctx}
     * @param destroyFunction the name of the function that destroys it
     * @param destroy that function
     */
    protected record NativeContext(
            MemorySegment object, MemorySegment context, String destroyFunction, ToIntFunction<MemorySegment> destroy) {

        /** Creates a description of a context. */
        public NativeContext {}
    }

    /**
     * Creates a native context and connects it to its engine.
     *
     * @param maker creates the native context, once all dependencies are known to be open
     * @param engine the engine to connect to; the calling thread must own it
     * @param dependencies further handles that must stay open as long as this context
     */
    protected Context(Supplier<NativeContext> maker, ProgressEngine engine, Handle... dependencies) {
        super(concat(engine, dependencies));
        this.engine = engine;
        try {
            this.listeners = new CopyOnWriteArrayList<>();
            this.tasks = new ContextTasks(engine.tasks());
            this.ticket = Callbacks.register(this);
        } catch (RuntimeException | Error e) {
            detach();
            throw e;
        }
        try {
            engine.requireOwner();
            this.context = maker.get();
        } catch (RuntimeException | Error e) {
            Callbacks.unregister(ticket);
            detach();
            throw e;
        }
        try {
            connect();
        } catch (RuntimeException | Error e) {
            context.destroy().applyAsInt(context.object());
            unregister();
            detach();
            throw e;
        }
    }

    private static Handle[] concat(Handle first, Handle[] rest) {
        var all = new Handle[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private void connect() {
        var ctx = context.context();
        check(doca_h.doca_pe_connect_ctx(engine.handle(), ctx), "doca_pe_connect_ctx", this);
        source = engine.completions().contextSource(ticket);
        check(DirectCalls.setContextUserData(ctx.address(), source), "doca_ctx_set_user_data", this);
        check(
                doca_h.doca_ctx_set_state_changed_cb(ctx, CompletionArray.STATE_CALLBACK),
                "doca_ctx_set_state_changed_cb",
                this);
    }

    private void unregister() {
        Callbacks.unregister(ticket);
        CompletionArray.free(source);
    }

    /**
     * Returns the engine that progresses this context.
     *
     * @return the engine, always the same
     */
    public final ProgressEngine engine() {
        return engine;
    }

    /**
     * Returns the state of this context. Stands for {@code doca_ctx_get_state}.
     *
     * @return the current state
     */
    public final ContextState state() {
        requireUsable();
        var result = engine.scratch();
        check(doca_h.doca_ctx_get_state(context.context(), result), "doca_ctx_get_state", this);
        return ContextState.of(result.get(ValueLayout.JAVA_INT, 0));
    }

    /**
     * Adds a listener for changes of the state. Stands for {@code doca_ctx_set_state_changed_cb}.
     *
     * @param listener called at each change, after the listeners that were added before
     */
    public final void onStateChanged(ContextStateListener listener) {
        requireUsable();
        listeners.add(Objects.requireNonNull(listener));
    }

    /**
     * Starts this context without waiting until it runs. Stands for {@code doca_ctx_start}.
     *
     * @return true if it is running; false if it is starting: then progress the engine until it is
     *         running, or idle because the start failed
     * @throws IllegalStateException if tasks of an earlier run are still open
     * @throws DocaException if it cannot be started; it stays idle
     */
    public final boolean start() {
        requireUsable();
        requireNoTasks("started");
        prepareStart();
        var status = engine.call(this::startNative);
        if (status == DocaError.IN_PROGRESS.code()) {
            return false;
        }
        checkStart(status);
        return true;
    }

    private int startNative() {
        synchronized (lifecycleLock()) {
            return doca_h.doca_ctx_start(context.context());
        }
    }

    /**
     * Called before each start, by the thread that starts this context. Does nothing by default.
     */
    protected void prepareStart() {}

    /**
     * Throws an exception if a status of {@code doca_ctx_start} is a failure. Libraries override
     * this method to give more specific advice.
     *
     * @param status the status of the call; not {@code IN_PROGRESS}
     */
    protected void checkStart(int status) {
        check(status, "doca_ctx_start", this);
    }

    /**
     * Starts this context and progresses its engine until the context runs. Blocks for at most the
     * timeout; not interruptible.
     *
     * @param timeout the maximum time to wait
     * @throws IllegalStateException if tasks of an earlier run are still open, or a callback calls
     *         this method
     * @throws DocaException if the context cannot be started, with the status of the failure, or
     *         {@code INITIALIZATION} if the library gives none; with {@code TIME_OUT} if it does
     *         not run in time, in which case it continues to start
     */
    public final void startAndWait(Duration timeout) {
        Objects.requireNonNull(timeout);
        if (start()) {
            return;
        }
        engine.progressUntil(() -> state() != ContextState.STARTING, timeout);
        switch (state()) {
            case RUNNING -> {}
            case STARTING ->
                throw new DocaException(
                        DocaError.TIME_OUT,
                        "doca_ctx_start",
                        toString(),
                        "It was not running after " + timeout + ": allow more time, or stop it.");
            default -> throw startFailure();
        }
    }

    /**
     * Returns the exception for a start that failed after {@link #start()} returned false.
     * Libraries that have the reason override this method.
     *
     * @return a new exception
     */
    protected DocaException startFailure() {
        return new DocaException(DocaError.INITIALIZATION, "doca_ctx_start", toString(), startFailureAdvice());
    }

    /**
     * Returns the advice for a start that failed after {@link #start()} returned false. Libraries
     * override this method to give more specific advice.
     *
     * @return one sentence
     */
    protected String startFailureAdvice() {
        return "The library's log (-Djurom.log.level=error) says why it fell back to idle.";
    }

    /**
     * Stops this context without waiting until it is idle. Tasks in flight complete, possibly with
     * an error. Has no effect if it is idle. Stands for {@code doca_ctx_stop}.
     *
     * @return true if it is idle; false if it is stopping: then progress the engine until it is
     *         idle
     */
    public final boolean stop() {
        requireUsable();
        var status = engine.call(this::stopNative);
        if (status == DocaError.IN_PROGRESS.code()) {
            return false;
        }
        check(status, "doca_ctx_stop", this);
        return true;
    }

    private int stopNative() {
        synchronized (lifecycleLock()) {
            return doca_h.doca_ctx_stop(context.context());
        }
    }

    /**
     * Stops this context and progresses its engine until the context is idle. Blocks for at most
     * the timeout; not interruptible.
     *
     * @param timeout the maximum time to wait
     * @throws IllegalStateException if a callback calls this method
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time; it continues to stop
     */
    public final void stopAndWait(Duration timeout) {
        Objects.requireNonNull(timeout);
        if (!stop() && !engine.progressUntil(() -> state() == ContextState.IDLE, timeout)) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    "doca_ctx_stop",
                    toString(),
                    "It was not idle after " + timeout + ": progress its engine for longer.");
        }
    }

    /**
     * Returns the number of tasks of this context that are in flight, abandoned ones included.
     * Stands for {@code doca_ctx_get_num_inflight_tasks}.
     *
     * @return 0 or more
     */
    public final long tasksInFlight() {
        requireUsable();
        var result = engine.scratch();
        check(
                doca_h.doca_ctx_get_num_inflight_tasks(context.context(), result),
                "doca_ctx_get_num_inflight_tasks",
                this);
        return result.get(ValueLayout.JAVA_LONG, 0);
    }

    /**
     * Sends the tasks that were submitted without {@link SubmitFlag#FLUSH} and that the library
     * still holds; runs no callbacks. Does not block. Progressing the engine and requesting a
     * notification send such tasks as well. Stands for {@code doca_ctx_flush_tasks}.
     *
     * @throws IllegalStateException if this context is closed
     */
    public final void flush() {
        requireUsable();
        doca_h.doca_ctx_flush_tasks(context.context());
    }

    /**
     * Closes this context as {@link #close(Duration)} does, with a timeout of 30 seconds.
     *
     * @throws IllegalStateException if tasks or dependents of this context are open, or if it is
     *         not idle and a callback calls this method; nothing has changed
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time
     */
    @Override
    public final void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Closes this context: stops it if necessary, progresses its engine until it is idle and all
     * abandoned tasks have completed, and destroys it. Blocks for at most the timeout; not
     * interruptible. Has no effect if it is closed.
     *
     * <p>After a timeout the context stays open and keeps its native memory and the memory of its
     * tasks, to which the library may still write. Close it again later; until that succeeds, the
     * objects that it depends on cannot be closed.
     *
     * @param timeout the maximum time to wait
     * @throws IllegalStateException if tasks or dependents of this context are open, or if it is
     *         not idle and a callback calls this method; nothing has changed
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time; the message states how
     *         many tasks have not completed
     */
    public void close(Duration timeout) {
        Objects.requireNonNull(timeout);
        if (!isOpen()) {
            return;
        }
        requireOwner();
        synchronized (this) {
            requireNoDependents();
        }
        if (!isQuiet()) {
            if (engine.isProgressing()) {
                throw new IllegalStateException(this + " cannot be closed inside a callback before it is idle");
            }
            if (state() != ContextState.STOPPING) {
                stop();
            }
            if (!engine.progressUntil(this::isQuiet, timeout)) {
                KEPT.add(this);
                throw new DocaException(
                        DocaError.TIME_OUT,
                        "doca_ctx_stop",
                        toString(),
                        "After " + timeout + " it is still " + state() + ", and " + tasks.abandoned()
                                + " abandoned tasks are in flight: their memory is kept. Close it again later.");
            }
        }
        super.close();
    }

    /**
     * Returns whether closing has nothing to wait for, which is also the case if a callback closed
     * this context.
     */
    private boolean isQuiet() {
        return !isOpen() || tasks.abandoned() == 0 && state() == ContextState.IDLE;
    }

    @Override
    void requireNoDependents() {
        super.requireNoDependents();
        requireNoTasks("closed");
    }

    private void requireNoTasks(String what) {
        if (tasks.open() > 0) {
            throw new IllegalStateException(this + " cannot be " + what + " while " + tasks.open()
                    + " of its tasks are open: close them first");
        }
    }

    /**
     * Returns the lock that start and stop hold. Contexts whose starts and stops must not run
     * concurrently in several threads return the same object.
     *
     * @return the lock, not null
     */
    protected Object lifecycleLock() {
        return this;
    }

    @Override
    final void requireOwner() {
        engine.requireOwner();
    }

    @Override
    final void destroy() {
        check(context.destroy().applyAsInt(context.object()), context.destroyFunction(), this);
        unregister();
        KEPT.remove(this);
    }

    /**
     * Returns the object of the library.
     *
     * @return a pointer, valid while this context is open
     */
    protected final MemorySegment object() {
        return context.object();
    }

    /**
     * Returns the native object of a device, to set it on a context.
     *
     * @param device an open device
     * @return a pointer
     * @throws IllegalStateException if the device is closed
     */
    protected static MemorySegment nativeDevice(Device device) {
        return device.handle();
    }

    /** Returns the native context. */
    final MemorySegment handle() {
        requireUsable();
        return context.context();
    }

    /** Returns the ticket by which completions of this context's tasks find it. */
    final long ticket() {
        return ticket;
    }

    /** Returns the tasks of this context that are not released. */
    final ContextTasks tasks() {
        return tasks;
    }

    final void stateChanged(ContextState previous, ContextState next) {
        for (var listener : listeners) {
            try {
                listener.stateChanged(this, previous, next);
            } catch (RuntimeException | Error e) {
                engine.addFailure(e);
            }
        }
    }
}
