// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.junit.jupiter.api.Test;

/** Tests that the laws pass for a typical codec, and fail for a codec that violates them. */
// @start region="laws"
class CodecLawsTest implements CodecLaws {

    record Point(long x, long y) {

        static final StructCodec<Point> CODEC = codec();

        private static StructCodec<Point> codec() {
            StructBuilder<Point> struct = StructBuilder.struct("point");
            var x = struct.s64("x", Point::x);
            var y = struct.s64("y", Point::y);
            return struct.codec(in -> new Point(x.get(in), y.get(in)));
        }
    }

    record Distance(double value) {

        static final StructCodec<Distance> CODEC = codec();

        private static StructCodec<Distance> codec() {
            StructBuilder<Distance> struct = StructBuilder.struct("distance");
            var value = struct.f64("value", Distance::value);
            return struct.codec(in -> new Distance(value.get(in)));
        }
    }

    @Override
    public Arbitrary<TestMessage> messages() {
        return TestMessage.of(
                Point.CODEC,
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(Point::new));
    }

    @Override
    public Arbitrary<TestMessage> responses() {
        return TestMessage.of(Distance.CODEC, Arbitraries.doubles().map(Distance::new));
    }
    // @end

    @Test
    void commands_and_responses_are_checked() {
        var sizes = lawfulMessages()
                .sampleStream()
                .limit(200)
                .map(message -> message.packed().length)
                .collect(Collectors.toSet());

        assertEquals(Set.of(16, 8), sizes);
    }

    /** Two bytes with a defect: following bytes are treated as part of the message. */
    private record Careless() implements TestMessage {

        @Override
        public long pack(MemorySegment payload) {
            return 2; // does not check the size of the payload
        }

        @Override
        public TestMessage reread(MemorySegment message) {
            return this;
        }

        @Override
        public boolean takesRest() {
            return false;
        }
    }

    @Test
    void a_violated_law_is_reported() {
        var message = new Careless();
        assertThrows(AssertionError.class, () -> a_message_cut_short_anywhere_is_refused(message));
        assertThrows(AssertionError.class, () -> a_payload_that_is_too_small_is_refused(message));
        assertThrows(AssertionError.class, () -> random_bytes_are_read_or_refused(message, new byte[3]));
        assertThrows(
                AssertionError.class,
                () -> bytes_behind_a_message_are_refused_unless_they_belong_to_it(message, new byte[1]));
    }
}
