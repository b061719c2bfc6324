// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jurom.testing.CLayout;
import dev.jurom.testing.CodecLaws;
import dev.jurom.testing.TestMessage;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.junit.jupiter.api.Test;

/** Tests codecs of record classes. {@link RandomRecordsTest} generates the classes. */
class RecordCodecTest implements CodecLaws {

    private record Inner(byte small, double ratio, String note) {}

    private record Everything(
            boolean flag,
            char letter,
            short count,
            Inner inner,
            float weight,
            @Length(3) int[] numbers,
            @Length(9) String name,
            byte[] data,
            long total) {}

    private record Flat(boolean flag, char letter, short count, float weight, Pair pair, long total) {}

    private record Pair(int left, double right) {}

    private static final StructCodec<Everything> EVERYTHING = StructCodec.ofRecord(Everything.class);
    private static final int CALLS = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static volatile Object sink;

    private static Arbitrary<String> texts(int most) {
        return Arbitraries.oneOf(
                Arbitraries.strings().ascii().excludeChars('\0').ofMaxLength(most),
                Arbitraries.strings().withChars("aä€").ofMaxLength(most / 3));
    }

    @Override
    public Arbitrary<TestMessage> messages() {
        var inner = Combinators.combine(Arbitraries.bytes(), Arbitraries.doubles(), texts(40))
                .as(Inner::new);
        var values = Combinators.combine(
                        Combinators.combine(
                                        Arbitraries.of(true, false), Arbitraries.chars(), Arbitraries.shorts(), inner)
                                .as((flag, letter, count, nested) ->
                                        new Everything(flag, letter, count, nested, 0, null, null, null, 0)),
                        Arbitraries.floats(),
                        Arbitraries.integers().array(int[].class).ofSize(3),
                        texts(8),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(50),
                        Arbitraries.longs())
                .as((first, weight, numbers, name, data, total) -> new Everything(
                        first.flag, first.letter, first.count, first.inner, weight, numbers, name, data, total));
        return TestMessage.of(EVERYTHING, values);
    }

    @Test
    void the_struct_has_the_layout_of_its_declaration() {
        CLayout.of(String.join("\n", EVERYTHING.declarations())).requireSame(EVERYTHING);

        assertEquals(List.of("""
                        struct inner {
                            int8_t small;
                            double ratio;
                            uint32_t note_length; /* of note, behind the struct */
                        };
                        """, """
                        struct everything {
                            uint8_t flag;
                            uint16_t letter;
                            int16_t count;
                            struct inner inner;
                            float weight;
                            int32_t numbers[3];
                            char name[9];
                            uint32_t data_length; /* of data, behind the struct */
                            int64_t total;
                        };
                        """), EVERYTHING.declarations());
    }

    @Test
    void values_are_those_of_the_record() {
        var value = new Everything(
                true,
                '€',
                (short) -2,
                new Inner((byte) -3, 0.5, "näh"),
                1.5f,
                new int[] {1, -2, 3},
                "ä€",
                new byte[5],
                7);
        var payload = MemorySegment.ofArray(new byte[200]);

        var read = EVERYTHING.unpack(payload.asSlice(0, EVERYTHING.pack(value, payload)));

        assertEquals(value.inner, read.inner);
        assertEquals(List.of(true, '€', (short) -2), List.of(read.flag, read.letter, read.count));
        assertEquals("ä€", read.name);
        assertEquals(List.of(1, -2, 3), List.of(read.numbers[0], read.numbers[1], read.numbers[2]));
        assertEquals(5, read.data.length);
        assertEquals(7, read.total);
        assertEquals(1.5f, read.weight);
    }

    /** Returns the bytes that the last calls of an action allocate, after it is compiled. */
    private static long allocated(LongFunction<?> action) {
        var bytes = 0L;
        for (var round = 0; round < 5; round++) {
            var before = THREADS.getCurrentThreadAllocatedBytes();
            for (var i = 0; i < CALLS; i++) {
                sink = action.apply(i);
            }
            bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        return bytes;
    }

    @Test
    void packing_allocates_nothing_and_unpacking_only_the_record() {
        var codec = StructCodec.ofRecord(Flat.class);
        var value = new Flat(true, 'x', (short) 1, 2.5f, new Pair(3, 4.5), 5);
        var payload = MemorySegment.ofArray(new long[20]);
        var message = payload.asSlice(0, codec.pack(value, payload));
        var view = new MessageView();

        var created = allocated(i -> new Flat(true, 'x', (short) 1, 2.5f, new Pair((int) i, 4.5), i));
        var unpacked = allocated(i -> codec.unpack(message, view));
        var packed = allocated(i -> codec.pack(value, payload) == message.byteSize() ? value : null);

        assertTrue(created >= CALLS * 40L, () -> created + " bytes");
        assertTrue(unpacked < created + CALLS, () -> unpacked + " bytes, and the records " + created);
        assertTrue(packed < CALLS, () -> packed + " bytes");
    }

    private record Nothing() {}

    private record Endless(int value, Endless next) {}

    private record Unbounded(int[] numbers) {}

    private record Foreign(List<String> names) {}

    private record Measured(@Length(3) int number) {}

    private record Twice(int maxSize, int max_size) {}

    @Test
    void a_record_without_a_form_in_c_is_rejected() {
        assertRejected(Nothing.class, "no component");
        assertRejected(Endless.class, "contains itself");
        assertRejected(Unbounded.class, "@Length");
        assertRejected(Foreign.class, "names");
        assertRejected(Measured.class, "neither an array nor a String");
        assertRejected(Twice.class, "max_size");
    }

    private static void assertRejected(Class<? extends Record> type, String text) {
        var failure = assertThrows(IllegalArgumentException.class, () -> StructCodec.ofRecord(type));
        assertTrue(failure.getMessage().contains(text), failure.getMessage());
    }

    @Test
    void a_lookup_without_access_is_rejected() {
        var lookup = MethodHandles.publicLookup();

        var failure =
                assertThrows(IllegalArgumentException.class, () -> StructCodec.ofRecord(lookup, Everything.class));

        assertTrue(failure.getMessage().contains("pass a Lookup"), failure.getMessage());
        assertEquals(
                EVERYTHING.declarations(),
                StructCodec.ofRecord(MethodHandles.lookup(), Everything.class).declarations());
    }

    @Test
    void an_array_of_another_length_and_an_unpaired_surrogate_are_rejected() {
        var payload = MemorySegment.ofArray(new byte[200]);
        var inner = new Inner((byte) 0, 0, "");
        for (var value : List.of(
                new Everything(true, 'x', (short) 0, inner, 0, new int[2], "", new byte[0], 0),
                new Everything(true, 'x', (short) 0, inner, 0, new int[3], "123456789", new byte[0], 0),
                new Everything(
                        true, 'x', (short) 0, new Inner((byte) 0, 0, "\ud800"), 0, new int[3], "", new byte[0], 0))) {
            assertThrows(CodecException.class, () -> EVERYTHING.pack(value, payload));
        }
    }
}
