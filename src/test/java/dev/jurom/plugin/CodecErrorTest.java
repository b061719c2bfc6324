// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.plugin.CodecExampleTest.Resize;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.rdmo.RdmoCodec;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.rdmo.RdmoRequestCodec;
import dev.jurom.plugin.rdmo.ScatterVector;
import dev.jurom.plugin.sandbox.SandboxCommand;
import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.UcxLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that every error contains the field, its offset and the sizes. */
class CodecErrorTest {

    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    private final MemorySegment payload = MemorySegment.ofArray(new byte[100]);

    @Test
    void a_value_out_of_range_is_reported() {
        assertRefused(
                "resize_cmd.width at offset 8: 65536 does not fit into uint16_t (0 to 65535)",
                () -> Resize.CODEC.pack(new Resize(1, 65536, 0, "", NONE), payload));
        assertRefused(
                "resize_cmd.height at offset 10: -1 does not fit into uint16_t (0 to 65535)",
                () -> Resize.CODEC.pack(new Resize(1, 0, -1, "", NONE), payload));
    }

    @Test
    void a_text_that_is_too_long_is_reported() {
        assertRefused(
                "resize_cmd.filter at offset 12: the text's 16 bytes and a NUL do not fit" + " into 16",
                () -> Resize.CODEC.pack(new Resize(1, 0, 0, "bicubic-filtered", NONE), payload));
        assertRefused(
                "resize_cmd.filter at offset 12: the text's 16 bytes and a NUL do not fit" + " into 16",
                () -> Resize.CODEC.pack(new Resize(1, 0, 0, "\u00e4".repeat(8), NONE), payload));
    }

    @Test
    void a_text_that_c_cannot_represent_is_reported() {
        assertRefused(
                "resize_cmd.filter at offset 12: the text has a NUL at index 1, which would" + " terminate it",
                () -> Resize.CODEC.pack(new Resize(1, 0, 0, "a\0b", NONE), payload));
        assertRefused(
                "resize_cmd.filter at offset 12: the text has an unpaired surrogate, which" + " UTF-8 cannot encode",
                () -> Resize.CODEC.pack(new Resize(1, 0, 0, "\ud83d", NONE), payload));
    }

    @Test
    void a_text_without_nul_or_valid_utf_8_is_reported() {
        long length = Resize.CODEC.pack(new Resize(1, 0, 0, "abc", NONE), payload);
        var message = payload.asSlice(0, length);

        message.asSlice(12, 16).fill((byte) 'x');
        assertRefused(
                "resize_cmd.filter at offset 12: no NUL terminates the text within its 16 bytes",
                () -> Resize.CODEC.unpack(message));
        message.asSlice(12, 16).fill((byte) 0);
        message.asSlice(12, 1).fill((byte) 0xFF);
        assertRefused(
                "resize_cmd.filter at offset 12: its 1 bytes of text are not UTF-8",
                () -> Resize.CODEC.unpack(message));
    }

    @Test
    void a_payload_that_is_too_small_is_reported_with_the_remaining_size() {
        assertRefused(
                "resize_cmd at offset 0: its 48 bytes do not fit into the 40 that remain of" + " the payload of 40",
                () -> Resize.CODEC.pack(new Resize(1, 2, 3, "", NONE), payload.asSlice(0, 40)));
        assertRefused(
                "resize_cmd.pixels at offset 48: its 60 bytes do not fit into the 52 that"
                        + " remain of the payload of 100",
                () -> Resize.CODEC.pack(new Resize(1, 2, 3, "", bytes(60)), payload));
    }

    @Test
    void a_message_of_wrong_length_is_reported_with_both_sizes() {
        long length = Resize.CODEC.pack(new Resize(1, 2, 3, "", bytes(10)), payload);

        assertRefused(
                "resize_cmd at offset 0: its 48 bytes do not fit into the 47 that remain of" + " the message of 47",
                () -> Resize.CODEC.unpack(payload.asSlice(0, 47)));
        assertRefused(
                "resize_cmd.pixels at offset 48: the struct announces 10 bytes, but 9 remain" + " of the message of 57",
                () -> Resize.CODEC.unpack(payload.asSlice(0, length - 1)));
        assertRefused(
                "resize_cmd at offset 0: the message should end after 58 bytes, but has 59",
                () -> Resize.CODEC.unpack(payload.asSlice(0, length + 1)));
    }

    @Test
    void a_length_of_64_bits_is_not_treated_as_negative() {
        long length = RdmoCodec.COMMAND.pack(new RdmoCommand.RegisterMemory(1, 2, bytes(8), bytes(8)), payload);
        var message = payload.asSlice(0, length);
        message.set(JAVA_LONG_UNALIGNED, 8 + 24, -8); // packed_rkey_len
        message.set(JAVA_LONG_UNALIGNED, 8 + 40, 24); // packed_memh_len: total 16

        assertRefused(
                "urom_worker_rdmo_cmd_mr_reg.packed_rkey at offset 56: the struct announces"
                        + " 18446744073709551608 bytes, but 16 remain of the message of 72",
                () -> RdmoCodec.COMMAND.unpack(message));
    }

    @Test
    void an_unknown_tag_is_reported_with_the_known_ones() {
        var message = MemorySegment.ofArray(new byte[56]);
        message.fill((byte) 0xFF);

        assertRefused(
                "urom_worker_rdmo_cmd.type at offset 0: 18446744073709551615 is none of 0"
                        + " (client_init), 1 (rq_create), 2 (rq_destroy), 3 (mr_reg), 4 (mr_dereg)",
                () -> RdmoCodec.COMMAND.unpack(message));
        assertRefused(
                "urom_rdmo_hdr.op_id at offset 8: 4294967295 is none of 0 (flush)," + " 1 (append), 2 (scatter)",
                () -> RdmoRequestCodec.unpack(message));
        assertRefused(
                "urom_worker_notify_graph.type at offset 0: is 18446744073709551615 where 0" + " was expected",
                () -> GraphCodec.loopbackData(message));
    }

    @Test
    void inline_bytes_with_a_wrong_length_are_reported() {
        var send = new SandboxCommand.Send(1, 2, 3, 8, 5, 0, bytes(7));

        assertRefused(
                "urom_worker_sandbox_cmd_tag_send.payload at offset 64: has 7 bytes where the" + " struct announces 8",
                () -> SandboxCommandCodec.of(UcxLayout.UCX_1_13).pack(send, payload));
    }

    @Test
    void the_offset_is_relative_to_the_start_of_the_message() {
        var vectors = List.of(new ScatterVector(1, 2, bytes(5)), new ScatterVector(3, 4, bytes(65536)));

        var refused = assertThrows(CodecException.class, () -> RdmoRequestCodec.VECTORS.pack(vectors, payload));

        assertEquals("urom_rdmo_scatter_iov.len", refused.field());
        assertEquals(24 + 5 + 16, refused.offset());
    }

    @Test
    void a_fixed_array_of_wrong_length_is_reported() {
        StructBuilder<long[]> struct = StructBuilder.struct("table");
        struct.u8("kind", table -> 0);
        struct.integers(CInteger.S16, "rows", 3, table -> table);
        var codec = struct.codec(in -> new long[0]);

        assertRefused(
                "table.rows at offset 2: holds exactly 3 integers, not 2", () -> codec.pack(new long[2], payload));
        assertRefused(
                "table.rows at offset 2: element 1: 32768 does not fit into int16_t (-32768" + " to 32767)",
                () -> codec.pack(new long[] {0, 32768, 0}, payload));
    }

    @Test
    void a_record_that_rejects_its_values_is_a_codec_exception() {
        StructBuilder<Thread.State> struct = StructBuilder.struct("state");
        var ordinal = struct.u32("ordinal", Thread.State::ordinal);
        var codec = struct.codec(in -> {
            throw new IllegalArgumentException("no state " + ordinal.getInt(in));
        });
        var message = MemorySegment.ofArray(new byte[] {9, 0, 0, 0});

        assertRefused("state at offset 0: its record rejects the values: no state 9", () -> codec.unpack(message));
        message.fill((byte) 0xFF);
        assertRefused(
                "state.ordinal at offset 0: 4294967295 does not fit into a Java int", () -> codec.unpack(message));
    }

    @Test
    void a_field_outside_the_message_is_rejected_without_a_codec() {
        StructBuilder<Long> struct = StructBuilder.struct("pair");
        struct.u32("first", value -> value);
        var second = struct.u32("second", value -> value);

        assertRefused(
                "pair.second at offset 4: its 4 bytes lie outside the message of 7",
                () -> second.get(payload.asSlice(0, 7), 0));
        assertRefused(
                "pair.second at offset 101: its 4 bytes lie outside the message of 100",
                () -> second.set(payload, 97, 1));
        assertRefused(
                "pair.second at offset 3: its 4 bytes lie outside the message of 100", () -> second.get(payload, -1));
        assertRefused(
                "pair.second at offset -9223372036854775805: its 4 bytes lie outside the" + " message of 100",
                () -> second.get(payload, Long.MAX_VALUE));
    }

    @Test
    void closed_memory_and_empty_views_are_errors_of_the_caller() {
        MemorySegment gone;
        try (var arena = Arena.ofConfined()) {
            gone = arena.allocate(48);
        }

        assertThrows(IllegalStateException.class, () -> Resize.CODEC.unpack(gone));
        assertThrows(IllegalStateException.class, () -> RdmoCodec.COMMAND.enter(new MessageView()));
    }

    private static MemorySegment bytes(int count) {
        return MemorySegment.ofArray(new byte[count]);
    }

    private static void assertRefused(String text, Executable action) {
        assertEquals(text, assertThrows(CodecException.class, action).getMessage());
    }
}
