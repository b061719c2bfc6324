// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the process as native code sees it. {@link System#getenv} does not see the
 * changes.
 *
 * <p>{@code setenv} must not run concurrently with a {@code getenv} of another thread: call
 * {@link #set} only before the native libraries are used, or while there is no other thread.
 */
public final class Environment {

    private static final VarHandle VARIABLES = ADDRESS.varHandle();
    private static final MemorySegment ENVIRON =
            Linker.nativeLinker().defaultLookup().find("environ").orElseThrow().reinterpret(ADDRESS.byteSize());

    // Reused, because they are never freed and each peer opens a context.
    private static final Map<String, MemorySegment> STRINGS = new HashMap<>();
    private static final Map<List<MemorySegment>, MemorySegment> ARRAYS = new HashMap<>();

    private Environment() {}

    /**
     * Loads libraries that depend on UCX, whose constructors read its settings. The signal handlers
     * of UCX are disabled, because the JVM handles SIGSEGV, SIGHUP and others. UCX logs to standard
     * error unless the environment specifies otherwise, because standard output belongs to the
     * application.
     *
     * <p>Only the constructors see these settings, in an array of variables that replaces that of
     * the process meanwhile. Other threads may read either array: neither is changed or freed.
     *
     * @param load loads the libraries
     */
    public static void loadUcx(Runnable load) {
        runWith(List.of("UCX_ERROR_SIGNALS=", "UCX_DEBUG_SIGNO=0"), List.of("UCX_LOG_FILE=stderr"), load);
    }

    /**
     * Loads libraries as {@link #loadUcx} does, and prevents UCX from patching {@code mmap},
     * {@code munmap} and similar functions of the C library while threads of the JVM may be
     * executing them. UCX needs these patches for its cache of registered memory, which is then
     * disabled unless the environment specifies otherwise. Not for the libraries of the vendor,
     * which need the cache.
     *
     * @param load loads the libraries
     */
    public static void loadUcxWithoutMemoryEvents(Runnable load) {
        runWith(
                List.of("UCX_ERROR_SIGNALS=", "UCX_DEBUG_SIGNO=0"),
                List.of("UCX_LOG_FILE=stderr", "UCX_MEM_EVENTS=n"),
                load);
    }

    /**
     * Opens a UCX context whose posix transport names shared memory by files, unless the
     * environment specifies otherwise. By default that transport uses the number of a file
     * descriptor, and a peer writes into any file that has this number after UCX is closed. Some
     * releases of UCX do not support the setting in {@code ucp_config_modify}.
     *
     * @param open opens the context
     */
    public static void openUcx(Runnable open) {
        runWith(List.of(), List.of("UCX_POSIX_USE_PROC_LINK=n"), open);
    }

    private static synchronized void runWith(List<String> settings, List<String> defaults, Runnable action) {
        var all = new ArrayList<MemorySegment>();
        settings.forEach(setting -> all.add(string(setting)));
        for (var setting : defaults) {
            if (get(setting.substring(0, setting.indexOf('='))) == null) {
                all.add(string(setting));
            }
        }
        var before = ENVIRON.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE);
        for (var i = 0L; before.getAtIndex(ADDRESS, i).address() != 0; i++) {
            all.add(before.getAtIndex(ADDRESS, i)); // the first of two equal names takes effect
        }
        var array = ARRAYS.computeIfAbsent(all, Environment::array);
        VARIABLES.setRelease(ENVIRON, 0L, array);
        try {
            action.run();
        } finally {
            if (ENVIRON.get(ADDRESS, 0).address() == array.address()) { // otherwise another thread has replaced it
                VARIABLES.setRelease(ENVIRON, 0L, before);
            }
        }
    }

    private static MemorySegment string(String setting) {
        return STRINGS.computeIfAbsent(setting, Arena.global()::allocateFrom);
    }

    private static MemorySegment array(List<MemorySegment> variables) {
        var array = Arena.global().allocate(ADDRESS, variables.size() + 1); // with a terminating null pointer
        for (var i = 0; i < variables.size(); i++) {
            array.setAtIndex(ADDRESS, i, variables.get(i));
        }
        return array;
    }

    /**
     * Sets the decimal point for numbers in the configuration of UCX. To be called before native
     * libraries are loaded.
     */
    public static void useDecimalPoint() {
        try (var arena = Arena.ofConfined()) {
            var chosen = posix_h.setlocale(posix_h.LC_NUMERIC(), arena.allocateFrom("C"));
            if (chosen.equals(MemorySegment.NULL)) {
                throw new IllegalStateException("The C library has no locale \"C\"");
            }
        }
    }

    /**
     * Sets an environment variable of this process. Stands for {@code setenv}.
     *
     * @param name a name without "="
     * @param value any string without NUL
     */
    public static void set(String name, String value) {
        try (var arena = Arena.ofConfined()) {
            if (posix_h.setenv(arena.allocateFrom(name), arena.allocateFrom(value), 1) != 0) {
                throw new IllegalArgumentException("The environment variable \"" + name + "\" could not be set");
            }
        }
    }

    /**
     * Returns an environment variable of this process. Stands for {@code getenv}.
     *
     * @param name a name without "="
     * @return the value, or null if it is not set
     */
    public static @Nullable String get(String name) {
        try (var arena = Arena.ofConfined()) {
            var value = posix_h.getenv(arena.allocateFrom(name));
            return value.equals(MemorySegment.NULL) ? null : value.getString(0);
        }
    }

    /**
     * Sets an environment variable to a result of {@link #get}.
     *
     * @param name a name without "="
     * @param value the value, or null to remove the variable
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
     * @param name a name without "="
     */
    public static void remove(String name) {
        try (var arena = Arena.ofConfined()) {
            if (posix_h.unsetenv(arena.allocateFrom(name)) != 0) {
                throw new IllegalArgumentException("The environment variable \"" + name + "\" could not be removed");
            }
        }
    }
}
