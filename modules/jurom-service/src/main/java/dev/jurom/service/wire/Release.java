// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.nio.charset.StandardCharsets;

/**
 * The release of a peer that uses another version of the protocol. The header, the first 24 bytes of a HELLO
 * and an ERROR are the same in every version, so that the error sent to such a peer can name both releases.
 */
public final class Release {

    /** The release of this side; the equivalent in C is {@code JUROM_RELEASE}. */
    public static final String CURRENT = "0.1.0";

    /** Length of the part of a HELLO that is the same in any version, in bytes; it contains the sender's release. */
    public static final int BEGINNING = FrameDecoder.HEADER_SIZE + 8 + FrameRules.RELEASE_SIZE;

    private static final int AT = FrameDecoder.HEADER_SIZE + 8;

    private Release() {}

    /**
     * Returns whether bytes are a header of another version than this side's.
     *
     * @param header 16 bytes
     * @return false also for bytes that are not a header
     */
    public static boolean isForeign(byte[] header) {
        return header[0] == (byte) FrameDecoder.MAGIC
                && header[1] == (byte) (FrameDecoder.MAGIC >>> 8)
                && header[2] != FrameDecoder.VERSION;
    }

    /**
     * Returns the error message for a host of another version.
     *
     * @param beginning up to 40 bytes of its first frame, at least the header
     * @return a sentence that names both releases
     */
    public static String refusalOf(byte[] beginning) {
        return "The host is " + hostOf(beginning) + " with version "
                + Byte.toUnsignedInt(beginning[2]) + " of the protocol; the service is jurom "
                + CURRENT + " with version " + FrameDecoder.VERSION
                + ": install the same release on both sides";
    }

    private static String hostOf(byte[] beginning) {
        var end = AT;
        while (end < beginning.length && beginning[end] > ' ' && beginning[end] < 0x7F) {
            end++;
        }
        return beginning.length < BEGINNING || end == AT
                ? "an older jurom"
                : "jurom " + new String(beginning, AT, end - AT, StandardCharsets.US_ASCII);
    }

    /**
     * Encodes an ERROR for a peer of another version.
     *
     * @param error the error
     * @param version the version of the peer
     * @return the encoded frame
     */
    public static byte[] encode(Frame.Failure error, byte version) {
        var bytes = FrameEncoder.encode(error);
        bytes[2] = version;
        return bytes;
    }
}
