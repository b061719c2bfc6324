// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The configuration of a {@link Urom}, created with a {@link #builder()}. Instances are immutable. */
public final class UromConfiguration {

    /** The default maximum duration of a command: 30 seconds. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The default configuration: the service of the environment, the first device, {@link IdleStrategy#SPIN_THEN_WAIT}, 64 workers, a call
     * timeout of 30 seconds, and the message size of the embedded service or else 4096 bytes.
     */
    public static final UromConfiguration DEFAULT = builder().build();

    private static final int DEFAULT_MAX_WORKERS = 64;

    private final ServiceLocation service;
    private final Optional<String> device;
    private final IdleStrategy idleStrategy;
    private final OptionalInt maxMessageSize;
    private final int maxWorkers;
    private final Optional<Duration> callTimeout;
    private final Optional<Executor> completionExecutor;

    private UromConfiguration(Builder builder) {
        service = builder.service;
        device = builder.device;
        idleStrategy = builder.idleStrategy;
        maxMessageSize = builder.maxMessageSize;
        maxWorkers = builder.maxWorkers;
        callTimeout = builder.callTimeout;
        completionExecutor = builder.completionExecutor;
    }

    /**
     * Returns a builder.
     *
     * @return a builder with the settings of {@link #DEFAULT}
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that is initialized with this configuration.
     *
     * @return a builder with all settings of this configuration
     */
    public Builder toBuilder() {
        var builder = new Builder();
        builder.service = service;
        builder.device = device;
        builder.idleStrategy = idleStrategy;
        builder.maxMessageSize = maxMessageSize;
        builder.maxWorkers = maxWorkers;
        builder.callTimeout = callTimeout;
        builder.completionExecutor = completionExecutor;
        return builder;
    }

    /**
     * Returns the location of the service.
     *
     * @return the location, by default {@link ServiceLocation#environment()}
     */
    public ServiceLocation service() {
        return service;
    }

    /**
     * Returns the device whose service is used.
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
     * @return the size in bytes, including headers; empty for the size of the service in this process,
     *         or else {@value UromService#DEFAULT_MAX_MESSAGE_SIZE}
     */
    public OptionalInt maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * Returns the maximum number of workers.
     *
     * @return a power of two
     */
    public int maxWorkers() {
        return maxWorkers;
    }

    /**
     * Returns the maximum duration of a command without its own timeout.
     *
     * @return a positive duration; empty for no limit
     */
    public Optional<Duration> callTimeout() {
        return callTimeout;
    }

    /**
     * Returns the executor that completes futures.
     *
     * @return the executor; empty for threads that the {@link Urom} owns
     */
    public Optional<Executor> completionExecutor() {
        return completionExecutor;
    }

    private List<Object> values() {
        return List.of(service, device, idleStrategy, maxMessageSize, maxWorkers, callTimeout, completionExecutor);
    }

    /**
     * Compares this configuration with another.
     *
     * @param other any object
     * @return true if it is a configuration with the same settings
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
        return "UromConfiguration[service=" + service
                + ", device=" + device.orElse("the first")
                + ", idleStrategy=" + idleStrategy
                + ", maxMessageSize=" + (maxMessageSize.isPresent() ? maxMessageSize.getAsInt() : "the service's")
                + ", maxWorkers=" + maxWorkers
                + ", callTimeout=" + callTimeout.map(Timeout::text).orElse("none")
                + ", completionExecutor="
                + completionExecutor.map(Object::toString).orElse("its own") + "]";
    }

    /** Builds configurations. Not thread-safe. */
    public static final class Builder {

        private ServiceLocation service = ServiceLocation.environment();
        private Optional<String> device = Optional.empty();
        private IdleStrategy idleStrategy = IdleStrategy.SPIN_THEN_WAIT;
        private OptionalInt maxMessageSize = OptionalInt.empty();
        private int maxWorkers = DEFAULT_MAX_WORKERS;
        private Optional<Duration> callTimeout = Optional.of(DEFAULT_CALL_TIMEOUT);
        private Optional<Executor> completionExecutor = Optional.empty();

        private Builder() {}

        /**
         * Chooses the service. Different connections of a process can use different services, except with
         * the library of the vendor, which finds services only by the environment:
         * {@link Urom#open(UromConfiguration)} then throws {@code NOT_SUPPORTED} for any other location.
         *
         * @param location the location of the service
         * @return this
         */
        public Builder service(ServiceLocation location) {
            service = Objects.requireNonNull(location);
            return this;
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
         * Sets the size of the largest message, which must be equal to that of the service. It need not
         * be set for a service in this process: {@link Urom#open(UromConfiguration)} opens a service with
         * this size, or uses the size of the open service.
         *
         * @param bytes the size including headers, {@value UromService#MIN_MESSAGE_SIZE} to
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
         * Sets the maximum number of workers.
         *
         * @param workers a power of two, at most {@value UromService#MAX_WORKERS}
         * @return this
         * @throws IllegalArgumentException if it is not a power of two, or too large
         */
        public Builder maxWorkers(int workers) {
            Count.requirePowerOfTwo("The number of workers", workers, UromService.MAX_WORKERS);
            maxWorkers = workers;
            return this;
        }

        /**
         * Sets the maximum duration of a command without its own timeout. After it, a call throws and a
         * future fails with {@code TIME_OUT}, late by at most 1/64 of the timeout or 20 ms.
         *
         * @param timeout a positive duration
         * @return this
         * @throws IllegalArgumentException if it is zero or less
         */
        public Builder callTimeout(Duration timeout) {
            if (!timeout.isPositive()) {
                throw new IllegalArgumentException(
                        "The call timeout is " + timeout + ": it must be positive; call noCallTimeout() for no limit");
            }
            callTimeout = Optional.of(timeout);
            return this;
        }

        /**
         * Removes the limit of the duration of commands, whose futures may then never complete.
         *
         * @return this
         */
        public Builder noCallTimeout() {
            callTimeout = Optional.empty();
            return this;
        }

        /**
         * Sets the executor that completes futures and runs dependent actions. The default is a
         * {@link java.util.concurrent.ForkJoinPool} of daemon threads, which the {@link Urom} owns and
         * {@link Urom#close} ends. It adds a thread when an action waits for a future, but not when it
         * blocks otherwise: choose another executor for such actions.
         *
         * <p>With {@code Runnable::run}, futures complete on the engine thread. Until the dependent
         * actions return, no other future completes, nor does any command without a waiting caller.
         * Blocking methods of this package throw {@link IllegalStateException} on the engine thread.
         * Completions that the executor rejects run on the default threads.
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
         * Builds the configuration.
         *
         * @return a configuration with the settings of this builder
         */
        public UromConfiguration build() {
            return new UromConfiguration(this);
        }
    }
}
