// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.nio.charset.StandardCharsets;

/**
 * The release of a peer that speaks another version of the protocol. The header, the first 24 bytes
 * of a HELLO and an ERROR are the same in every version, so that such a peer can be told who does
 * not fit whom.
 */
public final class Release {

    /** This side's own; its twin in C is {@code JUROM_RELEASE}. */
    public static final String CURRENT = "0.1.0";

    /** Bytes of a HELLO of any version that tell its sender's release. */
    public static final int BEGINNING = FrameDecoder.HEADER_SIZE + 8 + FrameRules.RELEASE_SIZE;

    private static final int AT = FrameDecoder.HEADER_SIZE + 8;

    private Release() {}

    /**
     * Whether bytes are a header of another version than this side's.
     *
     * @param header 16 bytes
     * @return false also for what is no header
     */
    public static boolean isForeign(byte[] header) {
        return header[0] == (byte) FrameDecoder.MAGIC
                && header[1] == (byte) (FrameDecoder.MAGIC >>> 8)
                && header[2] != FrameDecoder.VERSION;
    }

    /**
     * What a service says to a host of another version.
     *
     * @param beginning of its first frame, as much of 40 bytes as there is, but all of the header
     * @return a sentence that names both
     */
    public static String refusalOf(byte[] beginning) {
        return "The host is " + hostOf(beginning) + " and speaks version "
                + Byte.toUnsignedInt(beginning[2]) + " of the protocol; the service is jurom "
                + CURRENT + " and speaks version " + FrameDecoder.VERSION
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
     * An ERROR as a peer of another version reads it.
     *
     * @param error what went wrong
     * @param version that of the peer
     * @return its bytes
     */
    public static byte[] encode(Frame.Failure error, byte version) {
        var bytes = FrameEncoder.encode(error);
        bytes[2] = version;
        return bytes;
    }
}
