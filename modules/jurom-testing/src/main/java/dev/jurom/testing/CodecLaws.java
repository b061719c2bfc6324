// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.plugin.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/**
 * What holds for every message of every codec. A test class that implements this has jqwik try it:
 *
 * {@snippet class="dev.jurom.testing.CodecLawsTest" region="laws"}
 */
public interface CodecLaws {

    /**
     * The commands to try.
     *
     * @return messages, such as {@link TestMessage#of} makes
     */
    Arbitrary<? extends TestMessage> messages();

    /**
     * The responses to try.
     *
     * @return messages, such as {@link TestMessage#of} makes; by default the commands, for a plugin
     *         whose responses have no codec of their own
     */
    default Arbitrary<? extends TestMessage> responses() {
        return messages();
    }

    /**
     * The messages to try, for jqwik.
     *
     * @return those of {@link #messages} and of {@link #responses}, half of each
     */
    @Provide
    default Arbitrary<? extends TestMessage> lawfulMessages() {
        return Arbitraries.oneOf(messages().map(message -> message), responses().map(message -> message));
    }

    /**
     * Where a message is damaged.
     *
     * @return offsets in bytes
     */
    @Provide
    default Arbitrary<Long> places() {
        return Arbitraries.longs().between(0, 200).withoutEdgeCases();
    }

    /**
     * What a field is damaged with.
     *
     * @return edges of sizes and lengths, and anything
     */
    @Provide
    default Arbitrary<Long> damages() {
        return Arbitraries.oneOf(
                        Arbitraries.longs(),
                        Arbitraries.longs().between(-2, 80),
                        Arbitraries.of(Long.MAX_VALUE, Long.MIN_VALUE, 0xFFFF_FFFFL, 1L << 32))
                .withoutEdgeCases();
    }

    /**
     * What is unpacked is what was packed: it has the same bytes.
     *
     * @param message any message
     */
    @Property
    default void what_is_unpacked_is_what_was_packed(@ForAll("lawfulMessages") TestMessage message) {
        try (var arena = Arena.ofConfined()) {
            var packed = message.packed();

            assertArrayEquals(packed, message.reread(exactly(packed, arena)).packed());
        }
    }

    /**
     * A message that lacks its end is refused, unless its last part is what remains.
     *
     * @param message any message
     */
    @Property(tries = 300)
    default void a_message_cut_short_anywhere_is_refused(@ForAll("lawfulMessages") TestMessage message) {
        try (var arena = Arena.ofConfined()) {
            var packed = message.packed();

            for (int length = 0; length < packed.length; length++) {
                var cut = exactly(Arrays.copyOf(packed, length), arena);
                if (message.takesRest()) {
                    readOrRefuse(message, cut);
                } else {
                    assertThrows(CodecException.class, () -> message.reread(cut));
                }
            }
        }
    }

    /**
     * Bytes behind a message are refused, unless its last part is what remains.
     *
     * @param message any message
     * @param behind the bytes behind it
     */
    @Property(tries = 300)
    default void bytes_behind_a_message_are_refused_unless_they_belong_to_it(
            @ForAll("lawfulMessages") TestMessage message, @ForAll @Size(min = 1, max = 50) byte[] behind) {
        try (var arena = Arena.ofConfined()) {
            var packed = message.packed();
            var longer = Arrays.copyOf(packed, packed.length + behind.length);
            System.arraycopy(behind, 0, longer, packed.length, behind.length);
            var segment = exactly(longer, arena);

            if (message.takesRest()) {
                readOrRefuse(message, segment);
            } else {
                assertThrows(CodecException.class, () -> message.reread(segment));
            }
        }
    }

    /**
     * Any bytes are read, or refused with a {@link CodecException}.
     *
     * @param message any message
     * @param bytes what is read as one of its kind
     */
    @Property
    default void random_bytes_are_read_or_refused(
            @ForAll("lawfulMessages") TestMessage message, @ForAll @Size(max = 150) byte[] bytes) {
        try (var arena = Arena.ofConfined()) {
            readOrRefuse(message, exactly(bytes, arena));
        }
    }

    /**
     * A message with eight wrong bytes is read, or refused with a {@link CodecException}.
     *
     * @param message any message
     * @param place where
     * @param damage the wrong bytes
     */
    @Property(tries = 3000)
    default void damaged_messages_are_read_or_refused(
            @ForAll("lawfulMessages") TestMessage message,
            @ForAll("places") long place,
            @ForAll("damages") long damage) {
        try (var arena = Arena.ofConfined()) {
            var segment = exactly(message.packed(), arena);
            long last = segment.byteSize() - Long.BYTES;
            if (last >= 0) {
                segment.set(JAVA_LONG_UNALIGNED, Math.min(place, last), damage);
            }

            readOrRefuse(message, segment);
        }
    }

    /**
     * A payload that is too small is refused with a {@link CodecException}.
     *
     * @param message any message
     */
    @Property(tries = 300)
    default void a_payload_that_is_too_small_is_refused(@ForAll("lawfulMessages") TestMessage message) {
        int length = message.packed().length;

        for (int capacity = 0; capacity < length; capacity++) {
            var payload = MemorySegment.ofArray(new byte[capacity]);
            assertThrows(CodecException.class, () -> message.pack(payload));
        }
    }

    /** A segment that ends where the message ends, so that a read past its end fails. */
    private static MemorySegment exactly(byte[] message, Arena arena) {
        // Off by one, for messages need no alignment.
        var segment = arena.allocate(message.length + 1).asSlice(1);
        MemorySegment.copy(message, 0, segment, JAVA_BYTE, 0, message.length);
        return segment;
    }

    /** Reads all of a message, or gets the documented exception; any other fails the test. */
    private static void readOrRefuse(TestMessage kind, MemorySegment message) {
        TestMessage reread;
        try {
            reread = kind.reread(message);
        } catch (CodecException refused) {
            return;
        }
        assertEquals(message.byteSize(), reread.packed().length, reread::toString);
    }
}
