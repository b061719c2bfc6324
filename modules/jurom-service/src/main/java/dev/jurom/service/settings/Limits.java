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
    public static final Limits DEFAULT =
            new Limits(4096, 1024, 512, Duration.ofSeconds(10), 512, 256, 256 * 1024, 4096, 4096);

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

    private Limits(
            int connections,
            int connectionsPerUser,
            int unauthenticated,
            Duration handshake,
            int workers,
            int workersPerUser,
            int environmentBytes,
            int environmentStrings,
            int references) {
        this.connections = connections;
        this.connectionsPerUser = connectionsPerUser;
        this.unauthenticated = unauthenticated;
        this.handshake = handshake;
        this.workers = workers;
        this.workersPerUser = workersPerUser;
        this.environmentBytes = environmentBytes;
        this.environmentStrings = environmentStrings;
        this.references = references;
        Range.require("maximum number of connections", connections, 1, Integer.MAX_VALUE);
        Range.require("maximum number of connections of a user", connectionsPerUser, 1, Integer.MAX_VALUE);
        Range.require("maximum number of unauthenticated connections", unauthenticated, 1, Integer.MAX_VALUE);
        Range.require("time for the handshake in milliseconds", handshake.toMillis(), 1, Integer.MAX_VALUE);
        Range.require("maximum number of workers", workers, 1, Integer.MAX_VALUE);
        Range.require("maximum number of workers of a user", workersPerUser, 1, Integer.MAX_VALUE);
        Range.require("maximum size of an environment", environmentBytes, 0, MAX_ENVIRONMENT);
        Range.require("maximum number of variables", environmentStrings, 0, MAX_ENVIRONMENT);
        Range.require("maximum number of references", references, 1, Integer.MAX_VALUE);
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
        return new Limits(
                all,
                perUser,
                unauthenticated,
                handshake,
                workers,
                workersPerUser,
                environmentBytes,
                environmentStrings,
                references);
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
        return new Limits(
                connections,
                connectionsPerUser,
                perAddress,
                time,
                workers,
                workersPerUser,
                environmentBytes,
                environmentStrings,
                references);
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
        return new Limits(
                connections,
                connectionsPerUser,
                unauthenticated,
                handshake,
                all,
                perUser,
                environmentBytes,
                environmentStrings,
                references);
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
        return new Limits(
                connections,
                connectionsPerUser,
                unauthenticated,
                handshake,
                workers,
                workersPerUser,
                bytes,
                strings,
                perConnection);
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
}
