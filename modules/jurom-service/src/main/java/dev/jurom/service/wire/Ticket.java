// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What admits a host to a worker, once: the service gives it to both. The id travels in the clear
 * and may be logged, the key is a secret. Stands for {@code struct channel_ticket}.
 *
 * @param id 16 bytes
 * @param key 32 bytes
 */
public record Ticket(Bytes id, Bytes key) {

    /** Bytes of an id. */
    public static final int ID_SIZE = 16;
    /** Bytes of a key. */
    public static final int KEY_SIZE = 32;

    /** Refuses an id or a key of another length. */
    public Ticket {
        FrameRules.requireSize("ticket's id", id, ID_SIZE);
        FrameRules.requireSize("ticket's key", key, KEY_SIZE);
    }

    /**
     * A ticket that nobody else has.
     *
     * @param source what its bytes are drawn from
     * @return a fresh one
     */
    public static Ticket random(SecureRandom source) {
        var bytes = new byte[ID_SIZE + KEY_SIZE];
        source.nextBytes(bytes);
        return new Ticket(Bytes.of(bytes, 0, ID_SIZE), Bytes.of(bytes, ID_SIZE, bytes.length));
    }

    /** Its id, not its key. */
    @Override
    public String toString() {
        return "Ticket[id=" + HexFormat.of().formatHex(id.toArray()) + "]";
    }
}
