// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.NativeLog;

/**
 * The level of the DOCA log and its redirection to {@link System.Logger}. This class is
 * thread-safe.
 *
 * <p>By default nothing is logged. Once a level is set, here or by the system property
 * {@code jurom.log.level}, messages of DOCA, and messages that C code of this process logs through
 * {@code doca_log}, go to the {@link System.Logger} of their source: a message of
 * {@code UROM::WORKER} goes to {@code dev.jurom.native.UROM.WORKER}, at the
 * {@linkplain LogLevel#loggerLevel() corresponding level}. The level of the logger may suppress
 * further messages.
 *
 * <p>A daemon thread transfers the messages. They arrive with a short delay, and those of the last
 * moment before the JVM exits may be lost. Messages are also lost while 64 KiB of them are waiting.
 *
 * {@snippet class="dev.jurom.core.DocaLogTest" region="level"}
 *
 * <p>A {@link LogBackend} writes to other destinations, without Java; the global levels apply to
 * such backends.
 */
public final class DocaLog {

    private DocaLog() {}

    /**
     * Returns the level of the messages that go to {@link System.Logger}.
     *
     * @return the least severe level; {@link LogLevel#DISABLE} by default
     */
    public static LogLevel level() {
        DocaRuntime.current();
        return NativeLog.level();
    }

    /**
     * Sets the level of the messages that go to {@link System.Logger}. Stands for
     * {@code doca_log_backend_create_with_fd}, {@code doca_log_backend_create_with_fd_sdk} and
     * {@code doca_log_backend_set_level_lower_limit_strict}, and in place of
     * {@code doca_log_backend_create_with_buf} and {@code doca_log_backend_create_with_buf_sdk},
     * whose callback could enter Java at points where that is not allowed.
     *
     * @param level the least severe level; {@link LogLevel#DISABLE} for no messages
     * @throws DocaException with {@code OPERATING_SYSTEM} if no pipe can be created
     */
    public static void setLevel(LogLevel level) {
        DocaRuntime.current();
        check(NativeLog.setLevel(level), "doca_log_backend_set_sdk_level", "log level " + level);
    }

    /**
     * Returns the least severe level that backends write by default. Stands for
     * {@code doca_log_level_get_global_sdk_limit} and
     * {@code doca_log_level_get_global_lower_limit}.
     *
     * @param origin the origin of the messages
     * @return the level; initially {@link LogLevel#WARNING} for the library, {@link LogLevel#INFO}
     *         for the application
     */
    public static LogLevel globalLevel(LogOrigin origin) {
        DocaRuntime.current();
        return LogLevel.of(
                switch (origin) {
                    case LIBRARY -> doca_h.doca_log_level_get_global_sdk_limit();
                    case APPLICATION -> doca_h.doca_log_level_get_global_lower_limit();
                });
    }

    /**
     * Sets the least severe level that backends write, for future backends and for existing ones,
     * except those with {@link LogBackend#keepLevels}. The level of {@link #setLevel} does not
     * change. Stands for {@code doca_log_level_set_global_sdk_limit} and
     * {@code doca_log_level_set_global_lower_limit}.
     *
     * @param origin the origin of the messages
     * @param level the least severe level
     */
    public static void setGlobalLevel(LogOrigin origin, LogLevel level) {
        DocaRuntime.current();
        switch (origin) {
            case LIBRARY -> {
                check(
                        doca_h.doca_log_level_set_global_sdk_limit(level.code()),
                        "doca_log_level_set_global_sdk_limit",
                        "log level " + level);
                setLevel(NativeLog.level()); // the level of a backend of the library cannot be fixed
            }
            case APPLICATION ->
                check(
                        doca_h.doca_log_level_set_global_lower_limit(level.code()),
                        "doca_log_level_set_global_lower_limit",
                        "log level " + level);
        }
    }

    /**
     * Returns the most severe level that backends of the application write by default. Stands for
     * {@code doca_log_level_get_global_upper_limit}.
     *
     * @return the level; initially {@link LogLevel#CRITICAL}
     */
    public static LogLevel globalMostSevere() {
        DocaRuntime.current();
        return LogLevel.of(doca_h.doca_log_level_get_global_upper_limit());
    }

    /**
     * Sets the most severe level that backends of the application write, for future backends and
     * for existing ones, except those with {@link LogBackend#keepLevels}. Stands for
     * {@code doca_log_level_set_global_upper_limit}.
     *
     * @param level the most severe level; more severe messages are not written
     */
    public static void setGlobalMostSevere(LogLevel level) {
        DocaRuntime.current();
        check(
                doca_h.doca_log_level_set_global_upper_limit(level.code()),
                "doca_log_level_set_global_upper_limit",
                "log level " + level);
    }
}
