// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Executes rounds of an open loop: commands become due at a fixed rate, independent of earlier commands, and
 * the latency of each is measured from its due time. A stall is therefore visible in all delayed commands (no
 * coordinated omission). A round returns a histogram of nanoseconds in HdrHistogram's compressed format,
 * encoded in Base64.
 */
final class PacedRounds {

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    private final double interval; // nanoseconds
    private final ConcurrentHistogram histogram = new ConcurrentHistogram(LONGEST, DIGITS);
    private final AtomicInteger answered = new AtomicInteger();
    private final PacedSender sender;

    private PacedRounds(int rate, Function<PacedSender.Answers, PacedSender> open) {
        interval = 1e9 / rate;
        sender = open.apply(this::arrived);
    }

    /** Executes rounds at the given rate in commands per second until the end of standard input. */
    static void serve(MeasurementOptions options, Function<PacedSender.Answers, PacedSender> open) throws IOException {
        var rounds = new PacedRounds(options.rate, open);
        Cores.pin(options.ownCore());
        try (var ignored = rounds.sender) {
            var input = new BufferedReader(new InputStreamReader(System.in));
            System.out.println("ready");
            for (var line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(rounds.round(Rounds.count(line)));
            }
        }
    }

    private void arrived(long due) {
        histogram.recordValue(Math.min(System.nanoTime() - due, LONGEST));
        answered.incrementAndGet();
    }

    private String round(int count) {
        histogram.reset();
        answered.set(0);
        var start = System.nanoTime();
        var sent = 0;
        while (answered.get() < count) {
            var due = start + (long) (sent * interval);
            if (sent < count && System.nanoTime() >= due && sender.trySend(due)) {
                sent++;
            }
            sender.poll();
        }
        var bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        var length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
