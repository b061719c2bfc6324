// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class FrameTest {

    private static final Ticket TICKET = Ticket.random(new SecureRandom());

    @Test
    void a_text_of_a_peer_is_quoted_in_part_and_stays_unicode() {
        var long63 = "x".repeat(63);
        assertEquals("\"short\"", FrameRules.quoted("short"));
        assertEquals("\"" + long63 + "...\" (66 characters)", FrameRules.quoted(long63 + "\uD83D\uDE00x"));
    }

    @Test
    void frames_keep_to_one_mebibyte() throws FrameException {
        var room = FrameDecoder.CONTROL_MAX - FrameDecoder.HEADER_SIZE - 8;
        var longest = new Frame.Failure(1, DocaError.IN_USE, "x".repeat(room));
        var bytes = FrameEncoder.encode(longest);
        assertEquals(1 << 20, bytes.length);
        assertEquals(longest, FrameDecoder.decode(bytes));

        var tooLong = new Frame.Failure(1, DocaError.IN_USE, "x".repeat(room + 1));
        assertThrows(IllegalArgumentException.class, () -> FrameEncoder.encode(tooLong));
        bytes[6] = 0x10;
        assertError(DocaError.TOO_BIG, bytes);
    }

    @Test
    void another_version_is_named() {
        var bytes = PeerFrames.encode(new Frame.Pong(1));
        bytes[2] = 9;

        assertTrue(assertError(DocaError.UNSUPPORTED_VERSION, bytes).contains("version 9"));
    }

    /** Decoding what the service has no use for would only give hostile hosts more code to reach. */
    @Test
    void the_service_decodes_only_what_it_receives() {
        var sent = Stream.of(FrameType.values())
                .filter(PeerFrames::isSentByService)
                .toList();
        assertEquals(11, sent.size());
        for (var type : sent) {
            var bytes = new BodyWriter().withHeader(type, 1);
            assertEquals("only a service sends " + type, assertError(DocaError.INVALID_VALUE, bytes));
        }
    }

    private static String assertError(DocaError error, byte[] bytes) {
        var thrown = assertThrows(FrameException.class, () -> FrameDecoder.decode(bytes));
        assertEquals(error, thrown.error());
        return thrown.getMessage();
    }

    @Test
    void records_reject_values_that_their_frame_cannot_carry() {
        assertRefused(() -> new Ticket(TICKET.key(), TICKET.key()));
        assertRefused(() -> new Ticket(TICKET.id(), TICKET.id()));
        assertRefused(() -> new Frame.Failure(1, DocaError.SUCCESS, "fine"));
        assertRefused(() -> new Frame.Failure(1, DocaError.IN_USE, "a\0b"));
        assertRefused(() -> new Frame.Failure(1, DocaError.IN_USE, "\ud800"));
        assertRefused(() -> new Frame.WorkerGone(1, 1, 1, false, "a\0b"));
        assertRefused(() -> spawned(""));
        assertRefused(() -> spawned("unix:/\0"));
        assertRefused(() -> new Frame.Listening(1, 0));
        assertRefused(() -> new Frame.Listening(1, 65_536));
        assertRefused(() -> spawn("NAME"));
        assertRefused(() -> spawn("=value"));
        assertRefused(() -> spawn("A=\0"));
        assertRefused(() -> welcome(""));
        assertRefused(() -> welcome("x".repeat(48)));
        welcome("x".repeat(47));
    }

    private static Frame spawned(String address) {
        return new Frame.Spawned(1, 1, 1, true, OptionalInt.empty(), false, TICKET, address);
    }

    private static Frame spawn(String variable) {
        return Frame.Spawn.of(1, 1, 1).withEnvironment(List.of(variable));
    }

    private static Frame welcome(String plugin) {
        return new Frame.Welcome(1, 1, 1, CpuSet.empty(), List.of(new PluginInfo(1, 1, plugin)));
    }

    @Test
    void a_launch_has_absolute_paths() {
        launch(Optional.empty(), Optional.empty());
        launch(Optional.of("/" + "x".repeat(105)), Optional.of("/"));
        assertRefused(() -> launch(Optional.of("/" + "x".repeat(106)), Optional.empty()));
        assertRefused(() -> launch(Optional.of("/" + "\u00f6".repeat(53)), Optional.empty()));
        assertRefused(() -> launch(Optional.of(""), Optional.empty()));
        assertRefused(() -> launch(Optional.of("run/socket"), Optional.empty()));
        assertRefused(() -> launch(Optional.of("/a\0b"), Optional.empty()));
        assertRefused(() -> launch(Optional.empty(), Optional.of("")));
        assertRefused(() -> launch(Optional.empty(), Optional.of("group")));
        assertRefused(() -> launch(Optional.empty(), Optional.of("/\ud800")));
    }

    private static Frame launch(Optional<String> socketPath, Optional<String> cgroup) {
        return launch(List.of(), socketPath, cgroup);
    }

    private static Frame launch(List<Long> limits, Optional<String> socketPath, Optional<String> cgroup) {
        return Frame.Launch.of(1, 0)
                .withLimits(limits)
                .withSocketPath(socketPath)
                .withCgroup(cgroup)
                .withEnvironment(List.of("PASSWORD=secret"));
    }

    @Test
    void a_launch_has_a_limit_for_each_resource_at_most() {
        launch(Collections.nCopies(16, -1L), Optional.empty(), Optional.empty());
        assertRefused(() -> launch(Collections.nCopies(17, 0L), Optional.empty(), Optional.empty()));
    }

    @Test
    void a_binding_is_an_address_and_a_range_of_ports() {
        new Binding("::1", 0, 0, false);
        new Binding("::1", 1, 65_535, false);
        assertRefused(() -> new Binding("", 0, 0, false));
        assertRefused(() -> new Binding("::1", 0, 1, false));
        assertRefused(() -> new Binding("::1", 2, 1, false));
        assertRefused(() -> new Binding("::1", 1, 65_536, false));
        assertRefused(() -> new Binding("::1", -1, 1, false));
    }

    private static void assertRefused(Executable executable) {
        assertThrows(IllegalArgumentException.class, executable);
    }

    @Test
    void the_key_of_a_ticket_is_not_printed() {
        var id = HexFormat.of().formatHex(TICKET.id().toArray());

        assertEquals("Ticket[id=" + id + "]", TICKET.toString());
        assertEquals(
                "Spawned[requestId=1, workerId=1, processId=1, newProcess=true,"
                        + " group=OptionalInt.empty, offersUcx=false, ticket=Ticket[id=" + id
                        + "], address=unix:/s]",
                spawned("unix:/s").toString());
        assertEquals(
                "Admit[requestId=1, ticket=Ticket[id=" + id + "], session=2,"
                        + " lifetimeMillis=3, binding=Optional.empty]",
                new Frame.Admit(1, TICKET, 2, 3, Optional.empty()).toString());
    }

    @Test
    void environments_are_not_printed() {
        assertFalse(launch(Optional.empty(), Optional.empty()).toString().contains("secret"));
        assertFalse(spawn("PASSWORD=secret").toString().contains("secret"));
    }
}
