// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.NativeLog;

/**
 * How much DOCA logs, and the way of its log into Java's. Any thread may use it.
 *
 * <p>Nothing is logged until a level is set, here or by the system property
 * {@code jurom.log.level}. From then on what DOCA logs, and what C code of this process logs
 * through {@code doca_log}, goes to the {@link System.Logger} of its source: a message of
 * {@code UROM::WORKER} to {@code dev.jurom.native.UROM.WORKER}, at the
 * {@linkplain LogLevel#loggerLevel() level that means the same}. A logger's own level may let less
 * through. A thread of its own brings the lines over: they come a moment later than what they tell
 * of, and those of the last moment before the JVM ends may be lost. So are lines while 64 KiB of
 * them wait.
 *
 * {@snippet class="dev.jurom.core.DocaLogTest" region="level"}
 *
 * <p>{@link LogBackend} writes elsewhere, without Java; the global levels are those of such
 * backends.
 */
public final class DocaLog {

    private DocaLog() {}

    /**
     * How much goes to Java's logging.
     *
     * @return {@link LogLevel#DISABLE} unless more was set
     */
    public static LogLevel level() {
        DocaRuntime.current();
        return NativeLog.level();
    }

    /**
     * Sets how much goes to Java's logging. Stands for {@code doca_log_backend_create_with_fd},
     * {@code doca_log_backend_create_with_fd_sdk} and
     * {@code doca_log_backend_set_level_lower_limit_strict}, and in place of
     * {@code doca_log_backend_create_with_buf} and {@code doca_log_backend_create_with_buf_sdk},
     * whose callback would enter Java where Java must not be entered.
     *
     * @param level the least severe; {@link LogLevel#DISABLE} for nothing
     * @throws DocaException with {@code OPERATING_SYSTEM} if no pipe can be made
     */
    public static void setLevel(LogLevel level) {
        DocaRuntime.current();
        check(NativeLog.setLevel(level), "doca_log_backend_set_sdk_level", "log level " + level);
    }

    /**
     * How much backends write unless they are told otherwise. Stands for
     * {@code doca_log_level_get_global_sdk_limit} and
     * {@code doca_log_level_get_global_lower_limit}.
     *
     * @param origin whose messages
     * @return the least severe level: in the beginning {@link LogLevel#WARNING} for the library's,
     *         {@link LogLevel#INFO} for the application's
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
     * Sets how much all backends write, those to come and those that there are, but for those that
     * {@link LogBackend#keepLevels} holds; what goes to Java's logging stays. Stands for
     * {@code doca_log_level_set_global_sdk_limit} and
     * {@code doca_log_level_set_global_lower_limit}.
     *
     * @param origin whose messages
     * @param level the least severe
     */
    public static void setGlobalLevel(LogOrigin origin, LogLevel level) {
        DocaRuntime.current();
        switch (origin) {
            case LIBRARY -> {
                check(
                        doca_h.doca_log_level_set_global_sdk_limit(level.code()),
                        "doca_log_level_set_global_sdk_limit",
                        "log level " + level);
                setLevel(NativeLog.level()); // a library's backend cannot be held
            }
            case APPLICATION ->
                check(
                        doca_h.doca_log_level_set_global_lower_limit(level.code()),
                        "doca_log_level_set_global_lower_limit",
                        "log level " + level);
        }
    }

    /**
     * The most severe level that the application's backends write unless they are told otherwise.
     * Stands for {@code doca_log_level_get_global_upper_limit}.
     *
     * @return {@link LogLevel#CRITICAL} in the beginning
     */
    public static LogLevel globalMostSevere() {
        DocaRuntime.current();
        return LogLevel.of(doca_h.doca_log_level_get_global_upper_limit());
    }

    /**
     * Sets the most severe level that all of the application's backends write, but for those that
     * {@link LogBackend#keepLevels} holds. Stands for
     * {@code doca_log_level_set_global_upper_limit}.
     *
     * @param level what is more severe is not written
     */
    public static void setGlobalMostSevere(LogLevel level) {
        DocaRuntime.current();
        check(
                doca_h.doca_log_level_set_global_upper_limit(level.code()),
                "doca_log_level_set_global_upper_limit",
                "log level " + level);
    }
}
