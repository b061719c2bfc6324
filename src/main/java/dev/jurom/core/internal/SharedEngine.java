// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.jurom_command;
import dev.jurom.abi.doca.jurom_engine_functions;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * A progress engine that several threads share. Stands for {@code struct jurom_engine}. Commands
 * are addresses of {@code struct jurom_command}.
 *
 * <p>Functions that every command calls are bound by hand, with numbers for pointers, because a
 * stub checks the scope of each segment. Only functions that never block are critical.
 */
public final class SharedEngine {

    /** The owner of the command packs it, or reads the response. This is a phase, the low half of a state. */
    public static final int OWNED = doca_h.JUROM_COMMAND_OWNED();

    /** The command is queued or in flight. Other bits tell which thread waits for it. */
    public static final int PENDING = doca_h.JUROM_COMMAND_PENDING();

    /** The engine thread receives the command. */
    public static final int DELIVER = doca_h.JUROM_COMMAND_DELIVER();

    /** A thread may take the command. */
    public static final int FREE = doca_h.JUROM_COMMAND_FREE();

    /** The command is free for one waiting thread. */
    public static final int RESERVED = doca_h.JUROM_COMMAND_RESERVED();

    /** The worker closes. */
    public static final int CLOSED = doca_h.JUROM_COMMAND_CLOSED();

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final long PAYLOAD = jurom_command.payload$offset();
    private static final long CAPACITY = jurom_command.capacity$offset();
    private static final long PLUGIN = jurom_command.plugin$offset();
    private static final long LENGTH = jurom_command.length$offset();
    private static final long NEXT = jurom_command.next$offset();
    private static final long RESPONSE = jurom_command.response$offset();
    private static final long RESPONSE_LENGTH = jurom_command.response_length$offset();
    private static final long STATUS = jurom_command.status$offset();
    private static final long REFUSED = jurom_command.refused$offset();
    private static final long STATE = jurom_command.state$offset();
    private static final long TIMEOUT = jurom_command.timeout$offset();
    private static final long USER = jurom_command.user$offset();
    private static final VarHandle STATES = JAVA_LONG.varHandle();
    /** More calls than those after which the JDK compiles a method handle, which allocates memory. */
    private static final int WARM_UP_CALLS = 256;

    private static final FunctionDescriptor WAIT =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CALL =
            Linker.nativeLinker().downcallHandle(doca_h.jurom_engine_call$address(), WAIT);
    private static final MethodHandle AWAIT =
            Linker.nativeLinker().downcallHandle(doca_h.jurom_engine_await$address(), WAIT);
    private static final MethodHandle BEGIN = Linker.nativeLinker()
            .downcallHandle(doca_h.jurom_engine_begin$address(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SUBMIT = Linker.nativeLinker()
            .downcallHandle(doca_h.jurom_engine_submit$address(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle LEAVE = Linker.nativeLinker()
            .downcallHandle(doca_h.jurom_command_leave$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle ADOPT = Linker.nativeLinker()
            .downcallHandle(
                    doca_h.jurom_command_adopt$address(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.critical(false));
    private static final MethodHandle CANCEL = Linker.nativeLinker()
            .downcallHandle(doca_h.jurom_command_cancel$address(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle RECEIVE = Linker.nativeLinker()
            .downcallHandle(doca_h.jurom_engine_receive$address(), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle STACK_IS_LOW = Linker.nativeLinker()
            .downcallHandle(
                    doca_h.jurom_stack_is_low$address(),
                    FunctionDescriptor.of(JAVA_INT),
                    Linker.Option.critical(false));

    private final MemorySegment engine;
    private final long address;

    private SharedEngine(MemorySegment engine) {
        this.engine = engine;
        this.address = engine.address();
    }

    /**
     * Shares a progress engine. The calling thread becomes the engine thread and holds the lock.
     * Stands for {@code jurom_engine_create}.
     *
     * @param completions the array that collects the other completions of the engine
     * @param engine a {@code struct doca_pe *}
     * @param notificationHandle the notification handle of the engine
     * @return the engine, to be destroyed before the progress engine
     */
    public static SharedEngine of(CompletionArray completions, MemorySegment engine, int notificationHandle) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ADDRESS);
            Status.check(
                    doca_h.jurom_engine_create(
                            functions(arena), completions.pointer(), engine, notificationHandle, result),
                    "jurom_engine_create",
                    "progress engine");
            return new SharedEngine(result.get(ADDRESS, 0));
        }
    }

    /** Returns a function that only the software DOCA has, or a null pointer. */
    private static MemorySegment extension(Supplier<MemorySegment> address) {
        return DocaRuntime.current().kind() == RuntimeKind.SOFTWARE ? address.get() : MemorySegment.NULL;
    }

    private static MemorySegment functions(Arena arena) {
        var functions = jurom_engine_functions.allocate(arena);
        jurom_engine_functions.request_notification(functions, doca_h.doca_pe_request_notification$address());
        jurom_engine_functions.clear_notification(functions, doca_h.doca_pe_clear_notification$address());
        jurom_engine_functions.allocate_task(functions, doca_h.doca_urom_worker_cmd_task_allocate_init$address());
        jurom_engine_functions.release_task(functions, doca_h.doca_urom_worker_cmd_task_release$address());
        jurom_engine_functions.as_task(functions, doca_h.doca_urom_worker_cmd_task_as_task$address());
        jurom_engine_functions.payload(functions, doca_h.doca_urom_worker_cmd_task_get_payload$address());
        jurom_engine_functions.response(functions, doca_h.doca_urom_worker_cmd_task_get_response$address());
        jurom_engine_functions.set_plugin(functions, doca_h.doca_urom_worker_cmd_task_set_plugin$address());
        jurom_engine_functions.set_callback(functions, doca_h.doca_urom_worker_cmd_task_set_cb$address());
        jurom_engine_functions.set_user_data(functions, doca_h.doca_task_set_user_data$address());
        jurom_engine_functions.set_data(functions, doca_h.doca_buf_set_data$address());
        jurom_engine_functions.set_deadline(
                functions, extension(doca_h::jurom_urom_worker_cmd_task_set_deadline$address));
        jurom_engine_functions.cancel(functions, extension(doca_h::jurom_urom_worker_cmd_task_cancel$address));
        return functions;
    }

    /**
     * Frees this engine, which no thread may use any more. Stands for {@code jurom_engine_destroy}.
     */
    public void destroy() {
        doca_h.jurom_engine_destroy(engine);
    }

    /**
     * Creates commands of a worker. The calling thread must hold the lock. Stands for
     * {@code jurom_engine_make_commands}.
     *
     * @param worker a {@code struct doca_urom_worker *}
     * @param plugin the id of the plugin of the first submission
     * @param count the number of commands
     * @return their addresses, to be freed together
     * @throws dev.jurom.core.DocaException if the worker does not run ({@code BAD_STATE}), or there
     *         is not enough memory
     */
    public long[] makeCommands(MemorySegment worker, long plugin, int count) {
        try (var arena = Arena.ofConfined()) {
            var commands = arena.allocate(ADDRESS, count);
            Status.check(
                    doca_h.jurom_engine_make_commands(engine, worker, plugin, count, commands),
                    "doca_urom_worker_cmd_task_allocate_init",
                    "worker");
            return commands.toArray(JAVA_LONG);
        }
    }

    /**
     * Frees commands, none of which is pending. The calling thread must hold the lock. Stands for
     * {@code jurom_engine_free_commands}.
     *
     * @param commands the commands that one call created
     */
    public void freeCommands(long[] commands) {
        try (var arena = Arena.ofConfined()) {
            doca_h.jurom_engine_free_commands(engine, arena.allocateFrom(JAVA_LONG, commands), commands.length);
        }
    }

    /** Acquires the lock, for the engine thread. Stands for {@code jurom_engine_lock}. */
    public void lock() {
        doca_h.jurom_engine_lock(engine);
    }

    /** Releases the lock. Stands for {@code jurom_engine_unlock}. */
    public void unlock() {
        doca_h.jurom_engine_unlock(engine);
    }

    /**
     * Prepares the functions that must not fail for lack of memory later, by calling each as often as it takes
     * until the JDK has compiled its method handle. For the engine thread, which holds the lock.
     */
    public void warmUp() {
        for (var i = 0; i < WARM_UP_CALLS; i++) {
            unlock();
            wake();
            lock();
        }
        run(0, 0, false);
    }

    /**
     * Prepares {@link #leave} in the same way.
     *
     * @param command a command of the calling thread, which is not pending
     */
    public static void warmUpLeave(long command) {
        for (var i = 0; i < WARM_UP_CALLS; i++) {
            leave(command, false);
        }
    }

    /**
     * Submits a command or a batch and waits for it. Stands for {@code jurom_engine_call}.
     *
     * @param first the command, or the first one of a batch
     * @param timeout the maximum time to wait, in nanoseconds
     * @param spin the time to poll without progress before sleeping, in nanoseconds
     * @param maySleep 1 to sleep in C after that; 0 to return
     * @return whether all commands are done
     */
    public boolean call(long first, long timeout, long spin, int maySleep) {
        try {
            return (int) CALL.invokeExact(address, first, timeout, spin, maySleep) != 0;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Submits a batch of commands, for which the calling thread then waits, or which it leaves to
     * the engine thread. Does not block. Stands for {@code jurom_engine_begin}.
     *
     * @param first the first command of the batch
     */
    public void begin(long first) {
        try {
            BEGIN.invokeExact(address, first);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Waits for a submitted batch. Stands for {@code jurom_engine_await}.
     *
     * @param first the first command of the batch
     * @param timeout the maximum time to wait, in nanoseconds
     * @param spin the time to poll without progress before sleeping, in nanoseconds
     * @param maySleep 1 to sleep in C after that; 0 to return
     * @return whether all commands are done
     */
    public boolean await(long first, long timeout, long spin, int maySleep) {
        try {
            return (int) AWAIT.invokeExact(address, first, timeout, spin, maySleep) != 0;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Submits a command that the engine thread receives. Does not block. Stands for
     * {@code jurom_engine_submit}.
     *
     * @param command the command, which is no longer the caller's
     */
    public void submit(long command) {
        try {
            SUBMIT.invokeExact(address, command);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Leaves a pending command to the engine thread. Stands for {@code jurom_command_leave}.
     *
     * @param command the command
     * @param cancel whether to request its cancellation
     * @return false if it is done, in which case the caller still owns it
     */
    public static boolean leave(long command, boolean cancel) {
        try {
            return (int) LEAVE.invokeExact(command, cancel ? 1 : 0) != 0;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Takes a pending command back from the engine thread; the calling thread then awaits or leaves it. Any thread may
     * call this method while the engine exists. Does not block. Stands for {@code jurom_command_adopt}.
     *
     * @param command the command
     * @param state any state of its use
     * @return false if that use is over, the command is done, or another thread awaits it
     */
    public static boolean adopt(long command, long state) {
        try {
            return (int) ADOPT.invokeExact(command, state) != 0;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Requests the cancellation of a command that the engine thread receives. Any thread may call this method while
     * the engine exists. Does not block. Stands for {@code jurom_command_cancel}.
     *
     * @param command the command
     * @param state any state of the use to be cancelled; no effect if that use is over
     */
    public static void cancel(long command, long state) {
        try {
            CANCEL.invokeExact(command, state);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Drives the engine or sleeps, for the engine thread. Stands for {@code jurom_engine_run}.
     *
     * @param timeout the maximum time in nanoseconds
     * @param spin nanoseconds to poll while nothing arrives
     * @param active whether to drive although no command is in flight
     * @return whether the completion array has records
     */
    public boolean run(long timeout, long spin, boolean active) {
        var events = doca_h.jurom_engine_run(engine, timeout, spin, active ? 1 : 0);
        return (events & doca_h.JUROM_ENGINE_RECORDS()) != 0;
    }

    /**
     * Removes all commands to be received, for the engine thread. Stands for
     * {@code jurom_engine_receive}.
     *
     * @return the first one, with the others linked by {@link #next}; 0 if there is none
     */
    public long receive() {
        try {
            return (long) RECEIVE.invokeExact(address);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Makes {@link #run} return. Any thread may call this method. Stands for
     * {@code jurom_engine_wake}.
     */
    public void wake() {
        doca_h.jurom_engine_wake(engine);
    }

    /**
     * Returns whether the calling thread has too little stack left to begin a call. Stands for
     * {@code jurom_stack_is_low}.
     *
     * @return true if a call could overflow the stack before it has released its command
     */
    public static boolean isStackLow() {
        try {
            return (int) STACK_IS_LOW.invokeExact() != 0;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /**
     * Returns the payload of a command, into which it is packed.
     *
     * @param command the command
     * @param arena the arena that ends the lifetime of the view
     * @return the whole payload
     */
    public static MemorySegment payload(long command, Arena arena) {
        return MEMORY.get(ADDRESS, command + PAYLOAD)
                .reinterpret(MEMORY.get(JAVA_LONG, command + CAPACITY), arena, null);
    }

    /**
     * Prepares a command for submission, without a time-out.
     *
     * @param command a command that is not pending
     * @param plugin the id of the plugin that executes it
     * @param length the number of payload bytes to send
     */
    public static void prepare(long command, long plugin, long length) {
        MEMORY.set(JAVA_LONG, command + PLUGIN, plugin);
        MEMORY.set(JAVA_LONG, command + LENGTH, length);
        MEMORY.set(JAVA_LONG, command + NEXT, 0);
        MEMORY.set(JAVA_LONG, command + TIMEOUT, 0);
    }

    /**
     * Sets the time in which the worker may start a command.
     *
     * @param command a command that is not pending
     * @param timeout nanoseconds after the submission; 0 for no limit
     */
    public static void setTimeout(long command, long timeout) {
        MEMORY.set(JAVA_LONG, command + TIMEOUT, timeout);
    }

    /**
     * Returns the length of a packed command.
     *
     * @param command the command
     * @return the length in bytes
     */
    public static long length(long command) {
        return MEMORY.get(JAVA_LONG, command + LENGTH);
    }

    /**
     * Sets a number by which the engine thread identifies a command.
     *
     * @param command the command
     * @param user any number
     */
    public static void setUser(long command, long user) {
        MEMORY.set(JAVA_LONG, command + USER, user);
    }

    /**
     * Returns the number that was set with {@link #setUser}.
     *
     * @param command the command
     * @return the number
     */
    public static long user(long command) {
        return MEMORY.get(JAVA_LONG, command + USER);
    }

    /**
     * Adds a command to a batch.
     *
     * @param command the last one of the batch
     * @param next the command to follow it
     */
    public static void link(long command, long next) {
        MEMORY.set(JAVA_LONG, command + NEXT, next);
    }

    /**
     * Returns the command that follows another.
     *
     * @param command a command of a batch, or a received command
     * @return the next command; 0 for the last one
     */
    public static long next(long command) {
        return MEMORY.get(JAVA_LONG, command + NEXT);
    }

    /**
     * Returns the state of a command.
     *
     * @param command the command
     * @return its generation in the high half, and a {@code JUROM_COMMAND_*} phase in the low half
     */
    public static long state(long command) {
        return (long) STATES.getVolatile(MEMORY, command + STATE);
    }

    /**
     * Changes the state of a command unless another thread has changed it.
     *
     * @param command the command
     * @param expected the state that it has
     * @param next the new state
     * @return whether it had the expected state
     */
    public static boolean compareAndSetState(long command, long expected, long next) {
        return STATES.compareAndSet(MEMORY, command + STATE, expected, next);
    }

    /**
     * Allocates memory into which commands can be packed. Pages that are not touched cost nothing.
     *
     * @param size the size in bytes
     * @param arena frees the memory when it is closed
     * @return zeros
     */
    public static MemorySegment scratch(long size, Arena arena) {
        var memory = posix_h.calloc(1, size);
        if (memory.equals(MemorySegment.NULL)) {
            throw new OutOfMemoryError(size + " bytes to pack a command");
        }
        return memory.reinterpret(size, arena, posix_h::free);
    }

    /**
     * Returns the status of a command.
     *
     * @param command a command that is done
     * @return a {@code doca_error_t}
     */
    public static int status(long command) {
        return MEMORY.get(JAVA_INT, command + STATUS);
    }

    /**
     * Returns whether the library rejected a command.
     *
     * @param command a command that is done
     * @return true if the status is that of its submission
     */
    public static boolean isRefused(long command) {
        return MEMORY.get(JAVA_INT, command + REFUSED) != 0;
    }

    /**
     * Returns the address of a response.
     *
     * @param command a command that is done
     * @return the address
     */
    public static long response(long command) {
        return MEMORY.get(JAVA_LONG, command + RESPONSE);
    }

    /**
     * Returns the length of a response.
     *
     * @param command a command that is done
     * @return the length in bytes
     */
    public static long responseLength(long command) {
        return MEMORY.get(JAVA_LONG, command + RESPONSE_LENGTH);
    }

    /** Returns what a native call has thrown, or throws it: an unchecked exception as it is. */
    static Error thrown(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        return thrown instanceof Error error
                ? error
                : new AssertionError("native calls throw no checked exceptions", thrown);
    }
}
