// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits on the resources that hosts use. A host that exceeds a limit receives an error that names the limit; other
 * hosts are not affected. Instances are immutable.
 */
public final class Limits {

    /** The default limits. */
    public static final Limits DEFAULT = builder().build();

    private static final int MAX_ENVIRONMENT = 512 * 1024;

    private final int connections;
    private final int connectionsPerUser;
    private final int unauthenticated;
    private final Duration handshake;
    private final int workers;
    private final int workersPerUser;
    private final int environmentBytes;
    private final int environmentStrings;
    private final int references;

    private Limits(Builder builder) {
        connections = builder.connections;
        connectionsPerUser = builder.connectionsPerUser;
        unauthenticated = builder.unauthenticated;
        handshake = builder.handshake;
        workers = builder.workers;
        workersPerUser = builder.workersPerUser;
        environmentBytes = builder.environmentBytes;
        environmentStrings = builder.environmentStrings;
        references = builder.references;
    }

    /**
     * Returns a builder.
     *
     * @return a builder with the default settings
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that is initialized with these settings.
     *
     * @return a builder with all of these settings
     */
    public Builder toBuilder() {
        var builder = new Builder();
        builder.connections = connections;
        builder.connectionsPerUser = connectionsPerUser;
        builder.unauthenticated = unauthenticated;
        builder.handshake = handshake;
        builder.workers = workers;
        builder.workersPerUser = workersPerUser;
        builder.environmentBytes = environmentBytes;
        builder.environmentStrings = environmentStrings;
        builder.references = references;
        return builder;
    }

    /**
     * Returns these limits with other limits on connections.
     *
     * @param all maximum number of all hosts
     * @param perUser maximum number of one user
     * @return new limits
     * @throws IllegalArgumentException if a number is out of its range
     */
    public Limits withConnections(int all, int perUser) {
        return toBuilder().connections(all).connectionsPerUser(perUser).build();
    }

    /**
     * Returns these limits with other limits on connections that have not authenticated.
     *
     * @param perAddress maximum number from one IP address
     * @param time maximum time until they must have authenticated
     * @return new limits
     * @throws IllegalArgumentException if a number is out of its range
     */
    public Limits withHandshakes(int perAddress, Duration time) {
        return toBuilder().unauthenticated(perAddress).handshake(time).build();
    }

    /**
     * Returns these limits with other limits on worker processes.
     *
     * @param all maximum number of all users
     * @param perUser maximum number of one user
     * @return new limits
     * @throws IllegalArgumentException if a number is out of its range
     */
    public Limits withWorkers(int all, int perUser) {
        return toBuilder().workers(all).workersPerUser(perUser).build();
    }

    /**
     * Returns these limits with other limits on requests for workers.
     *
     * @param bytes maximum number of bytes of an environment
     * @param strings maximum number of strings in an environment
     * @param perConnection maximum number of references on workers
     * @return new limits
     * @throws IllegalArgumentException if a number is out of its range
     */
    public Limits withRequests(int bytes, int strings, int perConnection) {
        return toBuilder()
                .environmentBytes(bytes)
                .environmentStrings(strings)
                .references(perConnection)
                .build();
    }

    /**
     * Returns the maximum number of connections of all hosts at a time.
     *
     * @return 1 or more
     */
    public int connections() {
        return connections;
    }

    /**
     * Returns the maximum number of connections at a time whose workers run as one user.
     *
     * @return 1 or more
     */
    public int connectionsPerUser() {
        return connectionsPerUser;
    }

    /**
     * Returns the maximum number of unauthenticated connections at a time to one TCP port. It applies
     * separately to connections that have sent nothing and to connections that have not presented a
     * certificate. A connection beyond the limit replaces a random one of the network that has most.
     *
     * @return 1 or more
     */
    public int unauthenticated() {
        return unauthenticated;
    }

    /**
     * Returns the maximum time from a host's connection to the end of its HELLO.
     *
     * @return 1 ms or more
     */
    public Duration handshake() {
        return handshake;
    }

    /**
     * Returns the maximum number of worker processes of all users at a time.
     *
     * @return 1 or more
     */
    public int workers() {
        return workers;
    }

    /**
     * Returns the maximum number of worker processes at a time that run as one user.
     *
     * @return 1 or more
     */
    public int workersPerUser() {
        return workersPerUser;
    }

    /**
     * Returns the maximum size of the environment that a host passes to a worker.
     *
     * @return a number of bytes, 0 or more
     */
    public int environmentBytes() {
        return environmentBytes;
    }

    /**
     * Returns the maximum number of variables in the environment that a host passes to a worker.
     *
     * @return 0 or more
     */
    public int environmentStrings() {
        return environmentStrings;
    }

    /**
     * Returns the maximum number of references that one connection holds on workers.
     *
     * @return 1 or more
     */
    public int references() {
        return references;
    }

    private List<Object> values() {
        return List.of(
                connections,
                connectionsPerUser,
                unauthenticated,
                handshake,
                workers,
                workersPerUser,
                environmentBytes,
                environmentStrings,
                references);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof Limits that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "Limits[connections=" + connections + ", connectionsPerUser=" + connectionsPerUser + ", unauthenticated="
                + unauthenticated + ", handshake=" + handshake + ", workers=" + workers + ", workersPerUser="
                + workersPerUser + ", environmentBytes=" + environmentBytes + ", environmentStrings="
                + environmentStrings + ", references=" + references + "]";
    }

    /** Builds settings. This class is not thread-safe. */
    public static final class Builder {

        private int connections = 4096;
        private int connectionsPerUser = 1024;
        private int unauthenticated = 512;
        private Duration handshake = Duration.ofSeconds(10);
        private int workers = 512;
        private int workersPerUser = 256;
        private int environmentBytes = 256 << 10;
        private int environmentStrings = 4096;
        private int references = 4096;

        private Builder() {}

        /**
         * Sets the maximum number of connections of all hosts.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder connections(int value) {
            Range.require("maximum number of connections", value, 1, Integer.MAX_VALUE);
            connections = value;
            return this;
        }

        /**
         * Sets the maximum number of connections whose workers run as one user.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder connectionsPerUser(int value) {
            Range.require("maximum number of connections of a user", value, 1, Integer.MAX_VALUE);
            connectionsPerUser = value;
            return this;
        }

        /**
         * Sets the maximum number of unauthenticated connections to one TCP port.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder unauthenticated(int value) {
            Range.require("maximum number of unauthenticated connections", value, 1, Integer.MAX_VALUE);
            unauthenticated = value;
            return this;
        }

        /**
         * Sets the maximum time from the connection of a host to the end of its HELLO.
         *
         * @param time 1 ms or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder handshake(Duration time) {
            Range.require("time for the handshake in milliseconds", time.toMillis(), 1, Integer.MAX_VALUE);
            handshake = time;
            return this;
        }

        /**
         * Sets the maximum number of worker processes of all users.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder workers(int value) {
            Range.require("maximum number of workers", value, 1, Integer.MAX_VALUE);
            workers = value;
            return this;
        }

        /**
         * Sets the maximum number of worker processes that run as one user.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder workersPerUser(int value) {
            Range.require("maximum number of workers of a user", value, 1, Integer.MAX_VALUE);
            workersPerUser = value;
            return this;
        }

        /**
         * Sets the maximum size of the environment that a host passes to a worker.
         *
         * @param value a number of bytes, 0 to 524,288
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder environmentBytes(int value) {
            Range.require("maximum size of an environment", value, 0, MAX_ENVIRONMENT);
            environmentBytes = value;
            return this;
        }

        /**
         * Sets the maximum number of variables in that environment.
         *
         * @param value 0 to 524,288
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder environmentStrings(int value) {
            Range.require("maximum number of variables", value, 0, MAX_ENVIRONMENT);
            environmentStrings = value;
            return this;
        }

        /**
         * Sets the maximum number of references that one connection holds on workers.
         *
         * @param value 1 or more
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder references(int value) {
            Range.require("maximum number of references", value, 1, Integer.MAX_VALUE);
            references = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return immutable settings with the values of this builder
         */
        public Limits build() {
            return new Limits(this);
        }
    }
}
