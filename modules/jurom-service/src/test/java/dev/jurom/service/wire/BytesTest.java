// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** Tests sequences of bytes and the secrets that consist of them. */
class BytesTest {

    @Test
    void bytes_are_equal_if_all_are() {
        var bytes = Bytes.of((byte) 1, (byte) 2);

        assertEquals(bytes, Bytes.of(new byte[] {0, 1, 2, 3}, 1, 3));
        assertEquals(bytes.hashCode(), Bytes.of(new byte[] {1, 2}).hashCode());
        assertNotEquals(bytes, Bytes.of((byte) 1, (byte) 3));
        assertNotEquals(bytes, Bytes.of((byte) 1));
        assertNotEquals(bytes, (Object) "1, 2");
        assertNotEquals(bytes.hashCode(), Bytes.of((byte) 2, (byte) 1).hashCode());
    }

    @Test
    void bytes_are_printed_as_their_number() {
        assertEquals("2 bytes", Bytes.of((byte) 1, (byte) 2).toString());
    }

    @Test
    void random_tickets_differ_in_id_and_key() {
        var random = new SecureRandom();
        var one = Ticket.random(random);
        var other = Ticket.random(random);

        assertNotEquals(one.id(), other.id());
        assertNotEquals(one.key(), other.key());
    }
}
