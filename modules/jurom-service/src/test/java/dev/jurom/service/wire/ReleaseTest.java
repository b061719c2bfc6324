// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the part that is read of frames of other versions of the protocol. */
class ReleaseTest {

    private static final byte VERSION = 9;
    private static final int RELEASE = FrameDecoder.HEADER_SIZE + 8;

    private static byte[] hello(String release) {
        var bytes = PeerFrames.encode(new Frame.Hello(1, 4096, release));
        bytes[2] = VERSION;
        return bytes;
    }

    @Test
    void only_a_header_of_another_version_is_foreign() {
        var bytes = hello("1.2");
        assertTrue(Release.isForeign(bytes));
        for (var at = 0; at < 2; at++) {
            var damaged = bytes.clone();
            damaged[at]++;
            assertFalse(Release.isForeign(damaged));
        }
        bytes[2] = FrameDecoder.VERSION;
        assertFalse(Release.isForeign(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "!~", "fifteen.bytes.1"})
    void the_error_names_both_releases(String release) {
        assertEquals(
                "The host is jurom " + release + " with version 9 of the protocol; the service is jurom "
                        + Release.CURRENT + " with version " + FrameDecoder.VERSION
                        + ": install the same release on both sides",
                Release.refusalOf(hello(release)));
    }

    @Test
    void a_beginning_without_a_release_is_of_an_older_host() {
        var bytes = hello("1.2");
        assertOlder(Arrays.copyOf(bytes, Release.BEGINNING - 1));
        assertOlder(Arrays.copyOf(bytes, FrameDecoder.HEADER_SIZE));
        bytes[RELEASE] = ' ';
        assertOlder(bytes);
        bytes[RELEASE] = 0x7F;
        assertOlder(bytes);
    }

    private static void assertOlder(byte[] beginning) {
        assertTrue(Release.refusalOf(beginning).startsWith("The host is an older jurom with version 9 "));
    }

    @Test
    void a_release_without_an_end_is_read_to_the_end_of_its_field() {
        var bytes = hello("1.2");
        Arrays.fill(bytes, RELEASE, Release.BEGINNING, (byte) 'x');

        assertTrue(Release.refusalOf(Arrays.copyOf(bytes, Release.BEGINNING))
                .startsWith("The host is jurom " + "x".repeat(16) + " with"));
    }
}
