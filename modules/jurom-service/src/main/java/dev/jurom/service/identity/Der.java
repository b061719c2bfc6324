// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** The Distinguished Encoding Rules (DER) of ASN.1, to the extent that a certificate needs them. */
public final class Der {

    private Der() {}

    private static byte[] element(int tag, byte[]... contents) {
        var content = new ByteArrayOutputStream();
        for (var part : contents) {
            content.writeBytes(part);
        }
        var element = new ByteArrayOutputStream();
        element.write(tag);
        var length = BigInteger.valueOf(content.size()).toByteArray();
        if (content.size() > 0x7F) {
            var sign = length[0] == 0 ? 1 : 0; // lengths have no sign byte
            element.write(0x80 | length.length - sign);
            element.write(length, sign, length.length - sign);
        } else {
            element.write(content.size());
        }
        element.writeBytes(content.toByteArray());
        return element.toByteArray();
    }

    /**
     * Encodes a SEQUENCE.
     *
     * @param elements the encoded elements, in this order
     * @return the encoded sequence
     */
    public static byte[] sequence(byte[]... elements) {
        return element(0x30, elements);
    }

    /**
     * Encodes a SET of one element.
     *
     * @param element the encoded element
     * @return the encoded set
     */
    public static byte[] set(byte[] element) {
        return element(0x31, element);
    }

    /**
     * Encodes an element with an explicit tag.
     *
     * @param number the number of the context-specific tag, from 0 to 30
     * @param element the encoded element
     * @return the encoded tag, followed by the element
     */
    public static byte[] explicit(int number, byte[] element) {
        return element(0xA0 | number, element);
    }

    /**
     * Encodes an INTEGER.
     *
     * @param value the number, of any size and sign
     * @return the encoded integer
     */
    public static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    /**
     * Encodes an OBJECT IDENTIFIER.
     *
     * @param encoded the content in its encoded form, each element one byte
     * @return the encoded identifier
     */
    public static byte[] objectId(int... encoded) {
        var bytes = new byte[encoded.length];
        for (var i = 0; i < encoded.length; i++) {
            bytes[i] = (byte) encoded[i];
        }
        return element(0x06, bytes);
    }

    /**
     * Encodes a UTF8String.
     *
     * @param text the text
     * @return the encoded string
     */
    public static byte[] text(String text) {
        return element(0x0C, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Encodes a UTCTime, the format of certificates up to the year 2049.
     *
     * @param text the time as {@code yyMMddHHmmssZ}, which is not checked
     * @return the encoded time
     */
    public static byte[] shortTime(String text) {
        return element(0x17, text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Encodes a GeneralizedTime.
     *
     * @param text the time as {@code yyyyMMddHHmmssZ}, which is not checked
     * @return the encoded time
     */
    public static byte[] longTime(String text) {
        return element(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Encodes a BIT STRING of whole bytes.
     *
     * @param bits the content
     * @return the encoded bit string
     */
    public static byte[] bits(byte[] bits) {
        return element(0x03, new byte[] {0}, bits); // zero unused bits
    }
}
