// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupStatusTest {

    @Test
    void a_line_contains_all_fields_including_empty_ones() {
        var status = new GroupStatus("idle", 10, 8, Map.of("full", 2), "");

        assertEquals(List.of("idle", "10", "8", "2 x full", ""), GroupStatus.fields(status.toLine()));
    }

    @Test
    void a_multi_line_reason_is_joined_into_one_line() {
        var status = new GroupStatus("idle", 1, 0, Map.of("a\nb", 1), "note");

        assertEquals(List.of("idle", "1", "0", "1 x a b", "note"), GroupStatus.fields(status.toLine()));
    }
}
