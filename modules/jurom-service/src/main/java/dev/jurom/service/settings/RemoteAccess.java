// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/**
 * What a service needs to serve hosts of other machines.
 *
 * <p>The key is a PEM file with the service's private key and certificate, as {@code urom key
 * create} writes it. The authorised hosts are a text file of certificates, each after a line that
 * says as which local user its workers run (never root); blank lines and lines that begin with
 * {@code #} mean nothing:
 *
 * <pre>
 * # the login node
 * account: alice
 * -----BEGIN CERTIFICATE-----
 * ...
 * -----END CERTIFICATE-----
 * </pre>
 *
 * @param key of mode 0600, or root's and of mode 0440
 * @param authorizedHosts writable by its owner alone
 * @param allowedVariables names of environment variables that hosts may set for their workers,
 *        beside LANG, LC_* and TZ
 * @param firstPort the first TCP port for workers; 0 lets the system choose any
 * @param lastPort the last one
 * @param offersUcx whether hosts may choose to send their commands over UCX, which is for private
 *        networks only: whoever reaches the ports of its tcp transport can write the memory of
 *        host and worker
 */
public record RemoteAccess(
        Path key, Path authorizedHosts, Set<String> allowedVariables, int firstPort, int lastPort, boolean offersUcx) {

    private static final int MAX_PORT = 65_535;

    /**
     * Makes an access.
     *
     * @throws IllegalArgumentException if the ports are none
     */
    public RemoteAccess {
        Objects.requireNonNull(key);
        Objects.requireNonNull(authorizedHosts);
        allowedVariables = Set.copyOf(allowedVariables);
        Range.require("first port of workers", firstPort, 0, MAX_PORT);
        Range.require("last port of workers", lastPort, firstPort, firstPort == 0 ? 0 : MAX_PORT);
    }

    /**
     * Access to any port and with no more variables than usual.
     *
     * @param key the service's key
     * @param authorizedHosts the hosts that it knows
     * @return the access
     */
    public static RemoteAccess of(Path key, Path authorizedHosts) {
        return new RemoteAccess(key, authorizedHosts, Set.of(), 0, 0, false);
    }

    /**
     * This access, with more variables.
     *
     * @param names of variables that hosts may set
     * @return a new access
     */
    public RemoteAccess withAllowedVariables(Set<String> names) {
        return new RemoteAccess(key, authorizedHosts, names, firstPort, lastPort, offersUcx);
    }

    /**
     * This access, with ports.
     *
     * @param first the first port that workers listen at
     * @param last the last one
     * @return a new access
     */
    public RemoteAccess withWorkerPorts(int first, int last) {
        return new RemoteAccess(key, authorizedHosts, allowedVariables, first, last, offersUcx);
    }

    /**
     * This access, with commands over UCX for the hosts that choose it.
     *
     * @return a new access
     */
    public RemoteAccess withUcx() {
        return new RemoteAccess(key, authorizedHosts, allowedVariables, firstPort, lastPort, true);
    }
}
