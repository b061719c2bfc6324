// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.DocaError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Compares random requests with a byte array that models the memory of the target. */
class RdmoScatterPropertiesTest {

    private static final int SIZE = GuardedTarget.DATA_SIZE;

    private static GuardedTarget target;
    private static RdmoPeer peer;

    @BeforeContainer
    static void open() {
        target = new GuardedTarget();
        peer = target.peer();
    }

    @AfterContainer
    static void close() {
        peer.close();
        target.close();
    }

    /** The offset and length of a vector, and whether its key is valid. */
    record Piece(int offset, int length, boolean keyIsRight) {

        boolean isFine() {
            return keyIsRight && offset >= 0 && offset + length <= SIZE;
        }
    }

    @Provide
    Arbitrary<List<List<Piece>>> scatters() {
        // Mostly inside; sometimes across or beyond an end, or with an unknown key.
        var offsets = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.integers().between(0, SIZE - 1)),
                Tuple.of(1, Arbitraries.integers().between(-200, SIZE + 200)));
        var lengths = Arbitraries.integers().between(0, 300).withDistribution(RandomDistribution.biased());
        var keys = Arbitraries.frequency(Tuple.of(60, true), Tuple.of(1, false));
        return Combinators.combine(offsets, lengths, keys)
                .as(Piece::new)
                .list()
                .ofMinSize(0)
                .ofMaxSize(40)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property(tries = 150)
    void scatters_that_fit_are_written_and_the_others_are_counted(
            @ForAll("scatters") List<List<Piece>> scatters, @ForAll long seed) {
        target.reset();
        var model = new byte[SIZE];
        var random = new Random(seed);
        var refused = 0;
        var firstError = DocaError.SUCCESS;
        for (var pieces : scatters) {
            var vectors = new ArrayList<ScatterVector>();
            // Vectors of a scatter are written in any order and must not overlap.
            var apart = withoutOverlaps(pieces);
            var bad = apart.stream().filter(piece -> !piece.isFine()).findFirst();
            for (var piece : apart) {
                var bytes = new byte[piece.length];
                random.nextBytes(bytes);
                vectors.add(new ScatterVector(
                        target.dataAddress() + piece.offset,
                        piece.keyIsRight ? target.dataKey() : ~target.dataKey(),
                        MemorySegment.ofArray(bytes)));
                if (bad.isEmpty()) {
                    System.arraycopy(bytes, 0, model, piece.offset, bytes.length);
                }
            }
            if (bad.isPresent() && refused++ == 0) {
                firstError = bad.get().keyIsRight ? DocaError.INVALID_VALUE : DocaError.NOT_FOUND;
            }
            peer.scatter(vectors, RdmoRequest.FENCE);
        }

        var flush = peer.beginFlush(0);
        peer.await(flush, DEADLINE);

        assertEquals(refused, flush.failed());
        assertEquals(firstError, flush.error());
        assertArrayEquals(model, target.data().toArray(ValueLayout.JAVA_BYTE));
    }

    private static List<Piece> withoutOverlaps(List<Piece> pieces) {
        var apart = new ArrayList<Piece>();
        for (var piece : pieces) {
            if (apart.stream()
                    .allMatch(other -> piece.offset + piece.length <= other.offset
                            || other.offset + other.length <= piece.offset)) {
                apart.add(piece);
            }
        }
        return apart;
    }

    @Property(tries = 60)
    void appends_that_fit_are_in_the_memory_one_after_the_other(
            @ForAll("lengths") List<Integer> lengths, @ForAll long seed) {
        target.reset();
        var model = new byte[SIZE];
        var random = new Random(seed);
        var end = 0;
        var refused = 0;
        for (var length : lengths) {
            var bytes = new byte[length];
            random.nextBytes(bytes);
            if (end + length <= SIZE) {
                System.arraycopy(bytes, 0, model, end, length);
                end += length;
            } else {
                refused++;
            }
            peer.append(
                    target.pointerAddress(), target.pointerKey(), target.dataKey(), MemorySegment.ofArray(bytes), 0);
        }

        var flush = peer.beginFlush(0);
        peer.await(flush, DEADLINE);

        assertEquals(refused, flush.failed());
        assertEquals(end, target.pointer());
        assertArrayEquals(model, target.data().toArray(ValueLayout.JAVA_BYTE));
    }

    @Provide
    Arbitrary<List<Integer>> lengths() {
        return Arbitraries.integers().between(0, 3000).list().ofMaxSize(12);
    }
}
