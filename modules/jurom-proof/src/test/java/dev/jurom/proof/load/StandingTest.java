// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandingTest {

    @Test
    void a_line_carries_all_fields_even_empty_ones() {
        var standing = new Standing("idle", 10, 8, Map.of("full", 2), "");

        assertEquals(List.of("idle", "10", "8", "2 x full", ""), Standing.fields(standing.toLine()));
    }

    @Test
    void a_reason_of_several_lines_stays_one_line() {
        var standing = new Standing("idle", 1, 0, Map.of("a\nb", 1), "note");

        assertEquals(List.of("idle", "1", "0", "1 x a b", "note"), Standing.fields(standing.toLine()));
    }
}
