// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.plugin.MessageKind.Sample;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** What holds for every message of every codec. */
class CodecPropertiesTest {

    private static CTwin twin;

    @BeforeContainer
    static void compileTwin() {
        twin = new CTwin();
    }

    @AfterContainer
    static void removeTwin() throws IOException {
        twin.close();
    }

    @Property(tries = 50)
    void packed_bytes_are_those_of_the_c_compiler(@ForAll("batches") List<Sample<?>> batch) {
        var inC = twin.pack(batch.stream().map(Sample::text).toList());

        assertEquals(batch.size(), inC.size());
        for (int i = 0; i < batch.size(); i++) {
            assertArrayEquals(inC.get(i), batch.get(i).packed(), batch.get(i).toString());
        }
    }

    @Property
    void what_is_unpacked_is_what_was_packed(@ForAll("samples") Sample<?> sample) {
        try (var arena = Arena.ofConfined()) {
            var packed = sample.packed();

            var reread = sample.reread(exactly(packed, arena));

            assertEquals(sample.text(), reread.text());
            assertArrayEquals(packed, reread.packed());
        }
    }

    @Property(tries = 300)
    void a_message_cut_short_anywhere_is_refused(@ForAll("samples") Sample<?> sample) {
        try (var arena = Arena.ofConfined()) {
            var packed = sample.packed();

            for (int length = 0; length < packed.length; length++) {
                var cut = exactly(Arrays.copyOf(packed, length), arena);
                if (sample.kind().takesRest()) {
                    readOrRefuse(sample, cut);
                } else {
                    assertThrows(CodecException.class, () -> sample.reread(cut));
                }
            }
        }
    }

    @Property(tries = 300)
    void bytes_behind_a_message_are_refused_unless_they_belong_to_it(
            @ForAll("samples") Sample<?> sample, @ForAll @Size(min = 1, max = 50) byte[] behind) {
        try (var arena = Arena.ofConfined()) {
            var packed = sample.packed();
            var longer = Arrays.copyOf(packed, packed.length + behind.length);
            System.arraycopy(behind, 0, longer, packed.length, behind.length);
            var message = exactly(longer, arena);

            if (sample.kind().takesRest()) {
                readOrRefuse(sample, message);
            } else {
                assertThrows(CodecException.class, () -> sample.reread(message));
            }
        }
    }

    @Property
    void random_bytes_are_read_or_refused(@ForAll("samples") Sample<?> sample,
            @ForAll @Size(max = 150) byte[] bytes) {
        try (var arena = Arena.ofConfined()) {
            readOrRefuse(sample, exactly(bytes, arena));
        }
    }

    @Property(tries = 3000)
    void damaged_messages_are_read_or_refused(@ForAll("samples") Sample<?> sample,
            @ForAll("places") long place, @ForAll("damages") long damage) {
        try (var arena = Arena.ofConfined()) {
            var message = exactly(sample.packed(), arena);
            long last = message.byteSize() - Long.BYTES;
            if (last >= 0) {
                message.set(JAVA_LONG_UNALIGNED, Math.min(place, last), damage);
            }

            readOrRefuse(sample, message);
        }
    }

    @Property(tries = 300)
    void a_payload_that_is_too_small_is_refused(@ForAll("samples") Sample<?> sample) {
        int length = sample.packed().length;

        for (int capacity = 0; capacity < length; capacity++) {
            var payload = MemorySegment.ofArray(new byte[capacity]);
            assertThrows(CodecException.class, () -> sample.pack(payload));
        }
    }

    @Provide
    Arbitrary<Sample<?>> samples() {
        return Arbitraries.oneOf(MessageKind.all().stream()
                .<Arbitrary<Sample<?>>>map(kind -> kind.samples().map(sample -> sample)).toList())
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<List<Sample<?>>> batches() {
        return samples().list().ofMinSize(50).ofMaxSize(200);
    }

    @Provide
    Arbitrary<Long> places() {
        return Arbitraries.longs().between(0, 200).withoutEdgeCases();
    }

    /** What a field may be damaged with: edges of sizes and lengths, and anything. */
    @Provide
    Arbitrary<Long> damages() {
        return Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(-2, 80),
                Arbitraries.of(Long.MAX_VALUE, Long.MIN_VALUE, 0xFFFF_FFFFL, 1L << 32))
                .withoutEdgeCases();
    }

    /** A segment that ends where the message ends, so that a read past its end fails. */
    private static MemorySegment exactly(byte[] message, Arena arena) {
        // Off by one, for messages need no alignment.
        var segment = arena.allocate(message.length + 1).asSlice(1);
        MemorySegment.copy(message, 0, segment, JAVA_BYTE, 0, message.length);
        return segment;
    }

    /** Reads all of a message, or gets the documented exception; any other fails the test. */
    private static void readOrRefuse(Sample<?> sample, MemorySegment message) {
        Sample<?> reread;
        try {
            reread = sample.reread(message);
        } catch (CodecException refused) {
            return;
        }
        assertEquals(message.byteSize(), reread.packed().length, reread::toString);
    }
}
