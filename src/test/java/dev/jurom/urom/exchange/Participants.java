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

/** Runs the participants of an exchange, each in its own thread. */
final class Participants {

    static final Duration DEADLINE = Duration.ofSeconds(30);

    private Participants() {}

    /** Runs an action for all participants concurrently and returns the results in order. */
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

    /** Returns the block of a participant in a round, which differs for each participant and round. */
    static byte[] block(int round, int index, int length) {
        var bytes = new byte[length];
        new Random(31L * round + index).nextBytes(bytes);
        return bytes;
    }

    /** Returns the blocks that all participants must receive in a round. */
    static byte[] blocks(int round, int participants, int length) {
        var all = new byte[participants * length];
        for (var i = 0; i < participants; i++) {
            System.arraycopy(block(round, i, length), 0, all, i * length, length);
        }
        return all;
    }

    /** Runs a round for each block length and returns the number of rounds with correct results. */
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
