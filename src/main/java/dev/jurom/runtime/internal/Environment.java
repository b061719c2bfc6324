// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The process environment as native code sees it. {@link System#getenv} does not see the changes.
 *
 * <p>{@code setenv} must not run beside a {@code getenv} of another thread: only call this before
 * the native libraries are used, or before the object that reads the variable is made.
 */
public final class Environment {

    private Environment() {
    }

    /**
     * Makes the environment fit for loading UCX into a JVM: its signal handlers stay off, since the
     * JVM owns SIGSEGV, SIGHUP and the like; what it logs goes to standard error unless it is told
     * otherwise, since standard output is the application's; and numbers in its configuration have
     * a decimal point.
     *
     * <p>UCX itself may come much later or never: its plugins' clients alone load it. But by then
     * the native libraries are in use, and {@code setenv} would run beside their {@code getenv}. So
     * this is called before any of them is loaded.
     */
    public static void prepare() {
        set("UCX_ERROR_SIGNALS", "");
        set("UCX_DEBUG_SIGNO", "0");
        setUnlessSet("UCX_LOG_FILE", "stderr");
        useDecimalPoint();
    }

    /**
     * Keeps UCX from writing jumps into the C library's {@code mmap}, {@code munmap} and their
     * like, which it does while it is loaded: by then, threads of the JVM may be inside them. They
     * serve a cache of the memory that network cards know, which stays off then. Not for the
     * vendor's libraries, which bring UCX along at the start, and need the cache.
     */
    public static void keepMemoryFunctions() {
        setUnlessSet("UCX_MEM_EVENTS", "n");
    }

    private static void setUnlessSet(String name, String value) {
        if (get(name) == null) {
            set(name, value);
        }
    }

    /**
     * Sets an environment variable of this process. Stands for {@code setenv}.
     *
     * @param name without '='
     * @param value any string without NUL
     */
    public static void set(String name, String value) {
        try (var arena = Arena.ofConfined()) {
            if (posix_h.setenv(arena.allocateFrom(name), arena.allocateFrom(value), 1) != 0) {
                throw new IllegalArgumentException(
                        "The environment variable \"" + name + "\" could not be set");
            }
        }
    }

    /**
     * Reads an environment variable of this process. Stands for {@code getenv}.
     *
     * @param name without '='
     * @return its value, or null if it is not set
     */
    public static @Nullable String get(String name) {
        try (var arena = Arena.ofConfined()) {
            var value = posix_h.getenv(arena.allocateFrom(name));
            return value.equals(MemorySegment.NULL) ? null : value.getString(0);
        }
    }

    /**
     * Sets an environment variable to a value that {@link #get} gave.
     *
     * @param name without '='
     * @param value its value, or null to remove it
     */
    public static void restore(String name, @Nullable String value) {
        if (value == null) {
            remove(name);
        } else {
            set(name, value);
        }
    }

    /**
     * Removes an environment variable of this process. Stands for {@code unsetenv}.
     *
     * @param name without '='
     */
    public static void remove(String name) {
        try (var arena = Arena.ofConfined()) {
            if (posix_h.unsetenv(arena.allocateFrom(name)) != 0) {
                throw new IllegalArgumentException(
                        "The environment variable \"" + name + "\" could not be removed");
            }
        }
    }

    private static void useDecimalPoint() {
        try (var arena = Arena.ofConfined()) {
            var chosen = posix_h.setlocale(posix_h.LC_NUMERIC(), arena.allocateFrom("C"));
            if (chosen.equals(MemorySegment.NULL)) {
                throw new IllegalStateException("The C library has no locale \"C\"");
            }
        }
    }
}
