// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LogLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A named source of log messages, for programs that log through DOCA as C code of their process
 * does: to the {@linkplain LogBackend backends} of the application, and to {@link System.Logger} at
 * the level of {@link DocaLog#setLevel}. {@link #close()} stands for
 * {@code doca_log_unregister_source}. This class is thread-safe.
 */
public final class LogSource extends Handle {

    /** An invoker of the variadic function with one string argument. */
    private static final doca_h.doca_log LOG = invoker();

    private static final StackWalker CALLERS = StackWalker.getInstance();

    private final String name;
    private final int number;

    private LogSource(String name, int number) {
        this.name = name;
        this.number = number;
    }

    private static doca_h.doca_log invoker() {
        DocaRuntime.current(); // loads the library, in which the function is looked up
        return doca_h.doca_log.makeInvoker(doca_h.C_POINTER);
    }

    /**
     * Registers a source. Stands for {@code doca_log_register_source}.
     *
     * @param name the name that its messages show; several sources may have the same name
     * @return the source
     * @throws DocaException if the library cannot register it
     */
    public static LogSource create(String name) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(
                    doca_h.doca_log_register_source(arena.allocateFrom(name), result),
                    "doca_log_register_source",
                    "log source " + name);
            return new LogSource(name, result.get(ValueLayout.JAVA_INT, 0));
        }
    }

    /**
     * Logs a message with the file, line and method of the caller. Blocks as long as the backends
     * do. Stands for {@code doca_log}.
     *
     * @param level the severity; not {@link LogLevel#DISABLE}
     * @param message the text
     * @throws IllegalArgumentException if {@code level} is {@link LogLevel#DISABLE}
     * @throws IllegalStateException if this source is closed
     * @throws DocaException with {@code IO_FAILED} if a backend could not write
     */
    public void log(LogLevel level, String message) {
        if (level == LogLevel.DISABLE) {
            throw new IllegalArgumentException(
                    "DISABLE is not the level of a message: use a level from TRACE to CRITICAL");
        }
        var caller = CALLERS.walk(frames -> frames.skip(1).findFirst().orElseThrow());
        try (var arena = Arena.ofConfined()) {
            var file = arena.allocateFrom(Objects.requireNonNullElse(caller.getFileName(), ""));
            var method = arena.allocateFrom(caller.getMethodName());
            var format = arena.allocateFrom("%s");
            var text = arena.allocateFrom(message);
            synchronized (this) { // close releases the number, which another source may then get
                requireOpen();
                check(
                        LOG.apply(level.code(), number, file, caller.getLineNumber(), method, format, text),
                        "doca_log",
                        this);
            }
        }
    }

    @Override
    void destroy() {
        check(doca_h.doca_log_unregister_source(number), "doca_log_unregister_source", this);
    }

    @Override
    public String toString() {
        return "log source " + name;
    }
}
