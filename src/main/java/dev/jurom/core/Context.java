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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The part of a DOCA library that runs tasks. Stands for {@code struct doca_ctx}.
 *
 * <p>It is configured while {@link ContextState#IDLE}, works while {@link ContextState#RUNNING},
 * and belongs to one {@link ProgressEngine} and its thread for life.
 */
public abstract class Context extends Handle {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** What could not be closed in time, with all that the library may still write to. */
    private static final Set<Context> KEPT = ConcurrentHashMap.newKeySet();

    private final ProgressEngine engine;
    private final NativeContext context;
    private final long ticket;
    private long source; // the native context's user data
    private final ContextTasks tasks;
    private final List<ContextStateListener> listeners = new CopyOnWriteArrayList<>();

    /**
     * A context in C: an object of its library, seen as a {@code struct doca_ctx} too.
     *
     * @param object the library's object
     * @param context the same as {@code struct doca_ctx}
     * @param destroyFunction the name of the function that destroys it
     * @param destroy that function
     */
    protected record NativeContext(
            MemorySegment object, MemorySegment context, String destroyFunction, ToIntFunction<MemorySegment> destroy) {

        /** Creates a description of a context. */
        public NativeContext {}
    }

    /**
     * Makes a native context and connects it to its engine.
     *
     * @param maker makes the native context, once all that it depends on is known to be open
     * @param engine what progresses it; the calling thread's
     * @param dependencies what else must stay open as long as this
     */
    protected Context(Supplier<NativeContext> maker, ProgressEngine engine, Handle... dependencies) {
        super(concat(engine, dependencies));
        this.engine = engine;
        this.tasks = new ContextTasks(engine.tasks());
        this.ticket = Callbacks.register(this);
        try {
            engine.requireOwner();
            this.context = maker.get();
        } catch (RuntimeException e) {
            Callbacks.unregister(ticket);
            abandon();
            throw e;
        }
        try {
            connect();
        } catch (RuntimeException e) {
            context.destroy().applyAsInt(context.object());
            unregister();
            abandon();
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
     * The engine that progresses this context.
     *
     * @return the same for life
     */
    public final ProgressEngine engine() {
        return engine;
    }

    /**
     * Where this context is in its life. Stands for {@code doca_ctx_get_state}.
     *
     * @return the state
     */
    public final ContextState state() {
        requireUsable();
        var result = engine.scratch();
        check(doca_h.doca_ctx_get_state(context.context(), result), "doca_ctx_get_state", this);
        return ContextState.of(result.get(ValueLayout.JAVA_INT, 0));
    }

    /**
     * Has a listener hear of all later changes of state. Stands for
     * {@code doca_ctx_set_state_changed_cb}.
     *
     * @param listener called in the order of registration
     */
    public final void onStateChanged(ContextStateListener listener) {
        requireUsable();
        listeners.add(listener);
    }

    /**
     * Starts this context. Stands for {@code doca_ctx_start}.
     *
     * @return true if it is running; false if it is starting, and the engine must progress until it
     *         is running, or idle if that failed
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

    /** Runs before each start, in the thread that starts this context; has no effect by default. */
    protected void prepareStart() {}

    /**
     * Turns the status of {@code doca_ctx_start} into an exception; libraries override it to give
     * better advice.
     *
     * @param status what the call answered; not {@code IN_PROGRESS}
     */
    protected void checkStart(int status) {
        check(status, "doca_ctx_start", this);
    }

    /**
     * Starts this context and progresses its engine until it runs.
     *
     * @param timeout how long at most
     * @throws DocaException if it cannot be started, with the status of the refusal, or
     *         {@code INITIALIZATION} if the library gives none; or if it does not run in time
     *         ({@code TIME_OUT}; it goes on starting)
     */
    public final void startAndWait(Duration timeout) {
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
     * Returns the exception for a start that was under way and has failed; libraries that know the
     * reason override it.
     *
     * @return a new exception
     */
    protected DocaException startFailure() {
        return new DocaException(DocaError.INITIALIZATION, "doca_ctx_start", toString(), startFailureAdvice());
    }

    /**
     * What to do when a start that was under way has failed; libraries override it to give better
     * advice.
     *
     * @return one sentence
     */
    protected String startFailureAdvice() {
        return "The library's log (-Djurom.log.level=error) says why it fell back to idle.";
    }

    /**
     * Stops this context; tasks in flight complete, with an error if need be. No effect if it is
     * idle. Stands for {@code doca_ctx_stop}.
     *
     * @return true if it is idle; false if it is stopping, and the engine must progress until it is
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
     * Stops this context and progresses its engine until it is idle.
     *
     * @param timeout how long at most
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time; it goes on stopping
     */
    public final void stopAndWait(Duration timeout) {
        if (!stop() && !engine.progressUntil(() -> state() == ContextState.IDLE, timeout)) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    "doca_ctx_stop",
                    toString(),
                    "It was not idle after " + timeout + ": progress its engine for longer.");
        }
    }

    /**
     * How many tasks of this context are in flight, given up or not. Stands for
     * {@code doca_ctx_get_num_inflight_tasks}.
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
     * Sends the tasks that were submitted without {@link SubmitFlag#FLUSH} and held back; ends
     * none. Never blocks. Progressing the engine, and asking it for a notification, send them, too.
     * Stands for {@code doca_ctx_flush_tasks}.
     *
     * @throws IllegalStateException if this context is closed
     */
    public final void flush() {
        requireUsable();
        doca_h.doca_ctx_flush_tasks(context.context());
    }

    /**
     * Closes this context as {@link #close(Duration)} does, within 30 seconds.
     *
     * @throws IllegalStateException if tasks or other objects of it are open, or if it is not idle
     *         and this is called from inside a callback; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time
     */
    @Override
    public final void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Closes this context: stops it if it is not idle, progresses its engine until it is and all
     * tasks that were given up have completed, and destroys it.
     *
     * <p>What takes longer keeps its native memory, and all that its tasks work on, since the
     * library may still write there. This context then stays open, and is best closed again later;
     * until that has succeeded, what it depends on cannot be closed.
     *
     * @param timeout how long to wait at most
     * @throws IllegalStateException if tasks or other objects of it are open, or if it is not idle
     *         and this is called from inside a callback; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if it is not idle in time; the message says how
     *         many tasks have not completed
     */
    public void close(Duration timeout) {
        if (!isOpen()) {
            return;
        }
        requireOwner();
        synchronized (this) {
            requireNoDependents();
        }
        if (!isQuiet()) {
            if (engine.isProgressing()) {
                throw new IllegalStateException(this + " cannot be closed from inside a callback before it is idle");
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
                        "After " + timeout + " it is " + state() + ", and " + tasks.givenUp()
                                + " tasks that were given up are in flight: their memory is kept. Close it"
                                + " again later, or leave it.");
            }
        }
        super.close();
    }

    /** Whether there is nothing to wait for; nor is there when a callback has closed this. */
    private boolean isQuiet() {
        return !isOpen() || tasks.givenUp() == 0 && state() == ContextState.IDLE;
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
     * What start and stop hold a lock on: contexts whose starts and stops must not run beside each
     * other in different threads give the same object.
     *
     * @return never null
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
     * The library's own object.
     *
     * @return a pointer; only to be used while this is open
     */
    protected final MemorySegment object() {
        return context.object();
    }

    /**
     * A device's native object, for setting it on a context.
     *
     * @param device an open device
     * @return a pointer
     * @throws IllegalStateException if the device is closed
     */
    protected static MemorySegment nativeDevice(Device device) {
        return device.handle();
    }

    /** The native context. */
    final MemorySegment handle() {
        requireUsable();
        return context.context();
    }

    /** What leads the completion callback of this context's tasks here. */
    final long ticket() {
        return ticket;
    }

    /** The tasks of this context that are not released. */
    final ContextTasks tasks() {
        return tasks;
    }

    final void stateChanged(ContextState previous, ContextState next) {
        for (var listener : listeners) {
            try {
                listener.stateChanged(this, previous, next);
            } catch (RuntimeException | Error e) {
                engine.keep(e);
            }
        }
    }
}
