// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.urom.exchange.ExchangeException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileExchangeTest {

    @TempDir
    private Path folder;

    private FileExchange first;
    private FileExchange second;

    @BeforeEach
    void open() {
        first = new FileExchange(folder, 7, 0, 2);
        second = new FileExchange(folder, 7, 1, 2);
    }

    @Test
    void eachRoundReturnsTheBlocksOfAllParticipants() {
        for (byte round = 0; round < 3; round++) {
            var mine = first.begin(new byte[] {1, round});
            assertFalse(mine.poll());
            var others = second.begin(new byte[] {2, round});

            assertTrue(mine.poll());
            assertTrue(others.poll());
            assertArrayEquals(new byte[] {1, round, 2, round}, mine.blocks());
            assertArrayEquals(mine.blocks(), others.blocks());
        }
    }

    @Test
    void aParticipantThatLeftFailsTheRound() {
        var mine = first.begin(new byte[1]);
        assertFalse(first.hasMemberLeft());
        second.close();

        assertTrue(first.hasMemberLeft());
        assertEquals(
                DocaError.CONNECTION_RESET,
                assertThrows(ExchangeException.class, mine::poll).error());
    }

    @Test
    void blocksWrittenBeforeLeavingAreReceived() {
        var mine = first.begin(new byte[] {1});
        second.begin(new byte[] {2});
        second.close();

        assertTrue(mine.poll());
        assertArrayEquals(new byte[] {1, 2}, mine.blocks());
    }

    @Test
    void blocksMustHaveEqualLengths() {
        var mine = first.begin(new byte[1]);
        second.begin(new byte[2]);

        assertEquals(
                DocaError.INVALID_VALUE,
                assertThrows(ExchangeException.class, mine::poll).error());
    }
}
