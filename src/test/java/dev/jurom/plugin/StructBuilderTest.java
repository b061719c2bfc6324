// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that invalid descriptions are rejected by the builder. */
class StructBuilderTest {

    private final StructBuilder<MemorySegment> struct = StructBuilder.struct("message");

    @Test
    void offsets_and_sizes_are_those_of_c() {
        var first = struct.u8("first", MemorySegment::byteSize);
        var second = struct.u64("second", MemorySegment::byteSize);
        var third = struct.u16("third", MemorySegment::byteSize);
        var codec = struct.codec(in -> MemorySegment.NULL);

        assertEquals(0, first.offset());
        assertEquals(8, second.offset());
        assertEquals(16, third.offset());
        assertEquals(24, codec.size());
        assertEquals(8, codec.alignment());
    }

    @Test
    void unsigned_integers_have_their_full_range() {
        var small = struct.u32("small", bytes -> 0xFFFF_FFFFL);
        var large = struct.u64("large", bytes -> -1L);
        var negative = struct.s64("negative", bytes -> -1L);
        var many = struct.integers(CInteger.U64, "many", 2, bytes -> new long[] {1, -2});
        var codec = struct.codec(in -> MemorySegment.NULL);
        var message = MemorySegment.ofArray(new byte[(int) codec.size()]);
        var view = new MessageView();
        codec.pack(MemorySegment.NULL, message);
        codec.open(message, view);

        assertEquals(new BigInteger("4294967295"), small.getBigInteger(view));
        assertEquals(new BigInteger("18446744073709551615"), large.getBigInteger(view));
        assertEquals(BigInteger.ONE.negate(), negative.getBigInteger(view));
        assertEquals(new BigInteger("18446744073709551614"), many.getBigInteger(view, 1));
    }

    @Test
    void no_inline_field_may_follow_one_that_extends_to_the_end() {
        struct.rest("rest", bytes -> bytes);

        assertThrows(IllegalStateException.class, () -> struct.rest("more", bytes -> bytes));
    }

    @Test
    void elements_that_extend_to_the_end_cannot_form_arrays_or_sequences() {
        struct.rest("rest", bytes -> bytes);
        var codec = struct.codec(in -> MemorySegment.NULL);
        StructBuilder<List<MemorySegment>> outer = StructBuilder.struct("outer");

        assertThrows(IllegalArgumentException.class, () -> outer.nestedArray("all", codec, 2, list -> list));
        assertThrows(IllegalArgumentException.class, () -> SequenceCodec.of(codec));
    }

    @Test
    void a_finished_builder_rejects_further_fields() {
        struct.u8("only", MemorySegment::byteSize);
        struct.codec(in -> MemorySegment.NULL);

        assertThrows(IllegalStateException.class, () -> struct.u8("late", MemorySegment::byteSize));
        assertThrows(IllegalStateException.class, () -> struct.codec(in -> MemorySegment.NULL));
    }

    @Test
    void structs_without_fields_and_arrays_without_elements_are_rejected() {
        assertThrows(IllegalStateException.class, () -> struct.codec(in -> MemorySegment.NULL));
        assertThrows(IllegalArgumentException.class, () -> struct.bytes("none", 0, bytes -> new byte[0]));
    }

    @Test
    void members_of_a_union_differ_in_tag_and_record() {
        struct.u8("only", MemorySegment::byteSize);
        var codec = struct.codec(in -> MemorySegment.NULL);
        var union = UnionCodec.<Object>tagged("union", CInteger.U8, "kind");

        assertThrows(IllegalStateException.class, union::codec);
        assertThrows(IllegalArgumentException.class, () -> union.member(256, "far", MemorySegment.class, codec));
        union.member(1, "one", MemorySegment.class, codec);
        assertThrows(IllegalArgumentException.class, () -> union.member(2, "two", MemorySegment.class, codec));
        assertThrows(
                IllegalArgumentException.class,
                () -> union.codec().pack("no member", MemorySegment.ofArray(new byte[8])));
    }
}
