// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What an {@link Urom} is like. Made with a {@link #builder()}; never changes. */
public final class UromConfiguration {

    /** How long a command may take unless another time is asked for. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The first device, {@link IdleStrategy#SPIN_THEN_WAIT}, 64 workers, 30 s a command, and
     * messages as long as those of the embedded service or else 4096 bytes.
     */
    public static final UromConfiguration DEFAULT = builder().build();

    private static final int DEFAULT_MAX_WORKERS = 64;

    private final Optional<String> device;
    private final IdleStrategy idleStrategy;
    private final OptionalInt maxMessageSize;
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
     * Returns the size of the largest message.
     *
     * @return bytes, headers included; empty for that of a service in this process, or else
     *         {@value UromService#DEFAULT_MAX_MESSAGE_SIZE}
     */
    public OptionalInt maxMessageSize() {
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

    private List<Object> values() {
        return List.of(device, idleStrategy, maxMessageSize, maxWorkers, callTimeout, completionExecutor);
    }

    /**
     * Compares this configuration with another.
     *
     * @param other any object
     * @return whether it is a configuration with the same settings
     */
    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof UromConfiguration that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "UromConfiguration[device=" + device.orElse("the first")
                + ", idleStrategy=" + idleStrategy
                + ", maxMessageSize=" + (maxMessageSize.isPresent() ? maxMessageSize.getAsInt() : "the service's")
                + ", maxWorkers=" + maxWorkers
                + ", callTimeout=" + callTimeout.map(Timeout::text).orElse("none")
                + ", completionExecutor="
                + completionExecutor.map(Object::toString).orElse("its own") + "]";
    }

    /** Makes configurations. Of one thread. */
    public static final class Builder {

        private Optional<String> device = Optional.empty();
        private IdleStrategy idleStrategy = IdleStrategy.SPIN_THEN_WAIT;
        private OptionalInt maxMessageSize = OptionalInt.empty();
        private int maxWorkers = DEFAULT_MAX_WORKERS;
        private Optional<Duration> callTimeout = Optional.of(DEFAULT_CALL_TIMEOUT);
        private Optional<Executor> completionExecutor = Optional.empty();

        private Builder() {}

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
         * Sets the size of the largest message, which must be that of the service. It need not be
         * set for a service in this process: {@link Urom#open(UromConfiguration)} opens a service
         * with this size, or takes over the size of a service that is open.
         *
         * @param bytes headers included, {@value UromService#MIN_MESSAGE_SIZE} to
         *        {@value UromService#MAX_MESSAGE_SIZE}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxMessageSize(int bytes) {
            Count.requireWithin(
                    "The bytes of the largest message",
                    bytes,
                    UromService.MIN_MESSAGE_SIZE,
                    UromService.MAX_MESSAGE_SIZE);
            maxMessageSize = OptionalInt.of(bytes);
            return this;
        }

        /**
         * Sets how many workers there can be.
         *
         * @param workers a power of two, up to {@value UromService#MAX_WORKERS}
         * @return this
         * @throws IllegalArgumentException if it is not that
         */
        public Builder maxWorkers(int workers) {
            Count.requirePowerOfTwo("The number of workers", workers, UromService.MAX_WORKERS);
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
