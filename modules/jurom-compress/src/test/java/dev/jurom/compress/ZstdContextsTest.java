// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ZstdContextsTest {

    private static final int CORES = 4;
    private static final long LIMIT = 64 << 20;

    /** Any order of uses keeps the limits. */
    @Property
    void idle_contexts_are_bounded_by_the_cores_and_by_their_memory(
            @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 32 << 20) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 8) int inUse) {
        try (var contexts = new ZstdContexts(CORES)) {
            var taken = new ArrayList<ZstdContexts.Compressor>();
            for (var size : sizes) {
                taken.add(contexts.takeCompressor(size));
                if (taken.size() == inUse) {
                    taken.forEach(contexts::release);
                    taken.clear();
                }
                assertTrue(contexts.idle() <= CORES);
                assertTrue(contexts.memory() >= 0 && contexts.memory() <= LIMIT);
            }
            taken.forEach(contexts::release);
        }
    }

    @Test
    void a_released_context_is_used_again() {
        try (var contexts = new ZstdContexts(CORES)) {
            var compressor = contexts.takeCompressor(1);
            contexts.release(compressor);
            assertSame(compressor, contexts.takeCompressor(1));

            var decompressor = contexts.takeDecompressor();
            contexts.release(decompressor);
            assertSame(decompressor, contexts.takeDecompressor());
            contexts.release(compressor);
            contexts.release(decompressor);
        }
    }

    @Test
    void a_context_in_use_is_freed_when_it_is_released_after_the_close() {
        var contexts = new ZstdContexts(CORES);
        var compressor = contexts.takeCompressor(1);
        contexts.release(contexts.takeDecompressor());

        contexts.close();
        contexts.release(compressor);

        assertEquals(0, contexts.idle());
        assertEquals(0, contexts.memory());
    }

    @Test
    void a_context_keeps_no_parameters_of_an_earlier_block() throws CompressionException {
        var text = MemorySegment.ofArray("a text like its dictionary".repeat(20).getBytes());
        var plain = CompressionParameters.of(CompressionFormat.ZSTD);
        var special = plain.withLevel(19).withChecksum(true).withDictionary("a text like its dictionary".getBytes());
        try (var codec = new LocalCodec();
                var fresh = new LocalCodec()) {
            compress(codec, special, text);

            assertArrayEquals(compress(fresh, plain, text), compress(codec, plain, text));
        }
    }

    private static byte[] compress(LocalCodec codec, CompressionParameters parameters, MemorySegment text)
            throws CompressionException {
        var frame = MemorySegment.ofArray(new byte[(int) CompressionFormat.maxCompressedSize(text.byteSize())]);
        var length = codec.compress(parameters, text, frame);
        return frame.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
