// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jurom.core.DocaError;
import java.io.IOException;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Tests that the codecs in Java and C give the same result for any bytes. */
class FrameTwinTest {

    /** The types of frames that only C knows, and whose maximum length differs: ATTACH to CANCEL. */
    private static final int FIRST_OF_HOSTS_AND_WORKERS = 30;

    private static final int LAST_OF_HOSTS_AND_WORKERS = 39;

    private static final int TYPE = 3; // offset

    private static WireEcho twin;

    @BeforeContainer
    static void startTwin() {
        twin = new WireEcho();
    }

    @AfterContainer
    static void stopTwin() throws IOException {
        twin.close();
    }

    @Property(tries = 3000)
    void both_accept_a_valid_frame(@ForAll("good") byte[] bytes) {
        var answer = twin.echo(bytes, Integer.MAX_VALUE);

        assertEquals(DocaError.SUCCESS, answer.error());
        assertArrayEquals(bytes, answer.bytes());
    }

    @Property(tries = 6000)
    void both_agree_on_any_bytes(@ForAll("any") byte[] bytes) {
        var answer = twin.echo(bytes, Integer.MAX_VALUE);

        if (bytes.length > TYPE
                && bytes[TYPE] >= FIRST_OF_HOSTS_AND_WORKERS
                && bytes[TYPE] <= LAST_OF_HOSTS_AND_WORKERS) {
            assertNotEquals(DocaError.SUCCESS, verdict(bytes));
        } else {
            assertEquals(verdict(bytes), answer.error(), () -> HexFormat.of().formatHex(bytes));
        }
        if (answer.error().isSuccess()) {
            assertArrayEquals(bytes, answer.bytes());
        }
    }

    private static DocaError verdict(byte[] bytes) {
        try {
            PeerFrames.decode(bytes);
            return DocaError.SUCCESS;
        } catch (FrameException e) {
            return e.error();
        }
    }

    @Provide
    Arbitrary<byte[]> good() {
        return Frames.any().map(PeerFrames::encode);
    }

    @Provide
    Arbitrary<byte[]> any() {
        return Arbitraries.frequencyOf(Tuple.of(1, Frames.random()), Tuple.of(4, Frames.damaged()));
    }
}
