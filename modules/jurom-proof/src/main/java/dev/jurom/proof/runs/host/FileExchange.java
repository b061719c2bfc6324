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
 * An exchange between hosts of a run, C and Java, by files in a folder that they share: see
 * {@code gathering.h}. Who waits for one that is gone is told so, and nobody waits longer than a
 * deadline.
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
        put(block(round, index), block);
        return new Round(round, block.length);
    }

    private Path block(int ofRound, int participant) {
        return folder.resolve(run + "-" + ofRound + "-" + participant);
    }

    private Path goneSign(int participant) {
        return folder.resolve(run + "-gone-" + participant);
    }

    /** A file that is whole as soon as it is there. */
    private static void put(Path path, byte[] bytes) {
        try {
            var unfinished = path.resolveSibling(path.getFileName() + ".new");
            Files.write(unfinished, bytes);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ExchangeException(DocaError.IO_FAILED, path + " cannot be written", e);
        }
    }

    /** Whether another participant is gone. */
    boolean hasLost() {
        return IntStream.range(0, participants).anyMatch(other -> other != index && Files.exists(goneSign(other)));
    }

    /** This one takes part no more. */
    @Override
    public void close() {
        put(goneSign(index), new byte[0]);
    }

    /** One all-gather. */
    private final class Round implements AllGather {

        private final long end = System.nanoTime() + DEADLINE.toNanos();
        private final int number;
        private final int length;
        private final byte[] blocks;
        private final boolean[] has = new boolean[participants];

        Round(int number, int length) {
            this.number = number;
            this.length = length;
            blocks = new byte[length * participants];
        }

        /** Sleeps a little when something is missing, because nobody else will. */
        @Override
        public boolean poll() {
            var complete = true;
            for (var i = 0; i < participants; i++) {
                has[i] = has[i] || take(i);
                complete &= has[i];
            }
            if (!complete) {
                if (System.nanoTime() > end) {
                    throw new ExchangeException(DocaError.TIME_OUT, "Nobody came for " + DEADLINE);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return complete;
        }

        /** Who is gone has given before what there will ever be: so that is looked at first. */
        private boolean take(int participant) {
            var gone = Files.exists(goneSign(participant));
            try {
                var bytes = Files.readAllBytes(block(number, participant));
                if (bytes.length != length) {
                    throw new ExchangeException(
                            DocaError.INVALID_VALUE,
                            "Participant " + participant + " gave " + bytes.length + " bytes, not " + length);
                }
                System.arraycopy(bytes, 0, blocks, participant * length, length);
                return true;
            } catch (NoSuchFileException e) {
                if (gone) {
                    throw new ExchangeException(
                            DocaError.CONNECTION_RESET, "Participant " + participant + " is gone", e);
                }
                return false;
            } catch (IOException e) {
                throw new ExchangeException(DocaError.IO_FAILED, "A block cannot be read", e);
            }
        }

        @Override
        public byte[] blocks() {
            return blocks;
        }

        @Override
        public void close() {
            // Its files go with the run.
        }
    }
}
