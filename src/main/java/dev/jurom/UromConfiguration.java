// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/** What an {@link Urom} is like. Made with a {@link #builder()}; never changes. */
public final class UromConfiguration {

    /** How long a command may take unless another time is asked for. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The first device, {@link IdleStrategy#SPIN_THEN_WAIT}, 4096 bytes a message, 64 workers, 30 s
     * a command.
     */
    public static final UromConfiguration DEFAULT = builder().build();

    private static final int DEFAULT_MAX_WORKERS = 64;

    private final Optional<String> device;
    private final IdleStrategy idleStrategy;
    private final int maxMessageSize;
    private final int maxWorkers;
    private final Optional<Duration> callTimeout;
    private final Optional<Executor> completionExecutor;

    private UromConfiguration(Builder builder) {
        device = builder.device;
        idleStrategy = builder.idleStrategy;
        maxMessageSize = builder.maxMessageSize;
        maxWorkers = builder.maxWorkers;
        callTimeout = builder.callTimeout;
        completionExecutor = builder.completionExecutor;
    }

    /**
     * Begins a configuration.
     *
     * @return a builder that has everything as in {@link #DEFAULT}
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The device whose service is used.
     *
     * @return a PCI address or a name; empty for the first device
     */
    public Optional<String> device() {
        return device;
    }

    /**
     * Returns how threads wait for answers.
     *
     * @return the idle strategy
     */
    public IdleStrategy idleStrategy() {
        return idleStrategy;
    }

    /**
     * How long the largest message is.
     *
     * @return bytes, headers included
     */
    public int maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * How many workers there can be.
     *
     * @return a power of two
     */
    public int maxWorkers() {
        return maxWorkers;
    }

    /**
     * How long a command may take that has no time of its own.
     *
     * @return more than nothing; empty for as long as it takes
     */
    public Optional<Duration> callTimeout() {
        return callTimeout;
    }

    /**
     * Returns the executor that completes futures.
     *
     * @return the executor; empty for threads of the {@link Urom}'s own
     */
    public Optional<Executor> completionExecutor() {
        return completionExecutor;
    }

    /** Makes configurations. Of one thread. */
    public static final class Builder {

        private Optional<String> device = Optional.empty();
        private IdleStrategy idleStrategy = IdleStrategy.SPIN_THEN_WAIT;
        private int maxMessageSize = UromService.DEFAULT_MAX_MESSAGE_SIZE;
        private int maxWorkers = DEFAULT_MAX_WORKERS;
        private Optional<Duration> callTimeout = Optional.of(DEFAULT_CALL_TIMEOUT);
        private Optional<Executor> completionExecutor = Optional.empty();

        private Builder() {
        }

        /**
         * Chooses the device whose service is used.
         *
         * @param name a PCI address or a name
         * @return this
         */
        public Builder device(String name) {
            device = Optional.of(name);
            return this;
        }

        /**
         * Sets how threads wait for answers.
         *
         * @param strategy the idle strategy
         * @return this
         */
        public Builder idleStrategy(IdleStrategy strategy) {
            idleStrategy = Objects.requireNonNull(strategy);
            return this;
        }

        /**
         * Sets how long the largest message is; an embedded service gets it too.
         *
         * @param bytes headers included; the same as the service's
         * @return this
         */
        public Builder maxMessageSize(int bytes) {
            maxMessageSize = bytes;
            return this;
        }

        /**
         * Sets how many workers there can be.
         *
         * @param workers a power of two
         * @return this
         */
        public Builder maxWorkers(int workers) {
            maxWorkers = workers;
            return this;
        }

        /**
         * Sets how long a command may take that has no timeout of its own. A call throws, and a
         * future fails, with {@code TIME_OUT}, at most a 64th of the time or 20 ms late.
         *
         * @param timeout more than nothing
         * @return this
         * @throws IllegalArgumentException if it is zero or less
         */
        public Builder callTimeout(Duration timeout) {
            if (!timeout.isPositive()) {
                throw new IllegalArgumentException("A call timeout of " + timeout
                        + " ends every command at once: it must be more than nothing, or else use"
                        + " noCallTimeout()");
            }
            callTimeout = Optional.of(timeout);
            return this;
        }

        /**
         * Lets commands take as long as they take: their futures may never complete.
         *
         * @return this
         */
        public Builder noCallTimeout() {
            callTimeout = Optional.empty();
            return this;
        }

        /**
         * Sets the executor on which futures complete, with the actions that depend on them. By
         * default it is a {@link java.util.concurrent.ForkJoinPool} of daemon threads of the
         * {@link Urom}'s own, which {@link Urom#close} ends. It adds a thread when an action waits
         * for a future, not when it blocks otherwise: choose another executor for such actions.
         *
         * <p>With {@code Runnable::run}, futures complete on the engine thread: no other future
         * completes, and no command that no caller waits for, until the actions return. Blocking
         * methods of this package throw {@link IllegalStateException} there. Completions that the
         * executor rejects run on the default threads.
         *
         * @param executor the executor, which the caller shuts down after the {@link Urom} is
         *        closed
         * @return this
         */
        public Builder completionExecutor(Executor executor) {
            completionExecutor = Optional.of(executor);
            return this;
        }

        /**
         * Ends the configuration.
         *
         * @return what was asked for
         */
        public UromConfiguration build() {
            return new UromConfiguration(this);
        }
    }
}
