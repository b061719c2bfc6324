// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.util.Random;

/** Content to compress. */
final class Samples {

    private static final String[] WORDS = {
        "worker", "block", "frame", "level", "service", "buffer", "shuffle", "index", "\n", "{\"id\": ", "}, "
    };

    private Samples() {}

    /** Returns a compression without workers, threads and native memory, which need not be closed. */
    static Compression local(int blockSize) {
        try {
            return Compression.open(CompressionConfiguration.builder()
                    .mode(CompressionMode.LOCAL)
                    .blockSize(blockSize)
                    .build());
        } catch (CompressionException e) {
            throw new AssertionError(e); // only the mode OFFLOAD fails
        }
    }

    /** Returns bytes that compress about as records of text do, with incompressible parts. */
    static byte[] mixed(int size, long seed) {
        var random = new Random(seed);
        var bytes = new byte[size];
        var at = 0;
        while (at < size) {
            if (random.nextInt(64) == 0) {
                var part = new byte[Math.min(size - at, random.nextInt(2000))];
                random.nextBytes(part);
                System.arraycopy(part, 0, bytes, at, part.length);
                at += part.length;
            } else {
                var word = (WORDS[random.nextInt(WORDS.length)] + random.nextInt(100) + " ").getBytes();
                var length = Math.min(size - at, word.length);
                System.arraycopy(word, 0, bytes, at, length);
                at += length;
            }
        }
        return bytes;
    }

    /** Returns bytes that do not compress. */
    static byte[] random(int size, long seed) {
        var bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
