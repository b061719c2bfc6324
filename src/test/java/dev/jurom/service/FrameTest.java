// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class FrameTest {

    private static final int MAX_MESSAGE_SIZE = 4096;
    private static final Bytes TOKEN = Bytes.of(new byte[Frame.TOKEN_SIZE]);

    @Test
    void commands_keep_to_the_maximum_message_size() throws FrameException {
        var command = FrameEncoder.encode(new Frame.Command(1, 1, Bytes.of(new byte[100])));

        assertEquals(command.length, FrameDecoder.length(command, command.length));
        assertError(DocaError.TOO_BIG, command, command.length - 1);
    }

    @Test
    void other_frames_keep_to_one_mebibyte() throws FrameException {
        var room = FrameDecoder.CONTROL_MAX - FrameDecoder.HEADER_SIZE;
        var longest = FrameEncoder.encode(new Frame.Domain(1, Bytes.of(new byte[room])));
        assertEquals(1 << 20, longest.length);
        FrameDecoder.decode(longest, MAX_MESSAGE_SIZE);

        var tooLong = new Frame.Domain(1, Bytes.of(new byte[room + 1]));
        assertThrows(IllegalArgumentException.class, () -> FrameEncoder.encode(tooLong));
    }

    @Test
    void another_version_is_named() {
        var bytes = FrameEncoder.encode(new Frame.Detach(1));
        bytes[2] = 9;

        assertTrue(assertError(DocaError.UNSUPPORTED_VERSION, bytes, MAX_MESSAGE_SIZE)
                .contains("version 9"));
    }

    private static String assertError(DocaError error, byte[] bytes, int maxMessageSize) {
        var thrown = assertThrows(FrameException.class,
                () -> FrameDecoder.decode(bytes, maxMessageSize));
        assertEquals(error, thrown.error());
        return thrown.getMessage();
    }

    @Test
    void records_refuse_what_their_frame_cannot_carry() {
        assertRefused(() -> new Frame.Hello(1, Bytes.of(new byte[31]), 1, 1));
        assertRefused(() -> new Frame.Failure(1, DocaError.SUCCESS, "fine"));
        assertRefused(() -> new Frame.Failure(1, DocaError.IN_USE, "a\0b"));
        assertRefused(() -> new Frame.Failure(1, DocaError.IN_USE, "\ud800"));
        assertRefused(() -> new Frame.Ready(1, 1, Bytes.of()));
        assertRefused(() -> spawn("NAME"));
        assertRefused(() -> spawn("=value"));
        assertRefused(() -> spawn("A=\0"));
        assertRefused(() -> welcome(""));
        assertRefused(() -> welcome("x".repeat(48)));
        welcome("x".repeat(47));
    }

    private static Frame spawn(String variable) {
        return new Frame.Spawn(1, 1, 1, OptionalInt.empty(), Optional.empty(), List.of(variable));
    }

    private static Frame welcome(String plugin) {
        return new Frame.Welcome(1, TOKEN, 1, 1, CpuSet.empty(),
                List.of(new PluginInfo(1, 1, plugin)));
    }

    private static void assertRefused(Executable executable) {
        assertThrows(IllegalArgumentException.class, executable);
    }

    @Test
    void secrets_are_not_printed() {
        var secret = new byte[Frame.MAC_SIZE];
        secret[0] = 77;

        assertEquals("Authenticate[requestId=1, mac=32 bytes]",
                new Frame.Authenticate(1, Bytes.of(secret)).toString());
    }
}
