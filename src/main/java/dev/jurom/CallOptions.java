// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of a command, or of commands that are called together. Immutable: the methods that set an option return a
 * copy.
 */
public final class CallOptions {

    /** No timeout of its own, and not idempotent. */
    public static final CallOptions DEFAULT = new CallOptions(null, false);

    private final @Nullable Duration timeout;
    private final boolean idempotent;

    private CallOptions(@Nullable Duration timeout, boolean idempotent) {
        this.timeout = timeout;
        this.idempotent = idempotent;
    }

    /**
     * Sets the time that the command has, from the call of the method that it is passed to until its answer. It includes
     * the wait for a slot, and covers all commands that are called together. The worker receives the deadline, does not
     * start the command after it, and can stop the command when it passes.
     *
     * @param timeout the maximum time; by default, the {@linkplain UromConfiguration.Builder#callTimeout call timeout}
     *        of the {@link Urom} applies
     * @return options with this timeout
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public CallOptions withTimeout(Duration timeout) {
        return new CallOptions(Timeout.requirePositive("The timeout of a command", timeout), idempotent);
    }

    /**
     * Sets whether a worker may execute the command twice, because the second execution changes nothing and has the
     * same answer. A pool of workers submits such a command once more, to another worker, if the first one exits
     * before it answers. No effect on the commands of a single {@link Worker}.
     *
     * @param idempotent true to permit the second execution (default: false)
     * @return options with this property
     */
    public CallOptions withIdempotent(boolean idempotent) {
        return new CallOptions(timeout, idempotent);
    }

    /**
     * Returns the time that the command has.
     *
     * @return the maximum time; empty for the call timeout of the {@link Urom}
     */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    /**
     * Returns whether a worker may execute the command twice.
     *
     * @return true if a pool may submit it to a second worker
     */
    public boolean isIdempotent() {
        return idempotent;
    }

    /** Returns the deadline of a command that begins now; null if it has no timeout of its own. */
    @Nullable
    Deadline deadline() {
        return timeout == null ? null : Deadline.in(timeout);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof CallOptions options
                && Objects.equals(timeout, options.timeout)
                && idempotent == options.idempotent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(timeout, idempotent);
    }

    @Override
    public String toString() {
        return "timeout " + (timeout == null ? "default" : Timeout.text(timeout)) + ", idempotent " + idempotent;
    }
}
