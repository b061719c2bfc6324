// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** A hash function. Stands for {@code enum doca_sha_algorithm}. */
public enum ShaAlgorithm {

    /** SHA-1, 20 bytes. */
    SHA1,

    /** SHA-256, 32 bytes. */
    SHA256,

    /** SHA-512, 64 bytes. */
    SHA512;

    private static final ShaAlgorithm[] BY_CODE = values();

    /** Returns the function with a value in C that Java has set. */
    static ShaAlgorithm of(int code) {
        return BY_CODE[code];
    }
}
