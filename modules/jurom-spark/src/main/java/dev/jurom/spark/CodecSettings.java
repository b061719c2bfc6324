// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;

/**
 * The settings of a codec in this process: {@code spark.jurom.*} of the application.
 *
 * @param mode the place where blocks are processed
 * @param executor whether this process is an executor of a cluster
 * @param level the level of zstd
 * @param blockSize the size of a block in bytes; empty for the default
 * @param workers the number of workers of a machine
 * @param timeout the maximum time of a block in a worker
 */
record CodecSettings(
        CompressionMode mode, boolean executor, int level, OptionalInt blockSize, int workers, Duration timeout) {

    private static final String PREFIX = "spark.jurom.";
    private static final String MODE = PREFIX + "mode";
    private static final String DRIVER_MODE = PREFIX + "driver.mode";
    private static final String LEVEL = PREFIX + "level";
    static final String BLOCK_SIZE = PREFIX + "blockSize";
    private static final String WORKERS = PREFIX + "workers";
    private static final String TIMEOUT = PREFIX + "timeout";
    private static final List<String> ALL = List.of(MODE, DRIVER_MODE, LEVEL, BLOCK_SIZE, WORKERS, TIMEOUT);

    private static final String EXECUTOR_ID = "spark.executor.id"; // which Spark sets in each process
    private static final String DRIVER = "driver";
    private static final long FIRST_WORKER = 0x7370_6172_6b00_0000L; // the id that all executors use

    static CodecSettings of(SparkConf conf) {
        for (var setting : conf.getAllWithPrefix(PREFIX)) {
            if (!ALL.contains(PREFIX + setting._1())) {
                throw new IllegalArgumentException(PREFIX + setting._1()
                        + " is not a setting of jurom: the settings are " + String.join(", ", ALL));
            }
        }
        var executor = isExecutor(conf);
        var executorMode = mode(conf, MODE, CompressionMode.AUTO); // which the driver checks for its executors
        var driverMode = mode(conf, DRIVER_MODE, CompressionMode.LOCAL);
        var settings = new CodecSettings(
                executor ? executorMode : driverMode,
                executor,
                parsed(conf, LEVEL, () -> conf.getInt(LEVEL, CompressionFormat.ZSTD.defaultLevel())),
                parsed(
                        conf,
                        BLOCK_SIZE,
                        () -> conf.contains(BLOCK_SIZE)
                                ? OptionalInt.of(Math.toIntExact(conf.getSizeAsBytes(BLOCK_SIZE)))
                                : OptionalInt.empty()),
                parsed(conf, WORKERS, () -> conf.getInt(WORKERS, 1)),
                parsed(conf, TIMEOUT, () -> Duration.ofMillis(conf.getTimeAsMs(TIMEOUT, "30s"))));
        settings.configuration(); // which rejects values out of range
        return settings;
    }

    /** Returns whether this process is an executor, rather than the driver. */
    static boolean isExecutor(SparkConf conf) {
        return !conf.get(EXECUTOR_ID, DRIVER).equals(DRIVER);
    }

    private static CompressionMode mode(SparkConf conf, String name, CompressionMode usual) {
        var value = conf.get(name, usual.name());
        return Arrays.stream(CompressionMode.values())
                .filter(mode -> mode.name().equals(value.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        name + " is " + value + ": it must be OFFLOAD, SAVE_CPU, AUTO or LOCAL"));
    }

    /** Returns the value of a setting that Spark parses. */
    private static <T> T parsed(SparkConf conf, String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(name + " is " + conf.get(name) + ": " + e.getMessage(), e);
        }
    }

    CodecSettings withMode(CompressionMode newMode) {
        return new CodecSettings(newMode, executor, level, blockSize, workers, timeout);
    }

    CompressionConfiguration configuration() {
        var zstd = CompressionFormat.ZSTD;
        if (level < zstd.minLevel() || level > zstd.maxLevel()) {
            throw new IllegalArgumentException(
                    LEVEL + " is " + level + ": it must be between " + zstd.minLevel() + " and " + zstd.maxLevel());
        }
        var builder = CompressionConfiguration.builder()
                .mode(mode)
                .parameters(CompressionParameters.of(zstd).withLevel(level));
        set(WORKERS, () -> builder.workers(workers));
        set(TIMEOUT, () -> builder.timeout(timeout));
        blockSize.ifPresent(bytes -> set(BLOCK_SIZE, () -> builder.blockSize(bytes)));
        if (executor) {
            builder.sharedWorkers(FIRST_WORKER);
        }
        return builder.build();
    }

    /** Names the setting of a value that is out of range. */
    private static void set(String name, Runnable setter) {
        try {
            setter.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }
}
