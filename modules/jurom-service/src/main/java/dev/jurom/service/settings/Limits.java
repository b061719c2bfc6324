// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import java.time.Duration;

/**
 * What hosts may use up. Who reaches a limit is told so in a sentence, and nobody else notices.
 *
 * @param connections connections at a time, of all hosts
 * @param connectionsPerUser those whose workers run as one user
 * @param unauthenticated connections to one TCP port that have sent nothing yet, and as many again
 *        that have not shown a certificate; one more displaces another at random, of the network
 *        with most
 * @param handshake how long a host may take from its connection to the end of its HELLO
 * @param workers worker processes at a time
 * @param workersPerUser those that run as one user
 * @param environmentBytes bytes of the environment that a host gives to a worker
 * @param environmentStrings variables in it
 * @param references references that one connection holds on workers
 */
public record Limits(
        int connections,
        int connectionsPerUser,
        int unauthenticated,
        Duration handshake,
        int workers,
        int workersPerUser,
        int environmentBytes,
        int environmentStrings,
        int references) {

    /** The limits unless others are asked for. */
    public static final Limits DEFAULT =
            new Limits(4096, 1024, 512, Duration.ofSeconds(10), 512, 256, 256 * 1024, 4096, 4096);

    private static final int MAX_ENVIRONMENT = 512 * 1024;

    /**
     * Makes limits.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public Limits {
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
     * These limits, with others on connections.
     *
     * @param all of all hosts
     * @param perUser of one user
     * @return new limits
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
     * These limits, with others on connections that have not said who they are.
     *
     * @param perAddress from one IP address
     * @param time how long they may take
     * @return new limits
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
     * These limits, with others on worker processes.
     *
     * @param all of all users
     * @param perUser of one user
     * @return new limits
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
     * These limits, with others on what a SPAWN may ask for.
     *
     * @param bytes of an environment
     * @param strings in an environment
     * @param perConnection references on workers
     * @return new limits
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
}
