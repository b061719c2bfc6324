// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.plugin.Codec;
import java.lang.foreign.MemorySegment;

/** A record that a codec packs. */
record CodecMessage<R>(Codec<R> codec, R value) implements TestMessage {

    @Override
    public long pack(MemorySegment payload) {
        return codec.pack(value, payload);
    }

    @Override
    public TestMessage reread(MemorySegment message) {
        return new CodecMessage<>(codec, codec.unpack(message));
    }

    @Override
    public boolean takesRest() {
        return codec.takesRest();
    }

    @Override
    public String toString() {
        return codec.name() + ": " + value;
    }
}
