// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.LogLevel;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Redirects the log of the native libraries to {@link System.Logger}, to loggers below
 * {@value #NAME}.
 *
 * <p>Until a level is set, there is neither a pipe nor a thread, and a message costs the library
 * one comparison.
 *
 * <p>Messages are transferred through a pipe that a daemon thread reads. A callback is not
 * possible: the library may log during a critical call, from which Java must not be called, on its
 * own threads, and after the JVM has exited. For the same reason the pipe never blocks in C:
 * messages are lost if they are not read in time. Until the JVM exits, the thread blocks in the pipe.
 */
public final class NativeLog {

    /** The prefix of the names of the loggers. */
    public static final String NAME = "dev.jurom.native";

    private static final String PROPERTY = "jurom.log.level";
    private static final long POLL = 1_000_000; // nanoseconds
    private static final System.Logger LOGGER = System.getLogger(NAME);

    private static LogLevel level = LogLevel.DISABLE; // guarded by the class
    private static volatile boolean exiting;
    private static @Nullable Backends backends; // guarded by the class; null until a level is set

    /**
     * The backends in C that write to the pipe: for messages of DOCA, and for messages of the
     * application.
     */
    private record Backends(MemorySegment library, MemorySegment application) {}

    private NativeLog() {}

    /**
     * Returns the level that the system property {@code jurom.log.level} specifies.
     *
     * @return the level; {@link LogLevel#DISABLE} if the property is not set
     * @throws IllegalArgumentException if the property is not the name of a level
     */
    public static LogLevel wanted() {
        var name = System.getProperty(PROPERTY, LogLevel.DISABLE.name());
        try {
            return LogLevel.of(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The system property " + PROPERTY + " is \"" + name + "\". " + e.getMessage(), e);
        }
    }

    /**
     * Returns the least severe level of the messages that go to {@link System.Logger}.
     *
     * @return the level that was set last
     */
    public static synchronized LogLevel level() {
        return level;
    }

    /**
     * Sets the least severe level of the messages that go to {@link System.Logger}. The libraries
     * must be loaded.
     *
     * @param newLevel the level; {@link LogLevel#DISABLE} for no messages
     * @return 0, or the status of the C function that failed, in which case the level is unchanged
     */
    public static synchronized int setLevel(LogLevel newLevel) {
        var status = 0;
        if (backends == null && newLevel != LogLevel.DISABLE) {
            status = open();
        }
        if (status == 0 && backends != null) {
            status = doca_h.doca_log_backend_set_sdk_level(backends.library, newLevel.code());
        }
        if (status == 0 && backends != null) {
            status = doca_h.doca_log_backend_set_level_lower_limit(backends.application, newLevel.code());
        }
        if (status == 0) {
            level = newLevel;
        }
        return status;
    }

    private static int open() {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(JAVA_INT, 2);
            if (posix_h.pipe2(ends, posix_h.O_NONBLOCK() | posix_h.O_CLOEXEC()) != 0) {
                return doca_h.DOCA_ERROR_OPERATING_SYSTEM();
            }
            var writeEnd = ends.getAtIndex(JAVA_INT, 1);
            read(ends.getAtIndex(JAVA_INT, 0));
            stopBlockingAtExit(writeEnd);
            return write(writeEnd, arena);
        }
    }

    private static void read(int descriptor) {
        try {
            // Opened again, because this end must block.
            var stream = new FileInputStream("/proc/self/fd/" + descriptor);
            Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .daemon()
                    .name("jurom-native-log")
                    .start(() -> copy(stream));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "The log of the native libraries cannot be read", e);
        } finally {
            posix_h.close(descriptor);
        }
    }

    /**
     * Creates the backends, which ignore global limits: only {@link #setLevel} sets their level.
     */
    private static int write(int descriptor, Arena arena) {
        var library = arena.allocate(ADDRESS);
        var application = arena.allocate(ADDRESS);
        var status = doca_h.doca_log_backend_create_with_fd_sdk(descriptor, library);
        if (status == 0) {
            status = doca_h.doca_log_backend_create_with_fd(descriptor, application);
        }
        if (status == 0) {
            status = doca_h.doca_log_backend_set_level_lower_limit_strict(application.get(ADDRESS, 0));
        }
        if (status == 0) {
            backends = new Backends(library.get(ADDRESS, 0), application.get(ADDRESS, 0));
        }
        return status;
    }

    private static void stopBlockingAtExit(int writeEnd) {
        try {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .inheritInheritableThreadLocals(false)
                            .unstarted(() -> stopBlocking(writeEnd)));
        } catch (IllegalStateException e) { // the JVM exits
            stopBlocking(writeEnd);
        }
    }

    /**
     * Wakes the reading thread, which then polls: at its exit, the JVM waits for 300 ms if a thread is blocked in native
     * code. If the pipe is full, it is not blocked.
     */
    private static void stopBlocking(int writeEnd) {
        exiting = true;
        try (var arena = Arena.ofConfined()) {
            posix_h.write(writeEnd, arena.allocateFrom("\n"), 1);
        }
    }

    private static void copy(FileInputStream stream) {
        var lines = new NativeLogLines(System::getLogger);
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isEmpty()) {
                    lines.log(line);
                }
                while (exiting && !reader.ready()) {
                    LockSupport.parkNanos(POLL);
                }
            }
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "Reading the log of the native libraries failed", e);
        }
    }
}
