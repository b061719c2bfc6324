// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CpuSetTest {

    @Property
    void text_reads_back_as_the_same_set(@ForAll Set<@IntRange(max = 1023) Integer> cpus) {
        var set = CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray());

        assertEquals(set, CpuSet.parse(set.toString()));
        assertEquals(new TreeSet<>(cpus), new TreeSet<>(set.cpus().boxed().toList()));
        assertEquals(cpus.size(), set.size());
    }

    @Property
    void union_and_intersection_agree_with_membership(
            @ForAll Set<@IntRange(max = 1023) Integer> left,
            @ForAll Set<@IntRange(max = 1023) Integer> right,
            @ForAll @IntRange(max = 1023) int cpu) {
        var a = CpuSet.of(left.stream().mapToInt(Integer::intValue).toArray());
        var b = CpuSet.of(right.stream().mapToInt(Integer::intValue).toArray());

        assertEquals(left.contains(cpu) || right.contains(cpu), a.union(b).contains(cpu));
        assertEquals(
                left.contains(cpu) && right.contains(cpu), a.intersection(b).contains(cpu));
        assertEquals(left.containsAll(right), a.containsAll(b));
    }

    @Example
    void adjacent_cpus_are_printed_as_ranges() {
        assertEquals("0-3,8,1023", CpuSet.of(8, 3, 2, 1, 0, 1023).toString());
        assertEquals("", CpuSet.empty().toString());
        assertTrue(CpuSet.parse("").isEmpty());
    }

    @Example
    void a_cpu_beyond_the_capacity_is_rejected_by_name() {
        var refusal = assertThrows(IllegalArgumentException.class, () -> CpuSet.of(1024));

        assertTrue(refusal.getMessage().contains("1024"), refusal.getMessage());
        assertFalse(CpuSet.range(0, 1023).contains(1024));
        assertFalse(CpuSet.range(0, 1023).contains(-1));
    }

    @Example
    void malformed_text_is_rejected_naming_the_malformed_part() {
        for (var text : new String[] {"1,x", "3-1", "1,,2", "-", "1-2-3", "99999999999"}) {
            assertThrows(IllegalArgumentException.class, () -> CpuSet.parse(text), text);
        }
        var refusal = assertThrows(IllegalArgumentException.class, () -> CpuSet.parse("0-3,four"));
        assertTrue(refusal.getMessage().contains("\"four\""), refusal.getMessage());
    }
}
