// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import java.util.EnumSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FramePropertiesTest {

    @Property
    void every_encoded_frame_is_decoded_to_an_equal_one(@ForAll("frames") Frame frame) throws FrameException {
        var bytes = PeerFrames.encode(frame);

        assertEquals(frame, PeerFrames.decode(bytes));
        assertEquals(bytes.length, FrameDecoder.length(bytes));
    }

    @Property
    void valid_bytes_are_the_only_encoding_of_their_frame(@ForAll("bytes") byte[] bytes) {
        try {
            var frame = PeerFrames.decode(bytes);
            assertArrayEquals(bytes, PeerFrames.encode(frame));
        } catch (FrameException e) {
            assertTrue(EnumSet.of(DocaError.INVALID_VALUE, DocaError.TOO_BIG, DocaError.UNSUPPORTED_VERSION)
                    .contains(e.error()));
            assertTrue(e.getMessage().length() > 5, e.getMessage());
        }
    }

    @Provide
    Arbitrary<Frame> frames() {
        return Frames.any();
    }

    @Provide
    Arbitrary<byte[]> bytes() {
        return Arbitraries.oneOf(Frames.random(), Frames.damaged());
    }

    @Example
    void every_type_of_frame_is_tried() {
        var seen = EnumSet.noneOf(FrameType.class);
        Frames.any()
                .sampleStream()
                .limit(2000)
                .map(frame -> FrameType.of(PeerFrames.encode(frame)[3]).orElseThrow())
                .forEach(seen::add);

        assertEquals(EnumSet.allOf(FrameType.class), seen);
    }
}
