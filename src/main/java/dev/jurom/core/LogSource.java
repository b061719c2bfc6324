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
 * A name under which a program logs through DOCA, beside the C code of its process: to the
 * application's {@linkplain LogBackend backends}, and to Java's logging as {@link DocaLog#setLevel}
 * lets it. Any thread may use it; {@link #close()} stands for {@code doca_log_unregister_source}.
 */
public final class LogSource extends Handle {

    /** For functions with a variable number of arguments: here one string. */
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
     * Registers a name. Stands for {@code doca_log_register_source}.
     *
     * @param name what its lines bear; others may have the same
     * @return the source
     * @throws DocaException if the library cannot take it
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
     * Logs a line that bears the caller's place in the code. Blocks as long as the backends do.
     * Stands for {@code doca_log}.
     *
     * @param level how severe it is; not {@link LogLevel#DISABLE}
     * @param message the text
     * @throws IllegalArgumentException for {@link LogLevel#DISABLE}
     * @throws IllegalStateException if this is closed
     * @throws DocaException with {@code IO_FAILED} if a backend could not write
     */
    public void log(LogLevel level, String message) {
        if (level == LogLevel.DISABLE) {
            throw new IllegalArgumentException("A message needs a level; DISABLE is for none");
        }
        var caller = CALLERS.walk(frames -> frames.skip(1).findFirst().orElseThrow());
        try (var arena = Arena.ofConfined()) {
            var file = arena.allocateFrom(Objects.requireNonNullElse(caller.getFileName(), ""));
            var method = arena.allocateFrom(caller.getMethodName());
            var format = arena.allocateFrom("%s");
            var text = arena.allocateFrom(message);
            synchronized (this) { // close takes the number away, and another source may get it
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
