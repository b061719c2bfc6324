// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the limits of fields, and the errors for values beyond them. */
class FrameFieldsTest {

    private static final int BODY = FrameDecoder.HEADER_SIZE;

    private static String rejection(byte[] bytes) {
        var thrown = assertThrows(FrameException.class, () -> FrameDecoder.decode(bytes));
        assertEquals(DocaError.INVALID_VALUE, thrown.error());
        return thrown.getMessage();
    }

    private static String rejection(Runnable construction) {
        return assertThrows(IllegalArgumentException.class, construction::run).getMessage();
    }

    private static byte[] encode(Frame frame) {
        return PeerFrames.encode(frame);
    }

    private static Frame.Spawn spawn(String... environment) {
        return Frame.Spawn.of(1, 1, 1).withEnvironment(List.of(environment));
    }

    @Test
    void the_code_of_each_type_is_known_and_no_other() {
        var known = Stream.of(FrameType.values()).map(FrameType::code).collect(Collectors.toSet());
        var found = IntStream.range(-128, 128)
                .filter(code -> FrameType.of((byte) code).isPresent())
                .mapToObj(code -> (byte) code)
                .collect(Collectors.toSet());

        assertEquals(known, found);
        assertEquals(Set.of(), FrameType.of((byte) 0).stream().collect(Collectors.toSet()));
    }

    @Test
    void an_error_has_any_status_but_success() throws FrameException {
        for (var error : DocaError.values()) {
            if (!error.isSuccess()) {
                var failure = new Frame.Failure(1, error, "");
                assertEquals(failure, FrameDecoder.decode(encode(failure)));
            }
        }
        var bytes = encode(new Frame.Failure(1, DocaError.IN_USE, ""));
        for (var status : List.of(0, DocaError.values().length, 0xFF)) {
            bytes[BODY] = status.byteValue();
            assertEquals("the status " + status + " is not an error", rejection(bytes));
        }
    }

    @Test
    void texts_of_64_characters_are_quoted_whole() {
        assertEquals('"' + "x".repeat(64) + '"', FrameRules.quoted("x".repeat(64)));
        assertEquals('"' + "x".repeat(64) + "...\" (65 characters)", FrameRules.quoted("x".repeat(65)));
    }

    @Test
    void names_are_texts_of_limited_length() {
        assertTrue(rejection(() -> new Frame.Hello(1, 4096, ""))
                .startsWith("a release has 1 to 15 bytes, and \"\" has 0"));
        assertTrue(rejection(() -> new Frame.Hello(1, 4096, "a\0b")).contains("NUL"));
        assertTrue(rejection(() -> welcome("\0a")).contains("NUL"));
        assertTrue(rejection(() -> welcome("\ud800")).contains("Unicode"));
        assertTrue(rejection(() -> welcome("x".repeat(48))).startsWith("a plugin name has 1 to 47 bytes"));
    }

    private static Frame welcome(String plugin) {
        return new Frame.Welcome(1, 4096, 1, CpuSet.empty(), List.of(new PluginInfo(1, 1, plugin)));
    }

    @Test
    void a_name_that_fills_its_field_is_rejected() {
        var bytes = encode(new Frame.Hello(1, 4096, "x".repeat(15)));
        bytes[BODY + 8 + 15] = 'x';

        assertTrue(rejection(bytes).startsWith("a release has 1 to 15 bytes"));
    }

    @Test
    void a_frame_that_ends_within_a_field_is_rejected() {
        for (var frame : List.of(new Frame.Hello(1, 4096, "1.2"), spawn("A=1"), new Frame.Release(1, 7))) {
            var bytes = encode(frame);
            for (var length = BODY; length < bytes.length; length++) {
                var cut = Arrays.copyOf(bytes, length);
                cut[4] = (byte) (length - BODY);
                rejection(cut);
            }
        }
        var cut = Arrays.copyOf(encode(new Frame.Hello(1, 4096, "1.2")), BODY + 9);
        cut[4] = 9;
        assertEquals("a field of 16 bytes does not fit in the 1 that are left", rejection(cut));
    }

    @Test
    void unknown_flags_are_named() {
        var bytes = encode(spawn("A=1"));
        bytes[BODY + 16 + 3] = (byte) 0x80;

        assertEquals("the flags 0x80000000 are unknown", rejection(bytes));
    }

    @Test
    void an_environment_has_as_many_strings_as_it_announces() throws FrameException {
        var bytes = encode(spawn("A=1", "B="));
        var at = BODY + 16 + 4 + 4 + BodyReader.CPU_SET_SIZE;
        assertEquals(2, bytes[at]);
        assertInstanceOf(Frame.Spawn.class, FrameDecoder.decode(bytes));

        bytes[at] = 1;
        assertEquals("1 environment strings are announced and more follow", rejection(bytes));
        bytes[at] = 3;
        assertTrue(rejection(bytes).contains("3"));
    }

    @Test
    void the_number_of_environment_strings_is_read_without_decoding() {
        var bytes = encode(spawn("A=1", "B="));
        var end = BODY + 16 + 4 + 4 + BodyReader.CPU_SET_SIZE + 4 + 4; // of the part with a fixed length

        assertEquals(2, FrameDecoder.environmentStrings(bytes));
        assertEquals(2, FrameDecoder.environmentStrings(Arrays.copyOf(bytes, end)));
        assertEquals(0, FrameDecoder.environmentStrings(Arrays.copyOf(bytes, end - 1)));
        bytes[3] = FrameType.WELCOME.code();
        assertEquals(0, FrameDecoder.environmentStrings(bytes));
    }

    @Test
    void a_spawn_is_printed_with_its_number_of_variables() {
        assertTrue(spawn("A=1").toString().endsWith("1 variables]"));
        var launch = Frame.Launch.of(1, 0).withEnvironment(List.of("PASSWORD=secret"));
        assertTrue(launch.toString().endsWith("1 variables]"));
    }

    @Test
    void the_variables_of_a_launch_are_names_and_values() {
        assertTrue(rejection(() -> Frame.Launch.of(1, 0).withEnvironment(List.of("NAME")))
                .endsWith("is not NAME=value"));
    }
}
