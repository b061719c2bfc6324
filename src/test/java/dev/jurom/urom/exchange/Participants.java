// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.fixture.OtherThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The participants of an exchange, each in a thread of its own. */
final class Participants {

    static final Duration DEADLINE = Duration.ofSeconds(30);

    private Participants() {}

    /** Has each participant do something at the same time; gives what they return, in order. */
    static <T> List<T> together(List<? extends OutOfBandExchange> exchanges, Function<OutOfBandExchange, T> action) {
        var results = new ArrayList<CompletableFuture<T>>();
        for (var exchange : exchanges) {
            results.add(OtherThread.start("participant " + exchange.index(), () -> action.apply(exchange)));
        }
        return results.stream()
                .map(result ->
                        result.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join())
                .toList();
    }

    /** The block that a participant gives in a round: any bytes, and others for each. */
    static byte[] block(int round, int index, int length) {
        var bytes = new byte[length];
        new Random(31L * round + index).nextBytes(bytes);
        return bytes;
    }

    /** What all participants must get in a round. */
    static byte[] blocks(int round, int participants, int length) {
        var all = new byte[participants * length];
        for (var i = 0; i < participants; i++) {
            System.arraycopy(block(round, i, length), 0, all, i * length, length);
        }
        return all;
    }

    /** Runs rounds of blocks of the given lengths; gives how many brought the right bytes. */
    static int rounds(OutOfBandExchange exchange, List<Integer> lengths) {
        var right = 0;
        for (var round = 0; round < lengths.size(); round++) {
            var length = lengths.get(round);
            var gathered = gather(exchange, block(round, exchange.index(), length));
            if (Arrays.equals(gathered, blocks(round, exchange.participants(), length))) {
                right++;
            }
        }
        return right;
    }

    private static byte[] gather(OutOfBandExchange exchange, byte[] block) {
        try {
            return exchange.allGather(block, DEADLINE);
        } catch (InterruptedException e) {
            throw new AssertionError("no test interrupts a participant", e);
        }
    }
}
