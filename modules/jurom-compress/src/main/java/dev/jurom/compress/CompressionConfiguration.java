// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The configuration of a {@link Compression}, created with a {@link #builder()}. Instances are immutable. */
public final class CompressionConfiguration {

    /** The default block size: 256 KiB. */
    public static final int DEFAULT_BLOCK_SIZE = 256 << 10;

    /** The smallest block size: 1 KiB. */
    public static final int MIN_BLOCK_SIZE = 1 << 10;

    /** The largest block size: 32 MiB. */
    public static final int MAX_BLOCK_SIZE = 32 << 20;

    /** The default of the largest window of a zstd frame: 128 MiB, as of the {@code zstd} command. */
    public static final long DEFAULT_WINDOW_SIZE = 128L << 20;

    /** The default configuration: zstd at level 3, mode {@link CompressionMode#AUTO}, one worker. */
    public static final CompressionConfiguration DEFAULT = builder().build();

    private static final int STRUCTS = 128; // bytes of a message that are neither input nor output
    private static final int PAGE = 4096;

    private final CompressionMode mode;
    private final CompressionParameters parameters;
    private final OptionalInt blockSize;
    private final OptionalInt maxMessageSize;
    private final int blocksInFlight;
    private final int workers;
    private final OptionalLong firstSharedWorker;
    private final Duration timeout;
    private final ServiceLocation service;
    private final Optional<String> device;
    private final long maxWindowSize;
    private final long maxWindowMemory;

    private CompressionConfiguration(Builder builder) {
        mode = builder.mode;
        parameters = builder.parameters;
        blockSize = builder.blockSize;
        maxMessageSize = builder.maxMessageSize;
        blocksInFlight = builder.blocksInFlight;
        workers = builder.workers;
        firstSharedWorker = builder.firstSharedWorker;
        timeout = builder.timeout;
        service = builder.service;
        device = builder.device;
        maxWindowSize = builder.maxWindowSize;
        maxWindowMemory = builder.maxWindowMemory;
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
        builder.mode = mode;
        builder.parameters = parameters;
        builder.blockSize = blockSize;
        builder.maxMessageSize = maxMessageSize;
        builder.blocksInFlight = blocksInFlight;
        builder.workers = workers;
        builder.firstSharedWorker = firstSharedWorker;
        builder.timeout = timeout;
        builder.service = service;
        builder.device = device;
        builder.maxWindowSize = maxWindowSize;
        builder.maxWindowMemory = maxWindowMemory;
        return builder;
    }

    /**
     * Returns the mode, which determines where blocks are processed.
     *
     * @return the mode
     */
    public CompressionMode mode() {
        return mode;
    }

    /**
     * Returns the parameters of blocks and streams that are not given their own.
     *
     * @return the parameters
     */
    public CompressionParameters parameters() {
        return parameters;
    }

    /**
     * Returns the size of the blocks of streams.
     *
     * @return the size in bytes; empty for {@value #DEFAULT_BLOCK_SIZE}, or less if that exceeds a
     *         message of the service
     */
    public OptionalInt blockSize() {
        return blockSize;
    }

    /**
     * Returns the maximum message size, which must be the same as that of the service.
     *
     * @return the size in bytes that was set, or else the size that the blocks need
     */
    public int maxMessageSize() {
        return maxMessageSize.orElseGet(
                () -> messageSize(blockSize.orElse(DEFAULT_BLOCK_SIZE), parameters.sharedDictionary().length));
    }

    /** Returns whether the maximum message size was set. */
    boolean hasMaxMessageSize() {
        return maxMessageSize.isPresent();
    }

    /** Returns the size of a message that suffices for blocks of this size. */
    private static int messageSize(int blockSize, int dictionary) {
        var needed = CompressionFormat.maxCompressedSize(blockSize) + STRUCTS + dictionary;
        var pages = (needed + PAGE - 1) / PAGE;
        return Math.toIntExact(Math.min(pages * PAGE, UromService.MAX_MESSAGE_SIZE));
    }

    /** Returns the size of the largest block that fits into messages. */
    static int largestBlock(int messageSize, int dictionary) {
        var room = (long) messageSize - STRUCTS - dictionary;
        var size = Math.max(0, (room - CompressionFormat.maxCompressedSize(0)) * 128 / 129);
        return (int) size;
    }

    /**
     * Returns the maximum number of blocks of a stream that are in flight. In the mode {@link CompressionMode#AUTO}, an
     * output stream has up to twice as many, because this process compresses some itself.
     *
     * @return a positive number
     */
    public int blocksInFlight() {
        return blocksInFlight;
    }

    /**
     * Returns the number of workers.
     *
     * @return a positive number
     */
    public int workers() {
        return workers;
    }

    /**
     * Returns the id of the first of the workers that several processes share.
     *
     * @return the id; empty if the workers belong to this compression
     */
    public OptionalLong firstSharedWorker() {
        return firstSharedWorker;
    }

    /**
     * Returns the maximum time that a block may take in a worker.
     *
     * @return a positive duration
     */
    public Duration timeout() {
        return timeout;
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
     * Returns the size of the largest window of a zstd frame that input streams decompress in this process.
     *
     * @return the size in bytes
     */
    public long maxWindowSize() {
        return maxWindowSize;
    }

    /**
     * Returns the maximum size of the windows of all input streams together.
     *
     * @return the size in bytes of native memory
     */
    public long maxWindowMemory() {
        return maxWindowMemory;
    }

    @Override
    public String toString() {
        return "CompressionConfiguration[mode=" + mode + ", parameters=" + parameters
                + ", blockSize=" + (blockSize.isPresent() ? blockSize.getAsInt() : "default")
                + ", maxMessageSize=" + maxMessageSize() + ", blocksInFlight=" + blocksInFlight
                + ", workers=" + workers
                + (firstSharedWorker.isPresent() ? " from " + Long.toUnsignedString(firstSharedWorker.getAsLong()) : "")
                + ", timeout=" + timeout + ", service=" + service + ", device=" + device.orElse("the first")
                + ", maxWindowSize=" + maxWindowSize
                + ", maxWindowMemory=" + maxWindowMemory + "]";
    }

    /** Builds configurations. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_BLOCKS = 64;
        private static final int MAX_WORKERS = 64;
        private static final long MIN_WINDOW = 1 << 10;
        private static final long MAX_WINDOW = 1L << 31;

        private CompressionMode mode = CompressionMode.AUTO;
        private CompressionParameters parameters = CompressionParameters.of(CompressionFormat.ZSTD);
        private OptionalInt blockSize = OptionalInt.empty();
        private OptionalInt maxMessageSize = OptionalInt.empty();
        private int blocksInFlight = 4;
        private int workers = 1;
        private OptionalLong firstSharedWorker = OptionalLong.empty();
        private Duration timeout = Duration.ofSeconds(30);
        private ServiceLocation service = ServiceLocation.environment();
        private Optional<String> device = Optional.empty();
        private long maxWindowSize = DEFAULT_WINDOW_SIZE;
        private long maxWindowMemory = Runtime.getRuntime().maxMemory();

        private Builder() {}

        /**
         * Sets the mode, which determines where blocks are processed (default: {@link CompressionMode#AUTO}).
         *
         * @param newMode the mode
         * @return this
         */
        public Builder mode(CompressionMode newMode) {
            mode = Objects.requireNonNull(newMode);
            return this;
        }

        /**
         * Sets the parameters of blocks and streams that are not given their own (default: zstd at level 3).
         *
         * @param newParameters the parameters
         * @return this
         */
        public Builder parameters(CompressionParameters newParameters) {
            parameters = Objects.requireNonNull(newParameters);
            return this;
        }

        /**
         * Sets the size of the blocks of streams. Each block becomes a frame. A service in another process
         * must have the {@linkplain CompressionConfiguration#maxMessageSize maximum message size} that these
         * blocks need.
         *
         * @param bytes the size, {@value #MIN_BLOCK_SIZE} to {@value #MAX_BLOCK_SIZE}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder blockSize(int bytes) {
            requireWithin("block size", bytes, MIN_BLOCK_SIZE, MAX_BLOCK_SIZE);
            blockSize = OptionalInt.of(bytes);
            return this;
        }

        /**
         * Sets the maximum message size, which must be the same as that of the service (default: the size
         * that the blocks need).
         *
         * @param bytes the size including headers, {@value UromService#MIN_MESSAGE_SIZE} to
         *        {@value UromService#MAX_MESSAGE_SIZE}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxMessageSize(int bytes) {
            requireWithin("maximum message size", bytes, UromService.MIN_MESSAGE_SIZE, UromService.MAX_MESSAGE_SIZE);
            maxMessageSize = OptionalInt.of(bytes);
            return this;
        }

        /**
         * Sets the maximum number of blocks of a stream that are in flight (default: 4).
         *
         * @param blocks the number, 1 to 64
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder blocksInFlight(int blocks) {
            requireWithin("number of blocks in flight", blocks, 1, MAX_BLOCKS);
            blocksInFlight = blocks;
            return this;
        }

        /**
         * Sets the number of workers, which all blocks and streams share (default: 1).
         *
         * @param count the number, 1 to 64
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder workers(int count) {
            requireWithin("number of workers", count, 1, MAX_WORKERS);
            workers = count;
            return this;
        }

        /**
         * Shares the workers with all processes of this user that use the same service and the same ids
         * (default: each compression has its own workers).
         *
         * @param firstId the id of the first worker, an unsigned number; the others have the following ids
         * @return this
         */
        public Builder sharedWorkers(long firstId) {
            firstSharedWorker = OptionalLong.of(firstId);
            return this;
        }

        /**
         * Sets the maximum time that a block may take in a worker, including its wait for earlier blocks
         * (default: 30 seconds).
         *
         * @param duration a positive duration
         * @return this
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder timeout(Duration duration) {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("The timeout is " + duration + ": it must be positive");
            }
            timeout = duration;
            return this;
        }

        /**
         * Sets the location of the service (default: {@link ServiceLocation#environment()}). In the modes
         * {@link CompressionMode#SAVE_CPU} and {@link CompressionMode#AUTO}, the service may start later. The mode
         * {@link CompressionMode#LOCAL} uses no service.
         *
         * @param location the location
         * @return this
         */
        public Builder service(ServiceLocation location) {
            service = Objects.requireNonNull(location);
            return this;
        }

        /**
         * Chooses the device whose service is used (default: the first).
         *
         * @param name a PCI address or a name
         * @return this
         */
        public Builder device(String name) {
            device = Optional.of(name);
            return this;
        }

        /**
         * Sets the size of the largest window of a zstd frame of another program that input streams decompress
         * (default: {@link CompressionConfiguration#DEFAULT_WINDOW_SIZE}). A frame of {@code zstd --long=31} needs
         * 2 GiB. Frames with larger windows fail with {@link CompressionError#MEMORY}.
         *
         * @param bytes the size, {@value #MIN_WINDOW} to {@value #MAX_WINDOW}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxWindowSize(long bytes) {
            if (bytes < MIN_WINDOW || bytes > MAX_WINDOW) {
                throw new IllegalArgumentException("The largest window has " + bytes + " bytes: it must have between "
                        + MIN_WINDOW + " and " + MAX_WINDOW);
            }
            maxWindowSize = bytes;
            return this;
        }

        /**
         * Sets the maximum size of the windows of all open input streams of a compression together, which are native
         * memory (default: the maximum size of the heap). A frame for whose window there is no room fails with
         * {@link CompressionError#MEMORY}.
         *
         * @param bytes the size, 0 or more
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxWindowMemory(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException(
                        "The memory of windows has " + bytes + " bytes: it must have at least 0");
            }
            maxWindowMemory = bytes;
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @return a configuration with the settings of this builder
         */
        public CompressionConfiguration build() {
            return new CompressionConfiguration(this);
        }

        private static void requireWithin(String what, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(
                        "The " + what + " is " + value + ": it must be between " + min + " and " + max);
            }
        }
    }
}
