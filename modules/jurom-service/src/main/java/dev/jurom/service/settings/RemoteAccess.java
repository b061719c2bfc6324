// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that a service needs to serve hosts of other machines.
 *
 * <p>The key is a PEM file with the service's private key and certificate, as {@code urom key create} writes
 * it. The authorised hosts are a text file of certificates. A line before each names the local user as which
 * its workers run (never root) and, in the option {@code plugins=}, the plugins that the host may use, whose names may
 * lack {@code worker_}. Without the option, it may use those that open no UCX: a host with a plugin that opens UCX has
 * access to the memory of all workers of that user that have one. Blank lines and lines that begin with {@code #} are
 * ignored:
 *
 * <pre>
 * # the login node
 * account: alice plugins=compress,graph
 * -----BEGIN CERTIFICATE-----
 * ...
 * -----END CERTIFICATE-----
 * </pre>
 */
public final class RemoteAccess {

    private static final int MAX_PORT = 65_535;

    private final Path key;
    private final Path authorizedHosts;
    private final Set<String> allowedVariables;
    private final int firstPort;
    private final int lastPort;
    private final boolean offersUcx;

    private RemoteAccess(Builder builder) {
        key = builder.key;
        authorizedHosts = builder.authorizedHosts;
        allowedVariables = builder.allowedVariables;
        firstPort = builder.firstPort;
        lastPort = builder.lastPort;
        offersUcx = builder.offersUcx;
        Range.require("last port of workers", lastPort, firstPort, firstPort == 0 ? 0 : MAX_PORT);
    }

    /**
     * Returns a configuration with any port and the default variables.
     *
     * @param key the service's key
     * @param authorizedHosts the file of authorised hosts
     * @return the configuration
     */
    public static RemoteAccess of(Path key, Path authorizedHosts) {
        return builder(key, authorizedHosts).build();
    }

    /**
     * Returns a builder.
     *
     * @param key the service's key
     * @param authorizedHosts the file of authorised hosts
     * @return a builder with the default settings
     */
    public static Builder builder(Path key, Path authorizedHosts) {
        return new Builder(key, authorizedHosts);
    }

    /**
     * Returns a builder that is initialized with these settings.
     *
     * @return a builder with all of these settings
     */
    public Builder toBuilder() {
        var builder = new Builder(key, authorizedHosts);
        builder.allowedVariables = allowedVariables;
        builder.firstPort = firstPort;
        builder.lastPort = lastPort;
        builder.offersUcx = offersUcx;
        return builder;
    }

    /**
     * Returns this configuration with additional variables.
     *
     * @param names the names of variables that hosts may set
     * @return a new configuration
     */
    public RemoteAccess withAllowedVariables(Set<String> names) {
        return toBuilder().allowedVariables(names).build();
    }

    /**
     * Returns this configuration with a range of ports.
     *
     * @param first the first port at which workers listen
     * @param last the last port
     * @return a new configuration
     * @throws IllegalArgumentException if a port is out of its range, or the last one is less than the first
     */
    public RemoteAccess withWorkerPorts(int first, int last) {
        return toBuilder().firstPort(first).lastPort(last).build();
    }

    /**
     * Returns this configuration with commands over UCX for the hosts that choose it.
     *
     * @return a new configuration
     */
    public RemoteAccess withUcx() {
        return toBuilder().offersUcx(true).build();
    }

    /**
     * Returns the file with the service's private key and certificate.
     *
     * @return a file of mode 0600, or one that root owns of mode 0440
     */
    public Path key() {
        return key;
    }

    /**
     * Returns the file of authorised hosts.
     *
     * @return a file that only its owner can write
     */
    public Path authorizedHosts() {
        return authorizedHosts;
    }

    /**
     * Returns the names of the environment variables that hosts may set for their workers in addition to LANG, LC_*
     * and TZ.
     *
     * @return an unmodifiable set
     */
    public Set<String> allowedVariables() {
        return allowedVariables;
    }

    /**
     * Returns the first TCP port of the workers' range.
     *
     * @return 1 to 65535; 0 if the system chooses each port
     */
    public int firstPort() {
        return firstPort;
    }

    /**
     * Returns the last TCP port of the workers' range.
     *
     * @return 1 to 65535; 0 if the system chooses each port
     */
    public int lastPort() {
        return lastPort;
    }

    /**
     * Returns whether hosts may choose to send their commands over UCX, which only private networks permit:
     * each machine that reaches the ports of its tcp transport can write to the memory of host and worker.
     *
     * @return whether the service offers UCX
     */
    public boolean offersUcx() {
        return offersUcx;
    }

    private List<Object> values() {
        return List.of(key, authorizedHosts, allowedVariables, firstPort, lastPort, offersUcx);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof RemoteAccess that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RemoteAccess[key=" + key + ", authorizedHosts=" + authorizedHosts + ", allowedVariables="
                + allowedVariables + ", firstPort=" + firstPort + ", lastPort=" + lastPort + ", offersUcx=" + offersUcx
                + "]";
    }

    /** Builds settings. This class is not thread-safe. */
    public static final class Builder {

        private final Path key;
        private final Path authorizedHosts;
        private Set<String> allowedVariables = Set.of();
        private int firstPort;
        private int lastPort;
        private boolean offersUcx;

        private Builder(Path key, Path authorizedHosts) {
            this.key = Objects.requireNonNull(key);
            this.authorizedHosts = Objects.requireNonNull(authorizedHosts);
        }

        /**
         * Sets the names of the environment variables that hosts may set in addition to LANG, LC_* and TZ.
         *
         * @param names the names
         * @return this
         */
        public Builder allowedVariables(Set<String> names) {
            allowedVariables = Set.copyOf(names);
            return this;
        }

        /**
         * Sets the first TCP port of the workers' range.
         *
         * @param value 1 to 65535; 0 if the system chooses each port
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder firstPort(int value) {
            Range.require("first port of workers", value, 0, MAX_PORT);
            firstPort = value;
            return this;
        }

        /**
         * Sets the last TCP port of the workers' range.
         *
         * @param value 1 to 65535; 0 if the system chooses each port
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder lastPort(int value) {
            Range.require("last port of workers", value, 0, MAX_PORT);
            lastPort = value;
            return this;
        }

        /**
         * Sets whether hosts may choose to send their commands over UCX.
         *
         * @param offered true if they may
         * @return this
         */
        public Builder offersUcx(boolean offered) {
            offersUcx = offered;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return immutable settings with the values of this builder
         * @throws IllegalArgumentException if the last port is less than the first
         */
        public RemoteAccess build() {
            return new RemoteAccess(this);
        }
    }
}
