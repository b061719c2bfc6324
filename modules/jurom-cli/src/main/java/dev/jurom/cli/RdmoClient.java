// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoRequest;
import dev.jurom.plugin.rdmo.ScatterVector;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The side of {@code urom rdmo} that writes to the server's memory. It needs no service. */
record RdmoClient(OutOfBandExchange exchange, RdmoScript script, Duration timeout) {

    private static final int REQUESTS_BETWEEN_FLUSHES = 16;
    private static final double NANOS_PER_MS = 1e6;

    void run(PrintStream out) {
        try (var peer = RdmoPeer.open()) {
            exchange.allGatherAny(peer.address(), timeout);
            var server = RdmoInvitation.unpack(
                    exchange.allGatherAny(new byte[0], timeout).get(0));
            peer.connect(server.worker(), server.client());
            var start = System.nanoTime();
            var written = new Written();
            script.run(written.to(peer, server), done -> {
                if (done % REQUESTS_BETWEEN_FLUSHES == 0) {
                    flush(peer, done % (2 * REQUESTS_BETWEEN_FLUSHES) == 0);
                }
            });
            peer.flush(timeout);
            out.printf(Locale.ROOT, "client    process %d: %d appends of %d bytes, %d scatters of"
                    + " %d vectors and %d bytes, flushed, in %.1f ms%n",
                    ProcessHandle.current().pid(),
                    script.appends(), written.appended, script.scatters(), written.vectors,
                    written.scattered, (System.nanoTime() - start) / NANOS_PER_MS);
            exchange.allGather(new byte[1], timeout);
        }
    }

    private void flush(RdmoPeer peer, boolean fence) {
        var flush = peer.beginFlush(fence ? RdmoRequest.FENCE : 0);
        peer.await(flush, timeout);
        flush.requireSuccess();
    }

    /** How much was sent. */
    private static final class Written {

        private long appended;
        private long scattered;
        private long vectors;

        RdmoScript.Target to(RdmoPeer peer, RdmoInvitation server) {
            return new RdmoScript.Target() {

                @Override
                public void append(byte[] bytes) {
                    appended += bytes.length;
                    peer.append(server.address(), server.key(), server.key(),
                            MemorySegment.ofArray(bytes), 0);
                }

                @Override
                public void scatter(List<RdmoScript.Piece> pieces) {
                    vectors += pieces.size();
                    pieces.forEach(piece -> scattered += piece.bytes().length);
                    // Later pieces may overlap earlier ones: a fence keeps them in order.
                    peer.scatter(pieces.stream().map(piece -> new ScatterVector(
                            server.address() + piece.offset(), server.key(),
                            MemorySegment.ofArray(piece.bytes()))).toList(), RdmoRequest.FENCE);
                }
            };
        }
    }
}
