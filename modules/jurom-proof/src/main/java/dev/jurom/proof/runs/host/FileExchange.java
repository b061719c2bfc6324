// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.DocaError;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * An exchange between C and Java hosts of a run through files in a shared folder; see {@code gathering.h}. If
 * a participant left, the others receive an error; waits are bounded by a deadline.
 */
final class FileExchange implements OutOfBandExchange {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 200_000;

    private final Path folder;
    private final int run;
    private final int index;
    private final int participants;
    private int round;

    FileExchange(Path folder, int run, int index, int participants) {
        this.folder = folder;
        this.run = run;
        this.index = index;
        this.participants = participants;
    }

    @Override
    public int participants() {
        return participants;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public AllGather begin(byte[] block) {
        round++;
        write(block(round, index), block);
        return new Round(round, block.length);
    }

    private Path block(int ofRound, int participant) {
        return folder.resolve(run + "-" + ofRound + "-" + participant);
    }

    private Path leftMarker(int participant) {
        return folder.resolve(run + "-left-" + participant);
    }

    /** Creates a file atomically. */
    private static void write(Path path, byte[] bytes) {
        try {
            var unfinished = path.resolveSibling(path.getFileName() + ".new");
            Files.write(unfinished, bytes);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ExchangeException(DocaError.IO_FAILED, "cannot write " + path, e);
        }
    }

    /** Returns whether another participant received left. */
    boolean hasMemberLeft() {
        return IntStream.range(0, participants).anyMatch(other -> other != index && Files.exists(leftMarker(other)));
    }

    /** Leaves the exchange. */
    @Override
    public void close() {
        write(leftMarker(index), new byte[0]);
    }

    /** A round of all-gather. */
    private final class Round implements AllGather {

        private final long end = System.nanoTime() + DEADLINE.toNanos();
        private final int number;
        private final int length;
        private final byte[] blocks;
        private final boolean[] received = new boolean[participants];

        Round(int number, int length) {
            this.number = number;
            this.length = length;
            blocks = new byte[length * participants];
        }

        /** Sleeps briefly if a block is missing, since the caller polls in a loop. */
        @Override
        public boolean poll() {
            var complete = true;
            for (var i = 0; i < participants; i++) {
                received[i] = received[i] || receive(i);
                complete &= received[i];
            }
            if (!complete) {
                if (System.nanoTime() > end) {
                    throw new ExchangeException(DocaError.TIME_OUT, "no block received within " + DEADLINE);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return complete;
        }

        /** Checks first whether the participant left: it writes all of its blocks before it leaves. */
        private boolean receive(int participant) {
            var left = Files.exists(leftMarker(participant));
            try {
                var bytes = Files.readAllBytes(block(number, participant));
                if (bytes.length != length) {
                    throw new ExchangeException(
                            DocaError.INVALID_VALUE,
                            "participant " + participant + " provided " + bytes.length + " bytes instead of " + length);
                }
                System.arraycopy(bytes, 0, blocks, participant * length, length);
                return true;
            } catch (NoSuchFileException e) {
                if (left) {
                    throw new ExchangeException(DocaError.CONNECTION_RESET, "participant " + participant + " left", e);
                }
                return false;
            } catch (IOException e) {
                throw new ExchangeException(DocaError.IO_FAILED, "cannot read a block", e);
            }
        }

        @Override
        public byte[] blocks() {
            return blocks;
        }

        @Override
        public void close() {
            // The files are deleted after the run.
        }
    }
}
