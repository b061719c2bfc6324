// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A secret that admits a host to a worker once; the service sends it to both. The id is sent unencrypted and
 * may be logged, but the key must stay secret. Corresponds to {@code struct channel_ticket}.
 *
 * @param id 16 bytes
 * @param key 32 bytes
 */
public record Ticket(Bytes id, Bytes key) {

    /** Length of an id, in bytes. */
    public static final int ID_SIZE = 16;
    /** Length of a key, in bytes. */
    public static final int KEY_SIZE = 32;

    /** Rejects an id or a key of another length. */
    public Ticket {
        FrameRules.requireSize("ticket's id", id, ID_SIZE);
        FrameRules.requireSize("ticket's key", key, KEY_SIZE);
    }

    /**
     * Creates a random ticket.
     *
     * @param source the source of random bytes
     * @return a unique ticket
     */
    public static Ticket random(SecureRandom source) {
        var bytes = new byte[ID_SIZE + KEY_SIZE];
        source.nextBytes(bytes);
        return new Ticket(Bytes.of(bytes, 0, ID_SIZE), Bytes.of(bytes, ID_SIZE, bytes.length));
    }

    /** Returns a text with the id, but without the key. */
    @Override
    public String toString() {
        return "Ticket[id=" + HexFormat.of().formatHex(id.toArray()) + "]";
    }
}
