// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.Arbitrary;

/** A message that {@link CodecLaws} are tried with. Immutable. */
public interface TestMessage {

    /** Bytes that any message of a test fits into. */
    int CAPACITY = 1 << 16;

    /**
     * Packs the message at the start of a segment.
     *
     * @param payload where it goes; it need not be aligned
     * @return its length in bytes
     * @throws dev.jurom.plugin.CodecException if it does not fit
     */
    long pack(MemorySegment payload);

    /**
     * Unpacks a message of the same kind.
     *
     * @param message exactly its bytes
     * @return what they say
     * @throws dev.jurom.plugin.CodecException if they are no message of that kind
     */
    TestMessage reread(MemorySegment message);

    /**
     * Whether its last part is whatever remains of a message, so that a longer or shorter message
     * may be one too.
     *
     * @return whether bytes behind a message belong to it
     */
    boolean takesRest();

    /**
     * The bytes of the message.
     *
     * @return a new array
     * @throws dev.jurom.plugin.CodecException if there are more than {@value #CAPACITY}
     */
    default byte[] packed() {
        var payload = MemorySegment.ofArray(new byte[CAPACITY]);
        payload.fill((byte) 0xA5);
        return payload.asSlice(0, pack(payload)).toArray(JAVA_BYTE);
    }

    /**
     * Messages of a codec.
     *
     * @param <R> the records that it packs
     * @param codec the codec
     * @param values records, such as jqwik makes
     * @return a message for each of them
     */
    static <R> Arbitrary<TestMessage> of(Codec<R> codec, Arbitrary<R> values) {
        return values.map(value -> new CodecMessage<>(codec, value));
    }
}
