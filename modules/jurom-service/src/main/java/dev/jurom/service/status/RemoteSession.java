// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session of a host of another machine. Instances are immutable. */
public final class RemoteSession {

    private final long id;
    private final int userId;
    private final String fingerprint;
    private final String address;
    private final Instant started;
    private final int references;

    /**
     * Creates a description. For the service; later releases may add parameters.
     *
     * @param id the number of the session
     * @param userId the user as whom its workers run
     * @param fingerprint the SHA-256 digest of the host's certificate, in hexadecimal digits
     * @param address the address and the port from which the host has connected
     * @param started the time at which the host authenticated
     * @param references the number of references on workers that the session holds
     */
    public RemoteSession(long id, int userId, String fingerprint, String address, Instant started, int references) {
        this.id = id;
        this.userId = userId;
        this.fingerprint = fingerprint;
        this.address = address;
        this.started = started;
        this.references = references;
    }

    /**
     * Returns the number of the session, which the service's logs contain.
     *
     * @return a number that is unique for the life of the service
     */
    public long id() {
        return id;
    }

    /**
     * Returns the user as whom the host's workers run.
     *
     * @return the numeric id
     */
    public int userId() {
        return userId;
    }

    /**
     * Returns the SHA-256 digest of the host's certificate.
     *
     * @return 64 hexadecimal digits, as {@code urom key fingerprint} prints them
     */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * Returns the address from which the host has connected.
     *
     * @return an IP address and a port, such as {@code 192.0.2.7:40000}
     */
    public String address() {
        return address;
    }

    /**
     * Returns when the host authenticated.
     *
     * @return a time with a resolution of 1 ms
     */
    public Instant started() {
        return started;
    }

    /**
     * Returns the number of references on workers that the session holds.
     *
     * @return 0 or more
     */
    public int references() {
        return references;
    }

    private List<Object> values() {
        return List.of(id, userId, fingerprint, address, started, references);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof RemoteSession that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RemoteSession[id=" + id + ", userId=" + userId + ", fingerprint=" + fingerprint + ", address=" + address
                + ", started=" + started + ", references=" + references + "]";
    }
}
