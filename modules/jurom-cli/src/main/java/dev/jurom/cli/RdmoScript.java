// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Operations on a piece of memory, the same for the same seed: a client carries them out on a
 * server's memory, and the server on a byte array, to compare. The memory begins with a pointer of
 * 8 bytes; its first half behind that is for appends, its second half for scatters.
 *
 * @param seed what the operations and their bytes follow from
 * @param size the memory's length in bytes, at least {@link #SMALLEST}
 * @param appends how many appends there are
 * @param scatters how many scatters there are
 * @param vectors how many vectors each scatter has at most
 */
record RdmoScript(long seed, int size, int appends, int scatters, int vectors) {

    /** The smallest memory that a script works on. */
    static final int SMALLEST = 1024;

    /** How many bytes the pointer at the beginning takes. */
    static final int POINTER_SIZE = Long.BYTES;

    private static final int LONGEST_VECTOR = 65_535;

    /** Bytes to be written at an offset. */
    record Piece(int offset, byte[] bytes) {}

    /** What the operations are carried out on. */
    interface Target {

        /** Appends bytes. */
        void append(byte[] bytes) throws InterruptedException;

        /** Writes pieces, none of which overlaps another; after all that was written before. */
        void scatter(List<Piece> pieces) throws InterruptedException;
    }

    /** What hears of each operation that has been begun. */
    interface Progress {

        /** So many have been. */
        void begun(int operations) throws InterruptedException;
    }

    /** Where the second half begins. */
    private int middle() {
        return size / 2;
    }

    /** Carries out all operations in their order; tells after each. */
    void run(Target target, Progress afterEach) throws InterruptedException {
        var random = new Random(seed);
        var appended = POINTER_SIZE;
        var longest = 2 * (middle() - POINTER_SIZE) / appends; // so that all together mostly fit
        for (var i = 0; i < appends + scatters; i++) {
            // Evenly mixed: whichever is behind comes next.
            if ((long) i * appends / (appends + scatters) < (long) (i + 1) * appends / (appends + scatters)) {
                var bytes = new byte[random.nextInt(Math.min(longest, middle() - appended) + 1)];
                random.nextBytes(bytes);
                appended += bytes.length;
                target.append(bytes);
            } else {
                target.scatter(pieces(random));
            }
            afterEach.begun(i + 1);
        }
    }

    /** Pieces in equal parts of the second half, so that they cannot overlap. */
    private List<Piece> pieces(Random random) {
        var count = 1 + random.nextInt(vectors);
        var part = (size - middle()) / count;
        var pieces = new ArrayList<Piece>();
        for (var i = 0; i < count; i++) {
            var begin = random.nextInt(part + 1);
            var bytes = new byte[random.nextInt(Math.min(part - begin, LONGEST_VECTOR) + 1)];
            random.nextBytes(bytes);
            pieces.add(new Piece(middle() + i * part + begin, bytes));
        }
        return pieces;
    }

    /** What the memory must be in the end but for its pointer, and where the pointer must point. */
    Result expected() throws InterruptedException {
        var memory = new byte[size];
        var end = new int[] {POINTER_SIZE};
        run(
                new Target() {

                    @Override
                    public void append(byte[] bytes) {
                        System.arraycopy(bytes, 0, memory, end[0], bytes.length);
                        end[0] += bytes.length;
                    }

                    @Override
                    public void scatter(List<Piece> pieces) {
                        pieces.forEach(piece ->
                                System.arraycopy(piece.bytes(), 0, memory, piece.offset(), piece.bytes().length));
                    }
                },
                done -> {});
        return new Result(memory, end[0]);
    }

    /** What comes of a script: bytes, and the offset that the pointer must have. */
    record Result(byte[] memory, int pointer) {}
}
