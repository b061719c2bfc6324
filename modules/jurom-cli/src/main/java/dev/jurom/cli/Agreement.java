// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.urom.exchange.OutOfBandExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;

/** Checks that all ranks were started with the same options. */
final class Agreement {

    private Agreement() {}

    /**
     * Requires that all ranks have the same options, since each rank checks the work of the other.
     *
     * @throws IllegalArgumentException if the options differ
     */
    static void require(OutOfBandExchange exchange, Duration timeout, Object... options) throws InterruptedException {
        var mine = digest(Arrays.toString(options));
        var all = exchange.allGather(mine, timeout);
        for (var at = 0; at < all.length; at += mine.length) {
            if (!Arrays.equals(all, at, at + mine.length, mine, 0, mine.length)) {
                throw new IllegalArgumentException("The ranks have different options: start all" + " with the same");
            }
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no SHA-256", e);
        }
    }
}
