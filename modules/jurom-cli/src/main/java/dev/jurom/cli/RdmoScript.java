// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A reproducible sequence of operations on memory: the client executes them on the server's
 * memory, and the server executes them on a byte array and compares. The memory begins with an
 * 8-byte pointer; the rest of its first half is for appends, and its second half for scatters.
 *
 * @param seed determines the operations and their bytes
 * @param size the memory's length in bytes, at least {@link #SMALLEST}
 * @param appends number of appends
 * @param scatters number of scatters
 * @param vectors maximum number of vectors of a scatter
 */
record RdmoScript(long seed, int size, int appends, int scatters, int vectors) {

    /** The minimum size of the memory in bytes. */
    static final int SMALLEST = 1024;

    /** The size in bytes of the pointer at the beginning. */
    static final int POINTER_SIZE = Long.BYTES;

    private static final int LONGEST_VECTOR = 65_535;

    /** Bytes to be written at an offset. */
    record Piece(int offset, byte[] bytes) {}

    /** Executes the operations of a script. */
    interface Target {

        /** Appends bytes. */
        void append(byte[] bytes) throws InterruptedException;

        /** Writes pieces that do not overlap each other, ordered after all earlier writes. */
        void scatter(List<Piece> pieces) throws InterruptedException;
    }

    /** Listener for the progress of a script. */
    interface Progress {

        /** Called after each operation has started, with the number of operations so far. */
        void begun(int operations) throws InterruptedException;
    }

    /** Returns the offset of the second half. */
    private int middle() {
        return size / 2;
    }

    /** Executes all operations in order and notifies the listener after each. */
    void run(Target target, Progress afterEach) throws InterruptedException {
        var random = new Random(seed);
        var appended = POINTER_SIZE;
        var longest = 2 * (middle() - POINTER_SIZE) / appends; // makes the total mostly fit
        for (var i = 0; i < appends + scatters; i++) {
            // Interleaves appends and scatters evenly.
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

    /** Returns pieces in equal parts of the second half, so that they cannot overlap. */
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

    /** Returns the expected final memory without its pointer, and the expected pointer. */
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

    /** The outcome of a script: the memory, and the offset to which the pointer points. */
    record Result(byte[] memory, int pointer) {}
}
