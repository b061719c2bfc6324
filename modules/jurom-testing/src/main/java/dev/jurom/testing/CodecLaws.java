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
 * Properties of every codec, for every message. jqwik tests them for a test class that implements
 * this interface:
 *
 * {@snippet class="dev.jurom.testing.CodecLawsTest" region="laws"}
 */
public interface CodecLaws {

    /**
     * Returns the commands to test with.
     *
     * @return messages, for example of {@link TestMessage#of}
     */
    Arbitrary<? extends TestMessage> messages();

    /**
     * Returns the responses to test with.
     *
     * @return messages, for example of {@link TestMessage#of}; by default the commands, for a
     *         plugin whose responses have no codec
     */
    default Arbitrary<? extends TestMessage> responses() {
        return messages();
    }

    /**
     * Returns the messages to test with, for jqwik.
     *
     * @return the messages of {@link #messages} and {@link #responses}, half of each
     */
    @Provide
    default Arbitrary<? extends TestMessage> lawfulMessages() {
        return Arbitraries.oneOf(messages().map(message -> message), responses().map(message -> message));
    }

    /**
     * Returns the offsets at which messages are corrupted.
     *
     * @return offsets in bytes
     */
    @Provide
    default Arbitrary<Long> places() {
        return Arbitraries.longs().between(0, 200).withoutEdgeCases();
    }

    /**
     * Returns the values with which messages are corrupted.
     *
     * @return limits of sizes and lengths, and arbitrary numbers
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
     * Unpacking a packed message returns the same message: it has the same bytes.
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
     * A truncated message is rejected, unless its last part is variable.
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
     * Bytes after a message are rejected, unless its last part is variable.
     *
     * @param message any message
     * @param behind the bytes after it
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
     * Arbitrary bytes are unpacked, or rejected with a {@link CodecException}.
     *
     * @param message any message
     * @param bytes the bytes to unpack as a message of the same kind
     */
    @Property
    default void random_bytes_are_read_or_refused(
            @ForAll("lawfulMessages") TestMessage message, @ForAll @Size(max = 150) byte[] bytes) {
        try (var arena = Arena.ofConfined()) {
            readOrRefuse(message, exactly(bytes, arena));
        }
    }

    /**
     * A message with eight corrupted bytes is unpacked, or rejected with a {@link CodecException}.
     *
     * @param message any message
     * @param place the offset of the corrupted bytes
     * @param damage the corrupted bytes
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
     * A payload that is too small is rejected with a {@link CodecException}.
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

    /** Returns a segment that ends at the end of the message, so that a read past the end fails. */
    private static MemorySegment exactly(byte[] message, Arena arena) {
        // Not aligned, because messages need no alignment.
        var segment = arena.allocate(message.length + 1).asSlice(1);
        MemorySegment.copy(message, 0, segment, JAVA_BYTE, 0, message.length);
        return segment;
    }

    /**
     * Unpacks a whole message, or receives the documented exception; any other one fails the test.
     */
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
