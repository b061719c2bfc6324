// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.urom.CpuSet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a service is like.
 *
 * @param listen where hosts connect; port 0 lets the system choose
 * @param keyFile the key that hosts must know, of mode 0600; needed for listening anywhere but
 *        on loopback
 * @param maxMessageSize bytes of a message between a host and a worker, 64 to 2^30; hosts must
 *        have the same
 * @param cores how many cores the service presents, 1 to 1024; without: those that this process
 *        may use
 * @param maxWorkers how many worker processes may run at a time, at least 1
 * @param pluginDirectories where plugins are, scanned in this order
 * @param workerProgram the program {@code urom_worker}
 * @param logDirectory where the logs of the service and of its workers go; without: those of the
 *        workers to standard error, and the service's to {@link System.Logger}
 * @param logLevel how much the service logs
 * @param sdkLogLevel how much its workers log
 */
public record DaemonConfiguration(InetSocketAddress listen, Optional<Path> keyFile,
        int maxMessageSize, OptionalInt cores, int maxWorkers, List<Path> pluginDirectories,
        Path workerProgram, Optional<Path> logDirectory, LogLevel logLevel,
        LogLevel sdkLogLevel) {

    /** The port of a service unless another is asked for. */
    public static final int DEFAULT_PORT = 7471;
    /** Bytes of the longest message between a host and a worker unless another is asked for. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = 4096;

    /** How many workers may run at a time unless another limit is asked for. */
    public static final int DEFAULT_MAX_WORKERS = 512;

    private static final int MIN_MESSAGE_SIZE = 64;
    private static final int MAX_MESSAGE_SIZE = 1 << 30;

    /**
     * Makes a configuration.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public DaemonConfiguration {
        Objects.requireNonNull(listen);
        pluginDirectories = List.copyOf(pluginDirectories);
        requireRange("maximum message size", maxMessageSize, MIN_MESSAGE_SIZE, MAX_MESSAGE_SIZE);
        requireRange("number of cores", cores.orElse(1), 1, CpuSet.CAPACITY);
        requireRange("maximum number of workers", maxWorkers, 1, Integer.MAX_VALUE);
    }

    private static void requireRange(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("The " + what + " is " + value
                    + ": it must be from " + min + " to " + max);
        }
    }

    /**
     * A service for this machine alone, at a port that the system chooses, with no key.
     *
     * @param workerProgram the program {@code urom_worker}
     * @param pluginDirectories where plugins are
     * @return the configuration, to be changed with the other methods
     */
    public static DaemonConfiguration local(Path workerProgram, List<Path> pluginDirectories) {
        return new DaemonConfiguration(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(), DEFAULT_MAX_MESSAGE_SIZE, OptionalInt.empty(),
                DEFAULT_MAX_WORKERS, pluginDirectories, workerProgram, Optional.empty(),
                LogLevel.WARNING, LogLevel.WARNING);
    }

    /**
     * This configuration, with another address.
     *
     * @param address where to listen
     * @return a new configuration
     */
    public DaemonConfiguration listenAt(InetSocketAddress address) {
        return new DaemonConfiguration(address, keyFile, maxMessageSize, cores, maxWorkers,
                pluginDirectories, workerProgram, logDirectory, logLevel, sdkLogLevel);
    }

    /**
     * This configuration, with a key.
     *
     * @param file of mode 0600
     * @return a new configuration
     */
    public DaemonConfiguration withKeyFile(Path file) {
        return new DaemonConfiguration(listen, Optional.of(file), maxMessageSize, cores, maxWorkers,
                pluginDirectories, workerProgram, logDirectory, logLevel, sdkLogLevel);
    }

    /**
     * This configuration, with another maximum message size.
     *
     * @param bytes 64 to 2^30
     * @return a new configuration
     */
    public DaemonConfiguration withMaxMessageSize(int bytes) {
        return new DaemonConfiguration(listen, keyFile, bytes, cores, maxWorkers, pluginDirectories,
                workerProgram, logDirectory, logLevel, sdkLogLevel);
    }

    /**
     * This configuration, with another number of cores.
     *
     * @param count 1 to 1024
     * @return a new configuration
     */
    public DaemonConfiguration withCores(int count) {
        return new DaemonConfiguration(listen, keyFile, maxMessageSize, OptionalInt.of(count),
                maxWorkers, pluginDirectories, workerProgram, logDirectory, logLevel,
                sdkLogLevel);
    }

    /**
     * This configuration, with another limit on worker processes.
     *
     * @param count at least 1
     * @return a new configuration
     */
    public DaemonConfiguration withMaxWorkers(int count) {
        return new DaemonConfiguration(listen, keyFile, maxMessageSize, cores, count,
                pluginDirectories, workerProgram, logDirectory, logLevel, sdkLogLevel);
    }

    /**
     * This configuration, with other logs.
     *
     * @param directory where they go
     * @param level how much the service logs
     * @param sdkLevel how much its workers log
     * @return a new configuration
     */
    public DaemonConfiguration withLogs(Optional<Path> directory, LogLevel level,
            LogLevel sdkLevel) {
        return new DaemonConfiguration(listen, keyFile, maxMessageSize, cores, maxWorkers,
                pluginDirectories, workerProgram, directory, level, sdkLevel);
    }
}
