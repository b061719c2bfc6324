// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Mpirun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RdmoCommandTest {

    @Test
    void a_client_writes_to_a_servers_memory_and_every_byte_is_checked() {
        Mpirun.require();

        var result = Mpirun.run(2, Programs.uromWords("rdmo", "--appends", "100", "--scatters", "100"));

        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("every byte of its memory is as it must be"), result::output);
        assertTrue(
                result.output()
                        .matches("(?s).*client +process \\d+: 100 appends of \\d+ bytes,"
                                + " 100 scatters of \\d+ vectors and \\d+ bytes, flushed, .*"),
                result::output);
    }

    @Test
    void memory_that_is_too_small_for_a_script_is_rejected() {
        var result = Programs.urom("rdmo", "--size", "1000");

        assertEquals(2, result.exitCode(), result::output);
        assertTrue(result.output().contains("it must be at least 1024"), result::output);
    }

    @Property(tries = 100)
    void a_script_is_the_same_each_time_and_stays_within_its_memory(
            @ForAll long seed,
            @ForAll @IntRange(min = 1024, max = 100_000) int size,
            @ForAll @IntRange(min = 1, max = 30) int appends,
            @ForAll @IntRange(min = 1, max = 30) int scatters,
            @ForAll @IntRange(min = 1, max = 40) int vectors)
            throws InterruptedException {
        var script = new RdmoScript(seed, size, appends, scatters, vectors);
        var appended = new int[1];
        var counts = new int[2];
        var written = new ArrayList<Integer>();

        script.run(
                new RdmoScript.Target() {

                    @Override
                    public void append(byte[] bytes) {
                        counts[0]++;
                        appended[0] += bytes.length;
                    }

                    @Override
                    public void scatter(List<RdmoScript.Piece> pieces) {
                        counts[1]++;
                        var end = size / 2;
                        for (var piece : pieces) {
                            assertTrue(piece.offset() >= end, "pieces overlap");
                            end = piece.offset() + piece.bytes().length;
                            written.add(end);
                        }
                    }
                },
                done -> {});

        assertEquals(appends, counts[0]);
        assertEquals(scatters, counts[1]);
        assertTrue(RdmoScript.POINTER_SIZE + appended[0] <= size / 2);
        assertTrue(written.stream().allMatch(end -> end <= size));
        var expected = script.expected();
        assertEquals(RdmoScript.POINTER_SIZE + appended[0], expected.pointer());
        assertEquals(
                Arrays.hashCode(expected.memory()),
                Arrays.hashCode(script.expected().memory()));
    }
}
