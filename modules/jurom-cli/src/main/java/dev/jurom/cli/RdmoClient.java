// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.RdmoInvitation;
import dev.jurom.RdmoWriter;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The side of {@code urom rdmo} that writes to the server's memory. It needs no service. */
record RdmoClient(OutOfBandExchange exchange, RdmoScript script, Duration timeout) {

    private static final int REQUESTS_BETWEEN_FLUSHES = 16;
    private static final double NANOS_PER_MS = 1e6;

    void run(PrintStream out) throws InterruptedException {
        try (var writer = RdmoWriter.open()) {
            exchange.allGatherAny(writer.introduction(), timeout);
            writer.connect(RdmoInvitation.of(
                    exchange.allGatherAny(new byte[0], timeout).get(0)));
            var start = System.nanoTime();
            var written = new Written();
            script.run(written.by(writer), done -> {
                if (done % REQUESTS_BETWEEN_FLUSHES == 0) {
                    writer.flush(timeout).join();
                }
            });
            writer.flush(timeout).join();
            out.printf(
                    Locale.ROOT,
                    "client    process %d: %d appends of %d bytes, %d scatters of"
                            + " %d vectors and %d bytes, flushed, in %.1f ms%n",
                    ProcessHandle.current().pid(),
                    script.appends(),
                    written.appended,
                    script.scatters(),
                    written.vectors,
                    written.scattered,
                    (System.nanoTime() - start) / NANOS_PER_MS);
            exchange.allGather(new byte[1], timeout);
        }
    }

    /** Counts of sent operations and bytes. */
    private static final class Written {

        private long appended;
        private long scattered;
        private long vectors;

        RdmoScript.Target by(RdmoWriter writer) {
            return new RdmoScript.Target() {

                @Override
                public void append(byte[] bytes) throws InterruptedException {
                    appended += bytes.length;
                    writer.append(0, bytes);
                }

                @Override
                public void scatter(List<RdmoScript.Piece> pieces) throws InterruptedException {
                    vectors += pieces.size();
                    pieces.forEach(piece -> scattered += piece.bytes().length);
                    writer.scatter(
                            pieces.stream()
                                    .collect(Collectors.toMap(
                                            piece -> (long) piece.offset(),
                                            piece -> MemorySegment.ofArray(piece.bytes()),
                                            (one, other) -> one.byteSize() > 0 ? one : other)), // one is empty
                            true); // later pieces may overlap earlier ones
                }
            };
        }
    }
}
